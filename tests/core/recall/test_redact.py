import pytest

from herma.core.recall.redact import redacted

LONG = "Xk92mQpL7vRt3ZsB8nWcY5dHf1GjA6uE"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "abcdefghij0123456789ABCD",
        "ghp_" + "a1B2c3D4" * 5,
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
        LONG,
        "Bearer abcdefghijklmnop1234",
        "xoxb-1234567890",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_a_secret_is_taken_out_by_its_shape(secret: str) -> None:
    found = redacted(f"take {secret} and go")
    assert "[redacted: " in found
    assert secret[-8:] not in found
    assert found.startswith("take ")
    assert found.endswith(" and go")


@pytest.mark.parametrize("name", ["password", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "api-key", '"auth_token"'])
def test_what_is_given_as_a_secret_is_taken_out(name: str) -> None:
    assert "hunter2222" not in redacted(f"{name}: hunter2222")
    assert "hunter2222" not in redacted(f"{name}='hunter2222'")


@pytest.mark.parametrize(
    "text",
    [
        "1b8931f5e3b2a1c0d9e8f7a6b5c4d3e2f1a0b9c8",
        "550e8400-e29b-41d4-a716-446655440000",
        "ses_dd20e95a0ffe2xBNqqlSp6f4rW",
        "msg_01K9ABCDEFGHJKMNPQRSTVWXYZ",
        "/usr/lib/python3.11/site-packages/HermesAgent2/X1Y2Z3Foo9Bar8.py",
        "readSummarizerMarkerForLongFilesInHermes2",
        "token_budget: Mapping[str, int] = 4",
        "max_tokens: 4096",
        "sha512-AbC123dEf456GhI789jKl012MnO345pQr678StU901",
        "https://example.org/a/b?page=2",
        "the password is kept in a file",
    ],
)
def test_what_only_looks_long_survives(text: str) -> None:
    assert redacted(text) == text


def test_one_that_begins_the_text_and_one_in_its_middle_are_both_seen() -> None:
    assert redacted(f"{LONG} x {LONG}") == "[redacted: key] x [redacted: key]"


@pytest.mark.parametrize("piece", ["a-", "token-", "key=", "aB3", "x_Y", "sk-", ":", "-----BEGIN PRIVATE KEY-----"])
def test_no_text_takes_long_to_look_through(piece: str) -> None:
    assert len(redacted(piece * 30_000)) > 0
