"""Environments that pass for a Hermes installation: a real Python, the files that are looked at, and nothing else."""

import sys
from pathlib import Path

import yaml

from herma import __version__

_SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


def environment(
    folder: Path, *, version: str = "0.19.0", herma: str | None = __version__, hooks: str = '{"transform_tool_result"}'
) -> Path:
    """Make an environment in `folder` and return it: Hermes of this version, with this Herma or none."""
    interpreter = Path(sys.executable).resolve()
    site = folder / _SITE
    (folder / "bin").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {interpreter.parent}\n", encoding="utf-8")
    (folder / "bin" / "python").symlink_to(interpreter)
    launcher(folder / "bin" / "hermes", f"#!{folder}/bin/python\n")
    (site / "hermes_cli").mkdir(parents=True)
    (site / "hermes_cli" / "plugins.py").write_text(f"VALID_HOOKS: set[str] = {hooks}\n", encoding="utf-8")
    (site / "yaml").symlink_to(Path(yaml.__file__).parent)
    distribution(folder, "hermes-agent", version)
    if herma:
        distribution(folder, "herma", herma, plugin="herma.hosts.hermes.read_summarizer")
    return folder


def distribution(environment: Path, name: str, version: str, *, plugin: str | None = None) -> None:
    """Pretend that a distribution is installed; `plugin` names the module of its entry point for read-summarizer."""
    folder = environment / _SITE / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    if plugin:
        text = f"[hermes_agent.plugins]\nread-summarizer = {plugin}\n"
        (folder / "entry_points.txt").write_text(text, encoding="utf-8")


def launcher(path: Path, text: str) -> Path:
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path
