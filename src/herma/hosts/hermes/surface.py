"""What each plugin registers with Hermes and touches, as one table.

The manifests, the disclosures in the docs and the checks of both come from here. A hook's name stands
beside the versions of Hermes that know it: `hermes plugins doctor` of 0.22 fails on one it does not know.
"""

from typing import NamedTuple

__all__ = ["SURFACES", "TESTED_VERSIONS", "Hook", "Surface"]

TESTED_VERSIONS = ("0.19.0", "0.22.2")


class Hook(NamedTuple):
    """A hook or middleware kind that a plugin registers, and what it does there."""

    name: str
    does: str
    versions: tuple[str, ...] = TESTED_VERSIONS


class Surface(NamedTuple):
    """All that a plugin registers and touches. Empty means: nothing of that kind."""

    plugin: str
    module: str
    summary: str
    hooks: tuple[Hook, ...]
    middleware: tuple[Hook, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    files: str = "none"
    processes: str = "none"
    network: str = "none"
    internals: tuple[str, ...] = ()


SURFACES: tuple[Surface, ...] = (
    Surface(
        plugin="read-summarizer",
        module="herma.hosts.hermes.read_summarizer",
        summary="Huge read results become their first and last lines with a marker that says how to get the rest.",
        hooks=(
            Hook(
                "transform_tool_result",
                "replaces the result of a huge read before the model sees it; every other result stands",
            ),
        ),
        files="opens and writes none itself; the end of a file is read by the host's own `read_file`",
        internals=(
            "`hermes_cli.config.load_config_readonly` for the settings",
            "`hermes_constants.get_hermes_home` for the home they belong to",
            "`tools.registry.registry.get_schema` for a tool's default limit",
            "`ctx.dispatch_tool` for the last lines of a file whose first page the host has just let through",
            "`reset_file_dedup` and `notify_other_tool_call` of the file tools, where the host would call a page "
            "unchanged that was shortened",
        ),
    ),
)
