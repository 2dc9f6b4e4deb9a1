"""What each role's calls come to in a real gateway, and why."""

import json

from tests.hosts.hermes import Hermes
from tests.hosts.model import call, calls
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, House


def test_each_role_runs_what_its_table_says(household: House) -> None:
    note = household.folder / "role.txt"
    note.write_text("for the owner\n", encoding="utf-8")
    [owner] = household.results(OLGA, "role-owner", call("read_file", path=str(note)))
    [member] = household.results(ANNA, "role-member", call("read_file", path=str(note)))
    [guest] = household.results(GUS, "role-guest", call("read_file", path=str(note)))
    assert "for the owner" in owner
    assert "member" in json.loads(member)["error"]
    assert "guest" in json.loads(guest)["error"]
    assert household.trail(ANNA, kind="refusal", tool="read_file")[-1]["allowed"] == 0
    assert household.trail(OLGA, kind="tool", tool="read_file")[-1]["allowed"] == 1


def test_a_tool_that_nobody_named_is_refused(household: House) -> None:
    [refused] = household.results(ANNA, "unnamed", call("session_search", query="anything"))
    assert '"error"' in refused


def test_the_operators_memory_and_skills_are_written_by_nobody_else(household: House) -> None:
    results = household.results(
        ANNA,
        "writes-memory",
        call("memory", target="memory", action="add", content="anna was here"),
        call("memory", target="user", action="add", content="anna was here"),
        call("skill_manage", action="create", name="anna", content="---\nname: anna\ndescription: d\n---\nbody"),
    )
    assert all('"error"' in text for text in results)
    assert all("anna" not in path.read_text("utf-8") for path in (household.home.path / "memories").glob("*.md"))


def test_calls_of_one_message_are_judged_one_by_one(household: House) -> None:
    note = household.folder / "batch.txt"
    note.write_text("batch text\n", encoding="utf-8")
    batch = calls([call("manyhands_whoami"), call("read_file", path=str(note)), call("manyhands_recall", query="x")])
    whoami, read, recall = household.results(ANNA, "batch", batch)
    assert "Anna" in whoami
    assert '"error"' in read
    assert '"error"' not in recall


def test_why_names_the_rule_and_tells_others_only_about_themselves(household: House) -> None:
    household.many(ANNA, "why write_file", "(?i)ask")
    household.many(GUS, "why write_file", "(?i)never|not")
    household.many(OLGA, "why write_file as=Anna", "(?i)ask")
    household.many(GUS, "why write_file as=Anna", "only the owner")


def test_a_tool_given_to_one_person_is_given_to_that_person(household: House) -> None:
    note = household.folder / "given.txt"
    note.write_text("given text\n", encoding="utf-8")
    household.many(OLGA, "tools Ben add read_file", "read_file")
    [ben] = household.results(BEN, "given-ben", call("read_file", path=str(note)))
    [anna] = household.results(ANNA, "given-anna", call("read_file", path=str(note)))
    household.many(OLGA, "tools Ben remove read_file", "read_file")
    [after] = household.results(BEN, "given-after", call("read_file", path=str(note)))
    assert "given text" in ben
    assert '"error"' in anna
    assert '"error"' in after


def test_a_script_inside_a_tool_has_no_rights_of_its_own(household: House) -> None:
    path = household.folder / "nested.txt"
    code = f"from hermes_tools import terminal\nprint(terminal('touch {path}'))"
    household.many(OLGA, "tools Ben add execute_code terminal", "execute_code")
    [told] = household.results(BEN, "nested-ben", call("execute_code", code=code))
    household.many(OLGA, "tools Ben remove execute_code terminal", "execute_code")
    assert "script inside" in told
    assert not path.exists()
    [ran] = household.results(OLGA, "nested-olga", call("execute_code", code=code))
    assert path.exists(), ran


def test_the_roster_tool_only_reads(household: House) -> None:
    before = household.rows("SELECT person_id, role, tools_json FROM people ORDER BY person_id")
    results = household.results(
        OLGA,
        "roster",
        call("manyhands_people", action="add", platform="loopchat", sender_id="u-new", role="owner"),
        call("manyhands_people", action="role", name="Gus", role="owner"),
        call("manyhands_people"),
    )
    assert all("manyhands_people is read-only" in text for text in results[:2])
    assert "Anna" in results[2]
    assert household.rows("SELECT person_id, role, tools_json FROM people ORDER BY person_id") == before


def test_the_tools_are_offered(household: House, hermes: Hermes) -> None:
    [request] = household.turn(GUS, "offered")
    assert "manyhands_whoami" in str(request.body.get("tools")), hermes.version
