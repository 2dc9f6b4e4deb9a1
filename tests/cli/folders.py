"""What is in the folders of a machine under test."""

from pathlib import Path


def tree(*folders: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with its mode and content, but the bytecode that Python keeps."""
    return {
        str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


def receipts(machine: Path) -> Path:
    """Where the receipts are of the person whose home folder this is."""
    return machine / ".local" / "state" / "herma" / "receipts"
