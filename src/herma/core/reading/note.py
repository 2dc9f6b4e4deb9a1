"""The note that a repeated read is answered with. It is for the model; the person gets the model's answer."""

from functools import lru_cache

from herma.core.visible import visible

__all__ = ["OPENING", "note"]

# How every note begins, and how a stored one is known.
OPENING = "You have this already: "


@lru_cache(maxsize=512)
def note(call_id: str, path: str, digest: bytes) -> str:
    """Names the earlier call, the path and the first 12 hex digits of the file's SHA-256, and what to do."""
    return (
        f"{OPENING}your earlier read_file call {visible(call_id)} in this conversation returned all that "
        f"this call would return for {visible(path)}, and the bytes of the file are the same now "
        f"(SHA-256 {digest.hex()[:12]}). The full content stands above, in the result of that call. "
        "Answer the user from it. These lines are for you and not for the user: do not quote them, and do not read "
        "the file again unless the user says that it has changed."
    )
