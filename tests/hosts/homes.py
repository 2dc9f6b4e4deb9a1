"""Homes made from a template: one real turn a version, so that a scenario does not pay for a first start."""

import shutil
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from tests.hosts.hermes import Hermes
from tests.hosts.home import Config, Home
from tests.hosts.model import ScriptedModel, say
from tests.hosts.turn import run_turn


class Homes:
    """Makes homes below one folder. The template of a version is made at its first use and then copied.

    A copy is a home that was used once: skills and bytecode are in place, first-contact notices are behind it, and its
    session store holds the template's one short session.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._templates: dict[Hermes, Path] = {}
        self._numbers = count(1)

    def make(
        self,
        hermes: Hermes,
        model: ScriptedModel,
        *,
        config: Config | None = None,
        plugins: Iterable[Path] = (),
        enabled: Iterable[str] = (),
    ) -> Home:
        """A home whose host talks to `model`, with directory plugins copied in and names of installed ones enabled."""
        folder = self._root / f"home-{next(self._numbers)}"
        shutil.copytree(self._template(hermes), folder, symlinks=True)
        home = Home(folder, hermes, model_url=model.url)
        for plugin in plugins:
            home.add_plugin(plugin)
        return home.enable(*enabled).configure(config or {})

    def _template(self, hermes: Hermes) -> Path:
        if hermes not in self._templates:
            self._templates[hermes] = self._used_once(hermes, self._root / f"template-{hermes.version}")
        return self._templates[hermes]

    def _used_once(self, hermes: Hermes, folder: Path) -> Path:
        with ScriptedModel() as model:
            model.replies(say("ready"))
            home = Home(folder, hermes, model_url=model.url)
            run_turn(hermes, home, "ready?", cwd=home.user, timeout=300)
        return folder
