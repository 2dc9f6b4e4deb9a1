"""How a real Hermes is asked, and its answers written down. What it is asked stands in the modules that record."""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "PLAIN", "Asked", "write"]

# What stands in the recordings for the folder that the files really were in.
FOLDER = "/srv/files"
PLAIN: dict[str, Any] = {}

Asked = Mapping[str, Sequence[dict[str, Any]]]


def write(names: Iterable[str], asked: Asked, fill: Callable[[Path], None], *, config: str = "") -> None:
    """Writes the answers for the files `names`, which `fill` makes, to the file that the command line names.

    Each file is read with every argument list of `asked`, or plainly.
    """
    with tempfile.TemporaryDirectory() as made:
        home, folder = Path(made) / "home", Path(made) / "files"
        home.mkdir()
        folder.mkdir()
        os.environ["HERMES_HOME"] = str(home)
        if config:
            (home / "config.yaml").write_text(config, encoding="utf-8")
        fill(folder)
        reads = list(_read(folder, names, asked))
    Path(sys.argv[1]).write_text(json.dumps(reads, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _read(folder: Path, names: Iterable[str], asked: Asked) -> Iterator[dict[str, Any]]:
    from tools.file_tools import read_file_tool  # noqa: PLC0415 - exists only inside the host

    for name in names:
        for arguments in asked.get(name, (PLAIN,)):
            answer = read_file_tool(str(folder / name), task_id="recorded", **arguments)
            yield {"file": name, "arguments": arguments, "answer": answer.replace(str(folder), FOLDER)}
