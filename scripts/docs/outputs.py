"""Which files are generated, and from what."""

import json
import re
from pathlib import Path

from herma.core.schema import json_schema
from herma.core.settings import of_system
from herma.hosts.hermes.surface import SURFACES
from scripts.docs import command_line, disclosure, manifests, policy, reference

__all__ = ["outputs"]


def outputs(root: Path) -> dict[str, str]:
    """The text of every generated file, by its path below `root`."""
    made = {
        "docs/reference/settings.md": reference.settings(),
        "docs/reference/reasons.md": reference.reasons(),
        "docs/reference/hooks.md": reference.hooks(),
        "docs/reference/credentials.md": reference.credentials(),
        "docs/reference/policy.md": policy.page(),
        "docs/reference/command-line.md": command_line.page(),
    }
    for surface in SURFACES:
        plugin = surface.plugin
        if of_system(plugin):
            made[f"docs/reference/{plugin}.schema.json"] = json.dumps(json_schema(plugin), indent=2) + "\n"
        made[f"integrations/hermes/{plugin}/plugin.yaml"] = manifests.hermes(surface)
        guide = root / f"docs/guides/{plugin}.md"
        if guide.exists():
            made[f"docs/guides/{plugin}.md"] = _filled(guide, "disclosure", disclosure.section(surface))
    return made


def _filled(page: Path, name: str, part: str) -> str:
    """A page written by hand, with the part between its two `name` comments made anew."""
    start, end = f"<!-- generated: {name} -->", f"<!-- end of {name} -->"
    return re.sub(
        re.escape(start) + ".*?" + re.escape(end),
        lambda _: f"{start}\n{part}\n{end}",
        page.read_text("utf-8"),
        flags=re.DOTALL,
    )
