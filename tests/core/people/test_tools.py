from herma.core.people.tools import (
    ASKED_OF_MEMBERS,
    BRIDGES,
    FAMILIES,
    MANYHANDS,
    RECALL,
    TOOLS,
    known_names,
    names_of,
    one_name,
)

BY_NAME = {tool.name: tool for tool in TOOLS}


def _with(role: str, effect: str) -> set[str]:
    return {tool.name for tool in TOOLS if getattr(tool, role) == effect}


def test_a_guest_has_the_web_search_and_whoami_and_never_asks() -> None:
    assert _with("guest", "allow") - set(BRIDGES) == {"web_search", "manyhands_whoami"}
    assert _with("guest", "ask") == set()


def test_a_member_has_the_web_search_the_six_tools_and_their_own_past_and_asks_for_four() -> None:
    assert _with("member", "allow") - set(BRIDGES) == {
        "web_search",
        "manyhands_whoami",
        "manyhands_people",
        "manyhands_remember",
        "manyhands_recall",
        "manyhands_share",
        "manyhands_audit",
        "recall_search",
    }
    assert _with("member", "ask") == {"terminal", "process", "write_file", "patch"}


def test_everything_else_is_refused_to_both() -> None:
    listed = {*BRIDGES, *MANYHANDS, *RECALL, *ASKED_OF_MEMBERS, "web_search"}
    rest = [tool for tool in TOOLS if tool.name not in listed]
    assert len(rest) > 100
    assert {(tool.guest, tool.member) for tool in rest} == {("never", "never")}
    assert {"read_file", "search_files", "session_search", "execute_code", "delegate_task", "memory"} <= {
        tool.name for tool in rest
    }


def test_a_tool_that_a_newer_host_has_renamed_is_one_tool_with_both_names() -> None:
    assert names_of("process_manage") == names_of("process") == ("process", "process_manage")
    assert one_name("cronjob_manage") == "cronjob"
    assert one_name("web_search") == "web_search"
    assert names_of("recall_search") == ("recall_search",)
    assert BY_NAME["process"].member == "ask"


def test_every_tool_stands_once_and_under_a_version_that_has_it() -> None:
    names = [name for tool in TOOLS for name in tool.names]
    assert len(names) == len(set(names))
    assert known_names() == set(names)
    assert {tool.versions for tool in TOOLS} == {("0.19.0", "0.22.2"), ("0.19.0",), ("0.22.2",)}
    assert {tool.family for tool in TOOLS} == {family.name for family in FAMILIES}
