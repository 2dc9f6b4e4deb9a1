"""The token estimate is close on the inputs that are big, and says what it is."""

import json
import random
from collections.abc import Callable

import pytest

from herma.core.tokens import METHOD, estimate


def _log(rng: random.Random) -> str:
    return "".join(
        f"2026-11-{rng.randint(1, 30):02d}T{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:07."
        f"{rng.randint(0, 999):03d}Z "
        f"INFO [worker-{rng.randint(1, 64)}] request id={rng.getrandbits(64):016x} took {rng.randint(1, 3000)} ms\n"
        for _ in range(200)
    )


def _table(rng: random.Random) -> str:
    return "".join(",".join(f"{rng.random() * 1000:.4f}" for _ in range(8)) + "\n" for _ in range(100))


def _records(rng: random.Random) -> str:
    return json.dumps([{"id": n, "name": f"user{n}", "active": bool(n % 2), "score": rng.random()} for n in range(200)])


def _hashes(rng: random.Random) -> str:
    return "\n".join(f"{rng.getrandbits(256):064x}" for _ in range(100))


def _chinese(rng: random.Random) -> str:
    return "大型日志文件只显示开头和结尾，中间部分用标记代替。" * 30 + str(rng.randint(10, 99))


def _prose(rng: random.Random) -> str:
    return "A large result becomes its first and last lines with a marker between them. " * 40 + str(
        rng.randint(10, 99)
    )


# Counts of the o200k vocabulary for exactly these texts, made with a real tokenizer.
COUNTED: dict[str, tuple[Callable[[random.Random], str], int]] = {
    "log": (_log, 7_755),
    "table": (_table, 4_000),
    "records": (_records, 6_192),
    "hashes": (_hashes, 3_777),
    "chinese": (_chinese, 571),
    "prose": (_prose, 602),
}


@pytest.mark.parametrize("kind", COUNTED)
def test_the_estimate_is_within_a_tenth_of_the_real_count(kind: str) -> None:
    make, counted = COUNTED[kind]
    assert abs(estimate(make(random.Random(7))) - counted) <= counted // 10


def test_the_estimate_of_nothing_is_nothing() -> None:
    assert estimate("") == 0


def test_the_method_says_that_it_is_approximate() -> None:
    assert "approx" in METHOD
