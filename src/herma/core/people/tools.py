"""The closed table of tools: every tool of every tested host, and what a guest and a member may do with it unasked.

What stands in no list is refused: a tool of another plugin, of an MCP server, or of next year's host.
"""

from typing import NamedTuple

__all__ = [
    "ASKED_OF_MEMBERS",
    "BRIDGES",
    "CALLER",
    "DEFAULTS",
    "EVERYBODY",
    "FAMILIES",
    "MANYHANDS",
    "PERSONAL",
    "RECALL",
    "TOOLS",
    "Family",
    "Tool",
    "known_names",
    "names_of",
    "one_name",
]

_OLD, _NEW = "0.19.0", "0.22.2"
_BOTH = (_OLD, _NEW)


class Tool(NamedTuple):
    """One tool: all its names, the rules' own first, the host versions that know it, and the two defaults."""

    names: tuple[str, ...]
    family: str
    versions: tuple[str, ...]
    guest: str
    member: str

    @property
    def name(self) -> str:
        """The name that rules, digests and pages use."""
        return self.names[0]


class Family(NamedTuple):
    """Tools that reach the same thing: those of both versions, and those that only one of them has."""

    name: str
    reaches: str
    both: tuple[str, ...]
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()


MANYHANDS = (
    "manyhands_whoami",
    "manyhands_people",
    "manyhands_remember",
    "manyhands_recall",
    "manyhands_share",
    "manyhands_audit",
)
# Each person's own past conversations; `session_search` of the host finds everybody's.
RECALL = ("recall_search",)
# A host that hides tools behind these three unwraps `tool_call` before it asks anybody, so the tool inside is judged by
# its own name, and each call of a batch by itself. What the other two list is cut to what the person may call.
CALLER = "tool_call"
BRIDGES = ("tool_search", "tool_describe", CALLER)
EVERYBODY = (*BRIDGES, "manyhands_whoami")
ASKED_OF_MEMBERS = ("terminal", "process", "write_file", "patch")

# What the two roles that can be changed have before anybody changes them, by effect.
DEFAULTS: dict[str, dict[str, tuple[str, ...]]] = {
    "guest": {"allow": (*EVERYBODY, "web_search"), "ask": ()},
    "member": {"allow": (*BRIDGES, "web_search", *MANYHANDS, *RECALL), "ask": ASKED_OF_MEMBERS},
}

