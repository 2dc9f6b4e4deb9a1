"""Names that are neither opened nor hashed."""

import pytest

from herma.core.reading.credentials import CREDENTIAL_NAMES, is_credential

# What the document of the plugin's first version names, and what the tested hosts refuse or keep secrets in.
NAMED = [
    "/p/.env",
    "/p/.env.local",
    "/p/.env.production.bak",
    "/p/.envrc",
    "/p/.ENV",
    "/p/auth.json",
    "/p/auth.lock",
    "/p/.anthropic_oauth.json",
    "/p/webhook_subscriptions.json",
    "/p/auth/google_oauth.json",
    "/p/cache/bws_cache.json",
    "/p/cache/bws_cache.enc.json",
    "/p/cache/op_cache.json",
    "/p/runtime/photon-sidecar.json",
    "/p/vault/x",
    "/p/Vault/deep/er/x",
    "/p/mcp-tokens/server.json",
    "/p/browser-profile/Cookies",
    "/p/webapp/state",
    "/p/pairing/x",
    "/p/skills/.hub/index",
    "/vault",
]
FREE = [
    "/p/env",
    "/p/notes.env.txt",
    "/p/vaults/x",
    "/p/auth.json.md",
    "/p/my-auth.json",
    "/p/.environment",
    "/p/a",
    "/",
]


@pytest.mark.parametrize("path", NAMED)
def test_a_path_with_such_a_name_is_a_credential(path: str) -> None:
    assert is_credential(path)


@pytest.mark.parametrize("path", FREE)
def test_a_name_that_only_resembles_one_is_free(path: str) -> None:
    assert not is_credential(path)


@pytest.mark.parametrize("entry", CREDENTIAL_NAMES, ids=lambda entry: entry.name)
def test_every_row_of_the_table_is_in_force(entry: object) -> None:
    name, kind = str(getattr(entry, "name", "")), str(getattr(entry, "kind", ""))
    path = {"file": f"/p/{name}", "prefix": f"/p/{name}x", "folder": f"/p/{name}/x"}[kind]
    assert is_credential(path)
    assert is_credential(path.upper())
