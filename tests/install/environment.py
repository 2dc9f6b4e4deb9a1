"""Environments that pass for a Hermes installation: a real Python, the files that are looked at, and nothing else."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from herma import __version__
from herma.hosts.hermes.surface import SURFACES
from herma.install.systems import SYSTEMS
from tests.hosts.hermes import VERSIONS, find

_SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
_HOOKS = sorted({hook for system in SYSTEMS for hook in system.hooks})


def environment(
    folder: Path, *, version: str = "0.19.0", herma: str | None = __version__, hooks: str = repr(set(_HOOKS))
) -> Path:
    """Make an environment in `folder` and return it: Hermes of this version, with this Herma or none."""
    interpreter = Path(sys.executable).resolve()
    site = folder / _SITE
    (folder / "bin").mkdir(parents=True)
    described = f"home = {interpreter.parent}\ninclude-system-site-packages = false\n"
    (folder / "pyvenv.cfg").write_text(described, encoding="utf-8")
    (folder / "bin" / "python").symlink_to(interpreter)
    launcher(folder / "bin" / "hermes", f"#!{folder}/bin/python\n")
    (site / "hermes_cli").mkdir(parents=True)
    (site / "hermes_cli" / "plugins.py").write_text(f"VALID_HOOKS: set[str] = {hooks}\n", encoding="utf-8")
    lend(folder, "yaml")
    distribution(folder, "hermes-agent", version)
    if herma:
        plugins = {surface.plugin: surface.module for surface in SURFACES}
        distribution(folder, "herma", herma, plugins=plugins)
    return folder


def lend(environment: Path, package: str) -> None:
    """Let an environment have a package of this one, or, if this one has none, of an installed Hermes."""
    found = importlib.util.find_spec(package)
    places = [Path(found.origin).parent] if found and found.origin else []
    for version in VERSIONS:
        places += find(version).python.parent.parent.glob(f"lib/python*/site-packages/{package}")
    if not places:
        reason = f"there is no {package} to be had; `make test` installs Hermes, which has it"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    (environment / _SITE / package).symlink_to(places[0])


def distribution(environment: Path, name: str, version: str, *, plugins: dict[str, str] | None = None) -> Path:
    """Pretend that a distribution is installed, with entry points for plugins, and return its description."""
    folder = environment / _SITE / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (folder / "RECORD").touch()
    if plugins:
        lines = [f"{plugin} = {module}\n" for plugin, module in plugins.items()]
        (folder / "entry_points.txt").write_text("".join(["[hermes_agent.plugins]\n", *lines]), encoding="utf-8")
    return folder


def launcher(path: Path, text: str) -> Path:
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path
