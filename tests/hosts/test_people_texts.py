"""What the hosts' own code makes of our texts: references, attachments, notes, steered words and answers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from herma.core.people.request import (
    NotUnderstood,
    Steered,
    carries_context,
    hold_back_paths,
    insert_in_newest_user,
    neutralise,
    steered,
    take_out,
    take_out_onboarding,
    withhold,
)
from tests.core.people.request.wires import SIGN, block, done, recorded, said, system_text
from tests.golden.record_people import NOTES, PROFILE
from tests.hosts.command import run_python
from tests.hosts.hermes import Hermes
from tests.hosts.home import Home

# Runs in the host's interpreter: asks its own functions and prints what they say.
PROBE = """
import importlib, json, os, sys

def first(*places):
    for module, name in places:
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            pass
    raise LookupError(places)

def references(texts):
    parse = first(("agent.context_references", "parse_context_references"))
    return [[each.raw for each in parse(text)] for text in texts]

def attachments(replies):
    base = importlib.import_module("gateway.platforms.base")
    adapter = base.BasePlatformAdapter
    strip = first(
        ("gateway.platforms.base", "_strip_media_directives"),
        ("gateway.platforms.base", "_strip_media_tag_directives"),
    )
    found = []
    for reply in replies:
        media, rest = adapter.extract_media(reply)
        images, rest = adapter.extract_images(rest)
        files, rest = adapter.extract_local_files(strip(rest).strip())
        found.append({"files": [path for path, _ in media] + list(files), "text": rest})
    return found

def store(entries):
    memory = importlib.import_module("tools.memory_tool")
    made = memory.MemoryStore()
    return [made._render_block(kind, each) for kind, each in entries]

def onboarding(_):
    return importlib.import_module("agent.onboarding").profile_build_directive()

def markers(text):
    builder = importlib.import_module("agent.prompt_builder")
    return builder.format_steer_marker(text)

def shapes(messages):
    convert = first(
        ("agent.anthropic_message_convert", "convert_messages_to_anthropic"),
        ("agent.anthropic_adapter", "convert_messages_to_anthropic"),
    )
    cached = first(("agent.prompt_caching", "apply_anthropic_cache_control"))
    items = first(("agent.codex_responses_adapter", "_chat_messages_to_responses_input"))
    marked = cached(json.loads(json.dumps(messages)), native_anthropic=True)
    system, said = convert(marked)
    plain, also = convert(json.loads(json.dumps(messages)))
    rest = [each for each in messages if each["role"] != "system"]
    return [
        {"system": system, "messages": said},
        {"system": plain, "messages": also},
        {"messages": cached(json.loads(json.dumps(messages)))},
        {"instructions": messages[0]["content"], "input": items(rest)},
    ]

def answers(text):
    from agent.transports import get_transport
    sys.path.insert(0, os.environ["HERMA_SOURCE"])
    from herma.core.people.request import refusal_response
    from herma.hosts.hermes.people.synthetic import as_response
    found = {}
    for mode in ("chat_completions", "codex_responses", "anthropic_messages", "bedrock_converse"):
        transport, response = get_transport(mode), as_response(refusal_response(text), mode)
        made = transport.normalize_response(response)
        found[mode] = [bool(transport.validate_response(response)), made.content, made.finish_reason, made.tool_calls]
    return found

print("ANSWER" + json.dumps(globals()[sys.argv[1]](json.loads(sys.argv[2]))))
"""
SOURCE = Path(__file__).parents[2] / "src"


def ask(hermes: Hermes, folder: Path, question: str, about: object) -> Any:
    """What a function of the probe says in the host's interpreter."""
    home = Home(folder / "home", hermes, model_url="http://127.0.0.1:9")
    environment = {"HERMA_SOURCE": str(SOURCE)}
    finished = run_python(hermes, home, ["-c", PROBE, question, json.dumps(about)], environment=environment)
    return json.loads(finished.stdout.rpartition("ANSWER")[2])


def test_a_neutralised_reference_is_none_for_the_host(hermes: Hermes, folder: Path) -> None:
    kinds = ["@file:a.txt", '@file:"a b.txt":1-3', "@folder:.", "@git:2", "@url:http://a.b", "@diff", "@staged"]
    around = ["{}", "see {} now", "({})", "é{}", "@{}", "\n{}\n", "x:{}", "[Bob] {}", "\u200b{}", "{0}{0}", "`{}`"]
    texts = [frame.format(kind) for kind in kinds for frame in around]

    raw = ask(hermes, folder, "references", texts)
    inert = ask(hermes, folder, "references", [neutralise(text) for text in texts])

    assert sum(map(bool, raw)) > len(kinds) * 8
    assert inert == [[] for _ in texts]