# A newer name of a tool, or an older one that the newer host still obeys, and the name that rules use.
_RENAMED = {
    "process_manage": "process",
    "cronjob_manage": "cronjob",
    "todo_list": "todo",
    "tour": "gui_tour",
    "tip": "show_tip",
}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FAMILIES: tuple[Family, ...] = (
    Family("manyhands", "who is speaking, and what is remembered of them", MANYHANDS),
    Family("recall", "what was said in this person's own past conversations", RECALL),
    Family("tool search", "the names and the arguments of other tools", BRIDGES),
    Family("web", "pages of the web", _words("web_search web_extract x_search")),
    Family("terminal", "every file and program of the operator's account", _words("terminal process")),
    Family("files", "files of the operator's account", _words("read_file write_file patch search_files")),
    Family("code", "Python with other tools in it, out of sight", _words("execute_code")),
    Family("delegation", "further agents", _words("delegate_task"), only_new=_words("message_agent")),
    Family("schedule", "turns that nobody is present at", _words("cronjob")),
    Family("memory", "the operator's own notes and conversations", _words("memory session_search")),
    Family("skills", "what the agent knows how to do, for everybody", _words("skills_list skill_view skill_manage")),
    Family("conversation", "this conversation", _words("clarify todo"), only_new=_words("react_to_message")),
    Family(
        "media",
        "pictures, films and speech; some read files",
        _words(
            "vision_analyze video_analyze image_generate video_generate xai_video_edit xai_video_extend text_to_speech"
        ),
    ),
    Family(
        "browser",
        "pages with the operator's logins",
        _words(
            "browser_back browser_cdp browser_click browser_console browser_dialog browser_get_images browser_navigate"
            " browser_press browser_scroll browser_snapshot browser_type browser_vision"
        ),
        only_new=_words("browser_exec browser_vault"),
    ),
    Family(
        "desktop",
        "the operator's screen",
        _words("computer_use read_terminal close_terminal"),
        only_old=_words("project_create project_list project_switch"),
        only_new=_words(
            "annotate_preview desktop_preview desktop_project drive_preview focus_pane gui_tour read_window_below"
            " set_theme show_tip"
        ),
    ),
    Family(
        "setup",
        "what is installed and connected",
        (),
        only_new=_words("manage_catalog manage_connections setup_beat setup_mcp"),
    ),
    Family(
        "kanban",
        "the board of tasks; attachments read files",
        _words(
            "kanban_attach kanban_attach_url kanban_attachments kanban_block kanban_comment kanban_complete"
            " kanban_create kanban_heartbeat kanban_link kanban_list kanban_show kanban_unblock"
        ),
        only_new=_words("kanban_request_changes kanban_request_review kanban_schedule"),
    ),
    Family(
        "chat platforms",
        "other chats, with the bot's own rights",
        _words(
            "discord discord_admin feishu_doc_read feishu_drive_add_comment feishu_drive_list_comment_replies"
            " feishu_drive_list_comments feishu_drive_reply_comment yb_query_group_info yb_query_group_members"
            " yb_search_sticker yb_send_dm yb_send_sticker"
        ),
    ),
    Family(
        "house and music",
        "devices of the house",
        (),
        only_old=_words(
            "ha_call_service ha_get_state ha_list_entities ha_list_services spotify_albums spotify_devices"
            " spotify_library spotify_playback spotify_playlists spotify_queue spotify_search"
        ),
        only_new=_words("mqtt_device_command mqtt_publish mqtt_subscribe_recent"),
    ),
    Family(
        "meetings and agents",
        "calls and other people's agents; plugins that come with the host",
        _words("meet_join meet_leave meet_say meet_status meet_transcript"),
        only_new=_words("a2a_call a2a_discover a2a_history a2a_list a2a_orchestrate"),
    ),
    Family(
        "memory providers",
        "the operator's memory at a provider",
        _words(
            "brv_curate brv_query brv_status retaindb_context retaindb_delete_file retaindb_forget"
            " retaindb_ingest_file retaindb_list_files retaindb_profile retaindb_read_file retaindb_remember"
            " retaindb_search retaindb_upload_file"
        ),
        only_old=_words(
            "fact_feedback fact_store hindsight_recall hindsight_reflect hindsight_retain honcho_conclude"
            " honcho_context honcho_profile honcho_reasoning honcho_search mem0_add mem0_delete mem0_search mem0_update"
            " supermemory-forget supermemory-profile supermemory-save supermemory-search supermemory_forget"
            " supermemory_profile supermemory_search supermemory_store viking_add_resource viking_browse viking_forget"
            " viking_read viking_remember viking_search"
        ),
    ),
)


# What these say is for one person: of their facts and their past, or of the operator's.
PERSONAL = frozenset(
    name
    for family in FAMILIES
    if family.name in ("manyhands", "recall", "memory", "memory providers")
    for name in (*family.both, *family.only_old, *family.only_new)
)


def one_name(tool: str) -> str:
    """The name by which rules know a tool: hosts have renamed some, and obey the old name too."""
    return _RENAMED.get(tool, tool)


_OTHERS: dict[str, tuple[str, ...]] = {
    one: (one, *(other for other, known in _RENAMED.items() if known == one)) for one in _RENAMED.values()
}


def names_of(tool: str) -> tuple[str, ...]:
    """All names of the tool that is called `tool`, the rules' own first."""
    one = _RENAMED.get(tool, tool)
    return _OTHERS.get(one) or (one,)


def _default(role: str, name: str) -> str:
    return next((effect for effect, tools in DEFAULTS[role].items() if name in tools), "never")


TOOLS: tuple[Tool, ...] = tuple(
    Tool(names_of(name), family.name, versions, _default("guest", name), _default("member", name))
    for family in FAMILIES
    for versions, names in ((_BOTH, family.both), ((_OLD,), family.only_old), ((_NEW,), family.only_new))
    for name in names
)


def known_names() -> frozenset[str]:
    """Every name of every tool in the table."""
    return frozenset(name for tool in TOOLS for name in tool.names)
