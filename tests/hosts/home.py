"""A throwaway Hermes home: its configuration, its plugins, and the environment that a host is started with."""

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.hosts.hermes import Hermes
from tests.hosts.wire import MODEL

Config = Mapping[str, Any]

# What a host would do beside the subject of a test: ask the model for titles, reviews and approvals, look for updates,
# show tips, and install optional packages by pip into its own environment (eight seconds a turn when that fails).
QUIET: Config = {
    "approvals": {"mode": "manual"},
    "auxiliary": {"title_generation": {"enabled": False}, "background_review": {"enabled": False}},
    "display": {"tool_progress": "off"},
    "memory": {"nudge_interval": 0},
    "onboarding": {
        "profile_build": "off",
        "seen": {"busy_input_prompt": True, "tool_progress_prompt": True, "profile_build_offered": True},
    },
    "security": {"tirith_enabled": False, "allow_lazy_installs": False},
    "skills": {"creation_nudge_interval": 0},
    "updates": {"check": False},
}

# Settings that only one version knows.
OWN: Mapping[str, Config] = {
    "0.22.2": {
        "plugins": {"auto_update_check_hours": 0},
        # otherwise an interactive chat begins with a question
        "telemetry": {"shared_metrics": {"enabled": False, "send": False, "offer_version": 2}},
        # otherwise plugin tools hide behind a search tool
        "tools": {"tool_search": {"enabled": "off"}},
    },
}

# A host is given this much of our own environment and nothing else: no keys, no proxies, no HERMES_*.
KEPT = ("LANG", "LC_ALL", "TMPDIR", "TZ")
# Port 9 answers nobody: whatever would leave the machine fails at once instead of waiting for a name server.
NOWHERE = "http://127.0.0.1:9"
OFFLINE = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost"}
CALM = {"HERMES_ACCEPT_HOOKS": "1", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUNBUFFERED": "1"}


def merged(base: Config, over: Config) -> dict[str, Any]:
    """`over` laid on `base`: mappings key by key, everything else replaced."""
    both = dict(base)
    for key, value in over.items():
        below = both.get(key)
        both[key] = merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return both


def plugin_name(folder: Path) -> str:
    """The name that a plugin's manifest gives, which is the name it is enabled by."""
    found = re.search(r"^name:\s*(\S+)", (folder / "plugin.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{folder}/plugin.yaml has no name")
    return found.group(1)


class Home:
    """A folder with `hermes` (the host's home) and `user` (what the host takes for the user's home)."""

    def __init__(self, folder: Path, hermes: Hermes, *, model_url: str) -> None:
        self.folder = folder
        self.hermes = hermes
        self._config = merged(QUIET, OWN.get(hermes.version, {}))
        self.configure({"model": _model(model_url)})

    @property
    def path(self) -> Path:
        """HERMES_HOME."""
        return self.folder / "hermes"

    @property
    def user(self) -> Path:
        """HOME."""
        return self.folder / "user"

    @property
    def config(self) -> Config:
        """What this object wrote last; a host may have rewritten the file since."""
        return self._config

    def configure(self, over: Config) -> Self:
        """Lays `over` on the configuration and writes all of it (JSON, which is YAML)."""
        self._config = merged(self._config, over)
        self.path.mkdir(parents=True, exist_ok=True)
        self.user.mkdir(exist_ok=True)
        text = json.dumps(self._config, ensure_ascii=False, indent=1)
        (self.path / "config.yaml").write_text(text, encoding="utf-8")
        return self

    def enable(self, *names: str) -> Self:
        """Adds names to `plugins.enabled`, behind those that are there."""
        enabled = list(self._config.get("plugins", {}).get("enabled", ()))
        enabled += [name for name in names if name not in enabled]
        return self.configure({"plugins": {"enabled": enabled}})

    def add_plugin(self, folder: Path, *, enabled: bool = True) -> Self:
        """Copies a plugin's folder into the home and, unless told otherwise, enables it."""
        target = self.path / "plugins" / folder.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__"))
        # 0.22 offers the model the plugin tools that its last launch knew, while it still looks for plugins.
        (self.path / "cache" / "plugin_toolset_keys.json").unlink(missing_ok=True)
        return self.enable(plugin_name(folder)) if enabled else self

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a host in this home, `extra` last."""
        programs = (str(self.hermes.python.parent), "/usr/local/bin", "/usr/bin", "/bin")
        places = {"HERMES_HOME": str(self.path), "HOME": str(self.user), "PATH": os.pathsep.join(programs)}
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        return {**kept, **OFFLINE, **CALM, **places, **(extra or {})}

    @property
    def log(self) -> Path:
        """The host's own log."""
        return self.path / "logs" / "agent.log"


def _model(url: str) -> Config:
    return {
        "default": MODEL,
        "provider": "custom",
        "base_url": url,
        "api_key": "loopback",
        "context_length": 200_000,  # otherwise the host asks the network how long the model's context is
    }