def test_a_held_back_path_is_no_attachment_for_the_host(hermes: Hermes, folder: Path) -> None:
    path = folder / "secret.txt"
    path.write_text("the notes", encoding="utf-8")
    other = folder / "Makefile"
    other.write_text("all:", encoding="utf-8")
    image = "![x](https://example.org/p.png)"
    root = str(path)[1:]
    replies = [
        f"It is in {path}.",
        f"MEDIA:{path}",
        f"media: {path}",
        f"**MEDIA:`{path}`**",
        f'MEDIA:"{path}"',
        f"MEDIA:{other}",
        f"[[as_document]]\nMEDIA:{path}",
        f"![notes]({path})",
        f"[notes]({path}) and file://{path}",
        f"`{path}` {path}",
        f"{image}{path}",
        f"/{image}{root}",
        f"![`](https://example.org/p.png) {path} `",
        f"/[[as_document]]{root}",
        f"/[[audio_as_voice]]{root} MEDIA:[[as_document]]{path}",
        f"> {path}\n\n{path}",
    ]

    raw = ask(hermes, folder, "attachments", replies)
    held = ask(hermes, folder, "attachments", [hold_back_paths(reply) for reply in replies])

    assert sum(bool(each["files"]) for each in raw) > len(replies) // 2
    assert [each["files"] for each in held] == [[] for _ in replies]
    assert all("secret.txt" in each["text"] or "Makefile" in each["text"] for each in held)
    # Written so, it is still the path of the file.
    assert Path(held[0]["text"].removeprefix("It is in ").removesuffix(".")).read_text(encoding="utf-8") == "the notes"


def test_the_notes_have_the_form_that_is_looked_for(hermes: Hermes, folder: Path) -> None:
    rendered = ask(hermes, folder, "store", [["memory", NOTES], ["user", PROFILE]])

    notes = block("MEMORY (your personal notes)", NOTES).split("\n")
    assert rendered[0].split("\n")[3:] == notes[3:]
    assert f" {len(SIGN.join(NOTES))}/2,200 chars]" in rendered[0]
    for each in rendered:
        sent = {"messages": [{"role": "system", "content": f"You.\n\n{each}\n\nConversation started: today"}]}
        assert system_text(done(withhold(sent))) == "You.\n\nConversation started: today"


def test_the_offer_to_build_a_profile_is_taken_out(hermes: Hermes, folder: Path) -> None:
    note = ask(hermes, folder, "onboarding", None)

    assert "user profile" in note or "profile of them" in note
    for content in (f"hello{note}", f"hello\n\n{note.strip()}", f"{note.strip()}\n\nhello"):
        assert said(done(take_out_onboarding({"messages": [{"role": "user", "content": content}]}))) == ["hello"]


def test_steered_words_have_the_form_that_is_looked_for(hermes: Hermes, folder: Path) -> None:
    marker = ask(hermes, folder, "markers", "do it")
    sent = {"messages": [{"role": "user", "content": "look"}, {"role": "tool", "content": f"seen{marker}"}]}
    pieces = steered(sent)

    assert not isinstance(pieces, NotUnderstood)
    assert [piece.place for piece in pieces] == ["result"]
    assert done(take_out(sent, pieces))["messages"][1]["content"] == "seen"


@pytest.mark.parametrize("name", ["first-message", "attached", "steered", "compacted", "corrected"])
def test_every_shape_that_the_host_makes_of_a_request_is_understood_alike(
    hermes: Hermes, folder: Path, name: str
) -> None:
    sent = recorded(hermes.version)[name]

    for other in ask(hermes, folder, "shapes", sent["messages"]):
        assert system_text(done(withhold(other))).strip() == system_text(done(withhold(sent))).strip()
        assert carries_context(other) == carries_context(sent)
        assert authors(other) == authors(sent)
        cut = done(take_out(other, found(other)))
        assert "open the safe" not in json.dumps(cut)
        assert "THE CARD" in said(done(insert_in_newest_user(other, "THE CARD")))[card_at(sent)]


def found(sent: Mapping[str, Any]) -> tuple[Steered, ...]:
    """The steered words of a request."""
    pieces = steered(sent)
    assert not isinstance(pieces, NotUnderstood)
    return pieces


def authors(sent: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Where they stand and whose they are."""
    return [(piece.place, piece.authors) for piece in found(sent)]


def card_at(sent: Mapping[str, Any]) -> int:
    """Which of the texts of people the card belongs to."""
    return [("THE CARD" in text) for text in said(done(insert_in_newest_user(sent, "THE CARD")))].index(True)


def test_an_answer_of_ours_is_a_finished_reply_in_every_api_mode(hermes: Hermes, folder: Path) -> None:
    for mode, (valid, content, reason, calls) in ask(hermes, folder, "answers", "Not for you.").items():
        assert (mode, valid, content, reason, calls) == (mode, True, "Not for you.", "stop", None)
