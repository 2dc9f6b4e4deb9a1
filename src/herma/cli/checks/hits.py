"""Whether read-once may answer at all, or only watches."""

from collections.abc import Iterator
from pathlib import Path

from herma.cli.report import Check, Status
from herma.install.facts import Facts
from herma.install.machine import is_folder
from herma.install.systems import HITS, ROOT, System

__all__ = ["hits"]


def hits(facts: Facts, system: System) -> Iterator[Check]:
    """That a system with these variables has what it needs for an answer. To watch only is no mistake."""
    if HITS not in system.variables:
        return
    root = facts.variables.get(ROOT, "")
    if facts.variables.get(HITS) != "1":
        hint = "for notes, `herma setup --hits --read-once-root FOLDER` writes both variables"
        yield Check("hits", Status.PASS, f"it watches and counts, and answers nothing: {HITS} is not 1", hint)
    elif not root:
        hint = f"write {ROOT}=FOLDER into {facts.home / '.env'}"
        yield Check("hits", Status.WARN, f"{HITS} is 1 and {ROOT} is not set, so no file is eligible", hint)
    elif not Path(root).is_absolute() or not is_folder(Path(root)):
        yield Check("hits", Status.WARN, f"{ROOT} is {root}, which is no folder", "name a folder by its whole path")
    else:
        yield Check("hits", Status.PASS, f"repeated reads below {root} may be answered with a note")
