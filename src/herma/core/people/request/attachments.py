"""Replies that name files of the machine without having them delivered.

A host takes absolute paths, and paths behind a tag, out of a reply and sends the files. Before it looks it deletes what
it takes for pictures and directives, so words that stand apart may stand together by then.
"""

import re

__all__ = ["hold_back_paths"]

# A slash command or a closing tag of HTML, which stands alone.
_ALONE = r"/[A-Za-z][\w-]*(?:[.!?]?(?:\s|\Z)|[`,;:)\]}'\"*>])"
# Where a host lets a path begin, before a name or before what it may delete.
_BEGINNING = re.compile(rf"(?<![/:\w.])(?!{_ALONE})(?P<anchor>~/|/|[A-Za-z]:[/\\])(?=[\w.!<-])")
_TAG = re.compile(r"(MEDIA)(?=:\s*[*_]*(?:[~/!<`\"']|[A-Za-z]:[/\\]))", re.IGNORECASE)
_DIRECTIVE = re.compile(r"\[\[(?=(?:audio_as_voice|as_document)\]\])")


def hold_back_paths(reply: str) -> str:
    """`reply` with every absolute path written so that it names the same file and no host takes it for an attachment.

    The first separator is doubled (`//srv/a.txt`, `~//a.txt`) and tags are broken by a blank (`MEDIA :`). Addresses on
    the web, pictures from there and slash commands stay as they are.
    """
    held = _DIRECTIVE.sub("[ [", _TAG.sub(r"\1 ", reply))
    return _BEGINNING.sub(lambda found: found["anchor"] + found["anchor"][-1], held)
