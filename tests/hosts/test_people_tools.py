"""The table of tools knows every tool that the real hosts have, under each of its names and no others."""

import json

from herma.core.people.tools import TOOLS, known_names, one_name
from herma.hosts.hermes.surface import SURFACES
from tests.hosts.command import run_python
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel

# Asked inside the host: its registry, the tools that its agent answers itself, those of the plugins and the memory
# providers that come with it, and the older names that it obeys.
ASK = """
import glob, json, os, re
import model_tools
from tools.registry import registry
from plugins.memory import discover_memory_providers, load_memory_provider

names = set(registry.get_all_tool_names()) | set(model_tools._AGENT_LOOP_TOOLS)
try:
    from agent import inline_tool_executors
    names |= set(inline_tool_executors._RAW_INLINE_TOOL_EXECUTORS)
except ImportError:
    pass
from tools import tool_search
names |= set(tool_search.BRIDGE_TOOL_NAMES)
for row in discover_memory_providers():
    provider = load_memory_provider(row[0])
    names |= {schema["name"] for schema in provider.get_tool_schemas()} if provider else set()
import plugins
for folder in plugins.__path__:
    for manifest in glob.glob(os.path.join(folder, "**", "plugin.yaml"), recursive=True):
        with open(manifest, encoding="utf-8") as file:
            listed = re.search(r"^provides_tools:\\n((?: *- .+\\n)*)", file.read(), re.MULTILINE)
        names |= set(re.findall(r"- ([\\w-]+)", listed[1])) if listed else set()
print(json.dumps([sorted(names), getattr(model_tools, "_LEGACY_TOOL_ALIASES", {})]))
"""


def _asked(hermes: Hermes, homes: Homes, model: ScriptedModel) -> tuple[set[str], dict[str, str]]:
    printed = run_python(hermes, homes.make(hermes, model), ("-c", ASK)).stdout
    names, aliases = json.loads(printed.splitlines()[-1])
    return set(names), aliases


def test_the_table_has_every_tool_of_the_host_under_its_version_and_no_tool_that_the_host_lacks(
    hermes: Hermes, homes: Homes, model: ScriptedModel
) -> None:
    names, aliases = _asked(hermes, homes, model)
    assert names - known_names() == set()
    ours = {name for surface in SURFACES for name in surface.tools}
    listed = {tool.name for tool in TOOLS if hermes.version in tool.versions} - ours
    assert {one_name(name) for name in names} == listed
    assert {old: one_name(old) for old in aliases} == {old: one_name(new) for old, new in aliases.items()}
