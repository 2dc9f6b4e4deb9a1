"""The wheel of this very Herma: the one that the person names, or one packed from the files that are running.

Nothing is fetched, so that no other package of the same name can get into a host.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

import herma
from herma import __version__
from herma.errors import SetupError
from herma.hosts.hermes.surface import SURFACES
from herma.install.opencode import shim
from herma.install.trees import files_of, files_there

__all__ = ["NAME", "checked", "pack", "packable"]

NAME = f"herma-{__version__}-py3-none-any.whl"

_ABOUT = f"herma-{__version__}.dist-info"
_PURE = "Wheel-Version: 1.0\nGenerator: herma\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_NAME_IT = f"build a wheel of herma {__version__} and name it with --from"


def checked(wheel: Path) -> Path:
    """The wheel that a person named, if it is of this version. Raises `SetupError`."""
    try:
        with ZipFile(wheel) as archive:
            (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            fields = HeaderParser().parsestr(archive.read(about).decode("utf-8"))
    except FileNotFoundError:
        raise SetupError(f"there is no {wheel}", hint=_NAME_IT) from None
    except (OSError, BadZipFile, ValueError):
        raise SetupError(f"{wheel} is not a wheel", hint=_NAME_IT) from None
    if (fields["Name"], fields["Version"]) != ("herma", __version__):
        said = f"{fields['Name']} {fields['Version']}"
        raise SetupError(f"{wheel} is of {said}, and this is herma {__version__}", hint=_NAME_IT)
    return wheel.absolute()


def packable() -> bool:
    """Whether this Herma knows enough about itself to be packed; one that runs unpacked from a folder does not."""
    return _described() is not None


def pack(folder: Path) -> Path:
    """Write the wheel of the running Herma into `folder`. The same files make the same wheel. Raises `SetupError`."""
    described = _described()
    if described is None:
        raise SetupError(f"this Herma cannot be packed: it is not installed as {__version__}", hint=_NAME_IT)
    wheel = folder / NAME
    record = []
    with ZipFile(wheel, "w") as archive:
        for name, data in _contents(described):
            archive.writestr(ZipInfo(name), data)
            hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={hashed},{len(data)}\n")
        archive.writestr(ZipInfo(f"{_ABOUT}/RECORD"), "".join([*record, f"{_ABOUT}/RECORD,,\n"]))
    return wheel


def _described() -> str | None:
    """What the installed package says about itself, if it is this one."""
    try:
        found = metadata.distribution("herma")
    except metadata.PackageNotFoundError:
        return None
    return found.read_text("METADATA") if found.version == __version__ else None


def _contents(described: str) -> Iterator[tuple[str, bytes]]:
    package = Path(herma.__file__).parent
    trees = {
        f"herma/install/trees/hermes/{surface.plugin}/{name}": data
        for surface in SURFACES
        for name, data in files_of(surface.plugin).items()
    }
    trees |= {f"herma/install/trees/opencode/{name}": data for name, data in files_there(shim.folder()).items()}
    own = {
        f"herma/{path.relative_to(package).as_posix()}": path.read_bytes()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = {"METADATA": described, "WHEEL": _PURE, "entry_points.txt": _entry_points(), "licenses/LICENSE": _licence()}
    for name, data in sorted({**own, **trees}.items()):
        yield name, data
    for name, text in about.items():
        if text:
            yield f"{_ABOUT}/{name}", text.encode()


def _entry_points() -> str:
    plugins = sorted(f"{surface.plugin} = {surface.module}" for surface in SURFACES)
    groups: Mapping[str, list[str]] = {
        "console_scripts": ["herma = herma.cli.main:main"],
        "hermes_agent.plugins": plugins,
    }
    return "\n".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in groups.items())


def _licence() -> str | None:
    return metadata.distribution("herma").read_text("licenses/LICENSE")
