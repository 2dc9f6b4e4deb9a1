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
    """All that a plugin registers and touches. Empty means: nothing of that kind.

    `needs` is the plugin without which this one does nothing, in the same home.
    """

    plugin: str
    module: str
    summary: str
    hooks: tuple[Hook, ...]
    middleware: tuple[Hook, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    transports: tuple[str, ...] = ()
    shell_commands: tuple[str, ...] = ()
    files: str = "none"
    processes: str = "none"
    network: str = "none"
    internals: tuple[str, ...] = ()
    needs: str = ""


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
    Surface(
        plugin="manyhands",
        module="herma.hosts.hermes.manyhands",
        summary="Identity, roles, approvals, memory and an audit trail for every person who talks to one bot.",
        hooks=(
            Hook("pre_gateway_dispatch", "judges a message before any turn: who is let in, codes, commands"),
            Hook("pre_llm_call", "finds whose turn it is, and adds that person's card and facts to it"),
            Hook("pre_tool_call", "lets a tool run, asks an owner, or refuses"),
            Hook("post_tool_call", "gives an approval back where something else stopped the call; notes a job's maker"),
            Hook("post_api_request", "counts tokens for whoever owns the turn"),
            Hook("pre_approval_request", "learns who a request of the host's own is for"),
            Hook("subagent_start", "lets a subagent act for whoever's turn it was begun in"),
            Hook("on_session_reset", "ends what was approved in the conversation"),
            Hook("on_session_finalize", "ends what was approved in the conversation"),
            Hook("transform_tool_result", "lists only tools that the person may call (`tool_search`, `tool_describe`)"),
            Hook("transform_llm_output", "keeps files that a reply names from being attached, for all but an owner"),
        ),
        middleware=(
            Hook(
                "llm_execution",
                "takes the operator's notes, other people's cards and what tools told others of themselves out of the "
                "request, puts the person's own card in, or answers in the model's place",
            ),
            Hook("tool_execution", "tells a tool's handler whose call it is; what was refused stays refused"),
        ),
        tools=(
            "manyhands_whoami",
            "manyhands_people",
            "manyhands_remember",
            "manyhands_recall",
            "manyhands_share",
            "manyhands_audit",
        ),
        commands=("many",),
        transports=("manyhands",),
        shell_commands=("manyhands",),
        files=(
            "one SQLite database at `db_path`, by default below `plugin-data/manyhands` in the home, mode 0600; reads "
            "no other file, and looks at the metadata of paths that tool calls name"
        ),
        processes="none; `hermes manyhands` becomes `herma people`",
        network="none of its own; prompts and replies go out through the gateway's adapters",
        internals=(
            "`hermes_cli.config.load_config_readonly` and `hermes_constants.get_hermes_home` for settings and home",
            "`gateway.session_context` for the chat of a turn, never for its sender",
            "the gateway's `adapters` and `_session_key_for_source`, to answer in a chat and to write to one person",
            "`_enqueue_fifo` and `_is_user_authorized` of it, to give words in a busy room a turn of their own",
            "`_busy_session_handler`, `_message_handler`, `_session_tasks` of adapters: ours stand before the host's",
            "`_pairing_store_for` and `PairingStore._approve_user`, to let in who redeemed a code and to revoke it",
            "`slash_confirm.get_pending` and `has_blocking_approval`, to know that the host waits for an answer",
            "`tools.registry` for the names of tools that `/many tools` and `/many why` take",
            "`tools.file_tools` for the folder that a relative path starts from",
        ),
    ),
    Surface(
        plugin="recall",
        module="herma.hosts.hermes.recall",
        summary="Each person finds their own past conversations with the bot, word for word, and nobody else's.",
        hooks=(),
        tools=("recall_search",),
        files=(
            "reads `state.db` of the home, without a write beside it; keeps an index of what was said there, without "
            "secrets, below `herma/recall` in the user's folder for data (`XDG_DATA_HOME`, `~/.local/share`), mode 0600"
        ),
        internals=(
            "`hermes_constants.get_hermes_home` for the home that `state.db` lies in",
            "`gateway.session_context` for the chat of a turn, never for its sender",
            "the tables `sessions` and `messages` of `state.db`, read only",
        ),
        needs="manyhands",
    ),
)
