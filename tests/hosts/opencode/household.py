"""A throwaway person of OpenCode: home, configuration, project, and the environment that the host is started with."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.hosts.home import KEPT, OFFLINE, merged
from tests.hosts.opencode.program import SHIM, VERSION, OpenCode
from tests.hosts.wire import MODEL

PROVIDER = "scripted"
CALM = {
    f"OPENCODE_DISABLE_{what}": "1"
    for what in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE", "CLAUDE_CODE")
}


class Household:
    """Everything below one folder. The plugin is in the configuration unless `plugins` says otherwise."""

    def __init__(
        self,
        folder: Path,
        opencode: OpenCode,
        *,
        model_url: str,
        plugins: Sequence[object] | None = None,
        primed: bool = True,
    ) -> None:
        self.folder = folder
        self.opencode = opencode
        self.python = sys.executable
        for name in ("home", "data", "state", "cache", "project"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._config: dict[str, Any] = _quiet(model_url)
        self.configure({"plugin": [SHIM.as_uri()] if plugins is None else list(plugins)})
        if primed:
            self._prime()

    @property
    def config_folder(self) -> Path:
        """Where OpenCode looks for its configuration."""
        return self.folder / "config" / "opencode"

    @property
    def project(self) -> Path:
        """The folder that the host works in."""
        return self.folder / "project"

    @property
    def memories(self) -> Path:
        """Where MEMORY.md and USER.md lie."""
        return self.config_folder / "memories"

    @property
    def log(self) -> Path:
        """The log of opencode-hermes."""
        return self.folder / "data" / "opencode" / "log" / "opencode-hermes.log"

    def configure(self, over: Mapping[str, Any]) -> None:
        """Lay `over` on the host's configuration and write it."""
        self._config = merged(self._config, over)
        self.config_folder.mkdir(parents=True, exist_ok=True)
        (self.config_folder / "opencode.json").write_text(json.dumps(self._config, indent=1), encoding="utf-8")

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a host here, `extra` last; an empty text takes a variable out."""
        places = {
            "HOME": str(self.folder / "home"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HERMA_COMMAND": self.python,
            **{f"XDG_{name.upper()}_HOME": str(self.folder / name) for name in ("config", "data", "state", "cache")},
        }
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        every = {**kept, **OFFLINE, **CALM, "NO_COLOR": "1", **places, **(extra or {})}
        return {name: value for name, value in every.items() if value}

    def _prime(self) -> None:
        # Otherwise a start with a plugin waits a minute for packages that no network brings.
        wants = {"@opencode-ai/plugin": VERSION}
        (self.config_folder / "node_modules").mkdir(exist_ok=True)
        lock = {"name": "config", "lockfileVersion": 3, "packages": {"": {"dependencies": wants}}}
        for name, content in (("package.json", {"dependencies": wants}), ("package-lock.json", lock)):
            (self.config_folder / name).write_text(json.dumps(content), encoding="utf-8")


def _quiet(url: str) -> dict[str, Any]:
    model = {"name": MODEL, "tool_call": True, "limit": {"context": 128_000, "output": 4_096}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": PROVIDER,
        "options": {"baseURL": url, "apiKey": "loopback"},
        "models": {MODEL: model},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "model": f"{PROVIDER}/{MODEL}",
        "small_model": f"{PROVIDER}/{MODEL}",
        "enabled_providers": [PROVIDER],
        "provider": {PROVIDER: provider},
    }
