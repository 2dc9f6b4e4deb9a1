"""The packages that OpenCode fetches into its configuration folder before a start with a plugin goes on.

Without a network that start waits for more than a minute. Nothing of ours needs them, so a folder in which nothing
else does is marked as having them.
"""

import json
from pathlib import Path

from herma.install.machine import exists

__all__ = ["DEPENDENCY", "is_settled", "marks", "needs_them"]

DEPENDENCY = "@opencode-ai/plugin"
_LOCK = "package-lock.json"
_OWN = ("package.json", _LOCK, "node_modules", "bun.lock", "bun.lockb")
# What a person keeps here is code that may import them.
_CODE = ("plugin", "plugins", "tool", "tools")


def is_settled(config: Path) -> bool:
    """Whether OpenCode takes them for installed."""
    try:
        lock = json.loads((config / _LOCK).read_text(encoding="utf-8"))
        listed = lock["packages"][""]["dependencies"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return DEPENDENCY in listed and exists(config / "node_modules")


def needs_them(config: Path) -> bool:
    """Whether something in the folder may need them for true, or has begun to install them."""
    return any(exists(config / name) for name in (*_OWN, *_CODE))


def marks(config: Path, version: str) -> dict[Path, str]:
    """The files, with their texts, by which the folder is taken for having them in that version."""
    wants = {DEPENDENCY: version}
    lock = {
        "name": "opencode",
        "lockfileVersion": 3,
        "requires": True,
        "packages": {"": {"name": "opencode", "dependencies": wants}},
    }
    return {
        config / "package.json": json.dumps({"dependencies": wants}, indent=2) + "\n",
        config / _LOCK: json.dumps(lock, indent=2) + "\n",
        config / "node_modules" / ".herma": "Made by herma setup, so that OpenCode does not wait for a network.\n",
    }
