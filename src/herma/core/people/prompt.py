"""What an owner gets to read before they say yes: who asks, and the whole of what would run."""

from collections.abc import Iterable

from herma.core.people.confusable import marked
from herma.core.people.digest import Uncanonical, canonical

__all__ = ["MOST_CHARACTERS", "MOST_LINES", "ask_prompt"]

# More than this nobody judges on a phone: such an ask is refused, and never cut.
MOST_CHARACTERS = 3_000
MOST_LINES = 80

_LONGEST_NAME = 64
_FENCE = "```"


def ask_prompt(  # noqa: PLR0913 - what an owner has to know
    asker_name: str,
    account: str,
    *,
    role: str,
    tool: str,
    args: object,
    code: str,
    seconds: int,
    mistakable_for: str | None = None,
) -> str | None:
    """The text for an owner, or None when it is too long to judge or the arguments have no exact form.

    All that others wrote stands between two lines of backticks, where no chat program makes links or styles of it, and
    what is not what it seems is marked (`confusable.marked`). `seconds` is how long the code lives; `mistakable_for` is
    the name on the roster that the asker's own name looks like.
    """
    if not isinstance(args, dict) or _size(args, MOST_CHARACTERS) > MOST_CHARACTERS:
        return None
    try:
        written = [line for name, value in args.items() for line in _argument(name, value)]
    except Uncanonical:
        return None
    inside = [
        f'{_quoted(asker_name)}, {_plain(account)}, role "{_plain(role)}"',
        *([f"CAREFUL: this name looks like {_quoted(mistakable_for)}, who is somebody else"] if mistakable_for else []),
        f"tool: {_plain(tool)}",
        *(written or ["no arguments"]),
    ]
    lines = [
        "[manyhands] Somebody asks for your approval. This is the whole call:",
        _FENCE,
        *inside,
        _FENCE,
        f"Yes, once: /many approve {code}",
        f"No: /many deny {code}",
        f"Silence is no, after {seconds} seconds.",
    ]
    text = "\n".join(lines)
    return text if len(text) <= MOST_CHARACTERS and len(lines) <= MOST_LINES else None


def _argument(name: object, value: object) -> Iterable[str]:
    """A text on lines of its own, each behind a bar; everything else as JSON. So `"1"` and `1` do not look alike."""
    if not isinstance(name, str):
        raise Uncanonical("a key is no text")
    label = _plain(name if name.isidentifier() else canonical(name))
    if not isinstance(value, str):
        return [f"{label} = {_plain(canonical(value))}"]
    return [f"{label}:", *(f"| {_plain(line)}" for line in value.split("\n"))]


def _plain(text: str) -> str:
    """`text` with what deceives marked; a backtick, which could end the block, is named too."""
    return marked(text).replace("`", "⟨U+0060⟩")


def _quoted(name: str) -> str:
    cut = "" if len(name) <= _LONGEST_NAME else " and more"
    return '"' + _plain(name[:_LONGEST_NAME]).replace('"', "⟨U+0022⟩") + f'"{cut}'


def _size(value: object, enough: int) -> int:
    """At least how many characters the texts in `value` have; stops counting soon after `enough`."""
    waiting, size = [value], 0
    while waiting and size <= enough:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, (list, tuple)):
            waiting += each
        size += len(each) if isinstance(each, str) else 1
    return size
