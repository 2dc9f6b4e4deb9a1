"""What each plugin registers with Hermes and touches, as one table.

The manifests, the disclosures in the docs and the checks of both come from here. A hook's name stands
beside the versions of Hermes that know it: `hermes plugins doctor` of 0.22 fails on one it does not know.
"""

from typing import NamedTuple

__all__ = ["ONLY_ON", "SURFACES", "TESTED_VERSIONS", "Hook", "Surface"]

TESTED_VERSIONS = ("0.19.0", "0.22.2")


# Reasons that only some versions can give: 0.22 takes limit=10000 for its default page, and shows its terminal policy.
ONLY_ON = {
    ("read-summarizer", "sent_whole"): ("0.22.2",),
    ("read-once", "terminal_policy_refused"): ("0.22.2",),
}


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
            "`reset_file_dedup`, `notify_other_tool_call` of the file tools, where a page was seen in part",
            "`tools.file_state`, where it notes that a file was shown in part",
        ),
    ),
    Surface(
        plugin="read-once",
        module="herma.hosts.hermes.read_once",
        summary="A repeated read whose earlier result is still in the request is answered with a short note.",
        hooks=(
            Hook("pre_tool_call", "only watches that the gate of a `read_file` runs; answers nothing"),
            Hook("post_tool_call", "counts"),
            Hook("pre_llm_call", "only watches which sessions have a parent"),
            Hook("subagent_start", "only watches which sessions are a subagent's"),
            Hook("on_session_end", "counts turns"),
            Hook("on_session_reset", "forgets the sessions it names"),
            Hook("on_session_finalize", "forgets the session it names, or all"),
            Hook("post_compaction", "forgets the session it names, or all", versions=()),
            Hook("on_session_delete", "forgets the sessions it names, or all", versions=()),
        ),
        middleware=(
            Hook("llm_execution", "looks for earlier results in the request; neither request nor response is changed"),
            Hook("tool_execution", "answers a repeated `read_file` with the note; every other result stands"),
        ),
        commands=("read-once",),
        files=(
            "reads and hashes regular files of at most 1 MiB below READ_ONCE_ROOT, none with the name of a credential; "
            "writes none, and keeps lengths and digests in memory only"
        ),
        internals=(
            "`hermes_constants.get_hermes_home` for the home that the state belongs to",
            "`tools.registry.registry.get_schema` for the default limit of `read_file`",
            "`reset_file_dedup`, `notify_other_tool_call` of the file tools, where an “unchanged” is not proved",
            "the ContextVar `hermes_terminal_scope`, by name, for the terminal's backend (from 0.22 on)",
            "`hermes_cli.plugins.VALID_HOOKS` for the hooks that the host knows",
            "whether `gateway.run` is loaded, for a path in an answer must not be taken for a file to deliver",
            "`_middleware` of `hermes_cli.plugins.get_plugin_manager()` for what stands behind our middleware",
        ),
    ),
)
