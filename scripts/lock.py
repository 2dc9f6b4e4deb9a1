"""Write the pinned files under requirements/ from their .in files: `make lock`.

Pins that still fit are kept; `make lock ARGS=--upgrade` takes the newest. Each file is the whole closure for Python
3.11 and later on every platform, with the hashes of all files of each release, and says nothing of where it was read.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.environments.catalog import ENVIRONMENTS
from scripts.environments.ground import ROOT

# --universal: one file for all platforms, with markers; --python-version: the oldest that must work.
COMPILE = ("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate")
RELEASE = re.compile(r"^[a-z0-9][a-z0-9.-]*==\S+(?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$", re.MULTILINE)


def tidy(compiled: str, *, made_from: str) -> str:
    """The pinned releases of a compiled file in order of their names, under a line that says how they came.

    Comments and the resolver's options, an index address among them, are left out. Raises ValueError for a line that is
    no exact release with hashes.
    """
    for line in map(str.strip, RELEASE.sub("", compiled).splitlines()):
        if line and not line.startswith(("#", "--")):
            raise ValueError(f"{made_from}: not pinned with hashes: {line}")
    releases = sorted(found.group() for found in RELEASE.finditer(compiled))
    return "\n".join((f"# Made from {made_from} by `make lock`. Do not edit.", *releases, ""))


def lock(uv: Path, name: str, options: list[str]) -> None:
    """Write requirements/NAME.txt from requirements/NAME.in."""
    source, target = ROOT / f"requirements/{name}.in", ROOT / f"requirements/{name}.txt"
    command = [str(uv), *COMPILE, *options, "--output-file", str(target), str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    target.write_text(tidy(target.read_text(encoding="utf-8"), made_from=source.name), encoding="utf-8")
    print(target.relative_to(ROOT))


def main(options: list[str]) -> None:
    """Fetch the resolver into a throwaway environment and lock every file."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([f"{folder}/bin/python", "-m", "pip", "install", "--quiet", "uv"], check=True)
        for name in ENVIRONMENTS:
            lock(Path(folder) / "bin" / "uv", name, options)


if __name__ == "__main__":
    main(sys.argv[1:])
