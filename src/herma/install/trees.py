"""The folders that Hermes takes for our plugins, as they come with this package."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import herma
from herma.errors import SetupError, StepFailed
from herma.install.files import digest, put_new

__all__ = ["files_of", "files_there", "place", "stage_of", "take_away"]

_CACHE = "__pycache__"
# A wheel has them as data of this package; a checkout has them where hosts and marketplaces clone them.
_PLACES = (
    Path(__file__).parent / "trees" / "hermes",
    Path(herma.__file__).parents[2] / "integrations" / "hermes",
)


def files_of(plugin: str) -> dict[str, bytes]:
    """The files of a plugin's folder, by their place in it. Raises `SetupError` where this package has none."""
    folder = next((place / plugin for place in _PLACES if (place / plugin / "plugin.yaml").is_file()), None)
    if folder is None:
        hint = "install Herma from its wheel, or run it from its checkout"
        raise SetupError(f"this Herma has no folder of {plugin} to put into a home", hint=hint)
    return files_there(folder)


def files_there(folder: Path) -> dict[str, bytes]:
    """All files below a folder but the bytecode that Python keeps; nothing where there is no folder to read."""
    try:
        paths = [path for path in sorted(folder.rglob("*")) if _CACHE not in path.parts and path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    except OSError:
        return {}


def stage_of(folder: Path) -> Path:
    """Where a plugin's folder is made ready: a host takes every folder in its place for plugins for one."""
    return folder.parent.with_name(f".{folder.name}.herma-tmp")


def place(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a folder with these files where nothing is, at once and whole. Raises `StepFailed`."""
    stage = stage_of(folder)
    try:
        shutil.rmtree(stage, ignore_errors=True)  # what a run that was cut off left behind
        stage.mkdir(mode=0o700)
        for name, data in files.items():
            (stage / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            put_new(stage / name, data)
        if os.path.lexists(folder):
            raise StepFailed(f"{folder} appeared meanwhile", hint="run the command again")
        stage.rename(folder)
    except OSError as error:
        raise StepFailed(f"{folder} cannot be made: {error.strerror}", hint="see who may write there") from None


def take_away(folder: Path, digests: Mapping[str, str]) -> list[str]:
    """Take those files out of a folder that are still the ones put there, and the folder if nothing is left in it.

    Returns what was left there, by its place in the folder. Raises `StepFailed`.
    """
    try:
        for name, data in files_there(folder).items():
            if digests.get(name) == digest(data):
                (folder / name).unlink()
        shutil.rmtree(folder / _CACHE, ignore_errors=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StepFailed(f"{folder} cannot be taken away: {error.strerror}", hint="see who may write there") from None
    return sorted(files_there(folder))
