"""Names of files and folders that hold secrets. What bears such a name is neither opened nor hashed.

The table is that of the plugin's first version together with what the tested hosts refuse to read or keep
secrets in. It is a list of names and no boundary: a secret under another name is not recognised.
"""

from functools import lru_cache
from typing import NamedTuple

__all__ = ["CREDENTIAL_NAMES", "CredentialName", "is_credential"]


class CredentialName(NamedTuple):
    """One name, compared without regard to case: that of a `file`, the start of one (`prefix`), or a `folder`."""

    name: str
    kind: str
    holds: str


CREDENTIAL_NAMES: tuple[CredentialName, ...] = (
    CredentialName(".env", "file", "environment variables of a project"),
    CredentialName(".env.", "prefix", "environment variables, such as `.env.local`"),
    CredentialName(".envrc", "file", "environment variables for direnv"),
    CredentialName("auth.json", "file", "keys of model providers"),
    CredentialName("auth.lock", "file", "the lock beside `auth.json`"),
    CredentialName(".anthropic_oauth.json", "file", "tokens of a sign-in"),
    CredentialName("google_oauth.json", "file", "tokens of a sign-in"),
    CredentialName("webhook_subscriptions.json", "file", "secrets of webhooks"),
    CredentialName("bws_cache.json", "file", "values from Bitwarden"),
    CredentialName("bws_cache.enc.json", "file", "values from Bitwarden, encrypted"),
    CredentialName("op_cache.json", "file", "values from 1Password"),
    CredentialName("photon-sidecar.json", "file", "the token of the Photon platform"),
    CredentialName("vault", "folder", "encrypted secrets and their key"),
    CredentialName("mcp-tokens", "folder", "tokens of MCP servers"),
    CredentialName("browser-profile", "folder", "copied cookies and logins"),
    CredentialName("webapp", "folder", "state of the web application"),
    CredentialName("pairing", "folder", "codes of the chat platforms"),
    CredentialName(".hub", "folder", "what a host keeps from its model: metadata of strangers' skills"),
)

_FILES = frozenset(entry.name for entry in CREDENTIAL_NAMES if entry.kind == "file")
_FOLDERS = frozenset(entry.name for entry in CREDENTIAL_NAMES if entry.kind == "folder")
_PREFIXES = tuple(entry.name for entry in CREDENTIAL_NAMES if entry.kind == "prefix")


@lru_cache(maxsize=512)
def is_credential(path: str) -> bool:
    """True when a part of `path` (parts divided by `/`) bears one of the names."""
    parts = path.lower().split("/")
    name = parts[-1]
    return name in _FILES or name.startswith(_PREFIXES) or not _FOLDERS.isdisjoint(parts)
