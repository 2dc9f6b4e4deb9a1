"""What an entry may not say, since it is read as part of the prompt of every later session.

Texts are compared without what is not drawn, in compatibility form, in lower case, with letters of other scripts that
look like Latin ones as these, and with runs of white space as one blank.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from herma.core.memory.characters import unhidden

__all__ = ["THREATS", "Threat", "threats"]

_SOME = r"(?:\S+ ){0,6}?"
_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u043a\u043c\u0442\u0432\u043d"
    "\u03b1\u03bf\u03b9\u03c1\u03c4\u03c5\u03bd\u03ba",
    "aeopcyxijsdqwkmtbhaoiptuvk",
)
_LATIN = re.compile(r"[a-z]")


class Threat(NamedTuple):
    """A class of attack: how its texts look, and words of which each of them has one, which is quicker to see."""

    id: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]


def _threat(identity: str, words: str, *patterns: str) -> Threat:
    return Threat(identity, tuple(words.split()), re.compile("|".join(patterns)))


THREATS: tuple[Threat, ...] = (
    _threat(
        "prompt_injection",
        "ignor forget disregard override bypass 忽略 无视 無視 игнорируй",
        rf"\b(?:ignore|forget|disregard|override|bypass)\b {_SOME}"
        rf"(?:previous|prior|earlier|above|preceding|all|every|any|your|other)\b {_SOME}"
        r"(?:instructions?|directives?|guidelines|prompts?|orders)\b",
        rf"\b(?:ignore|forget|disregard|override|bypass)\b {_SOME}"
        rf"(?:previous|prior|earlier|above|preceding|your)\b {_SOME}(?:rules?|training|restrictions)\b",
        r"\bignorier\w* (?:\S+ ){0,3}?(?:bisherigen?|vorherigen?|vorigen?|obigen?) (?:anweisung|regel)",
        r"\bignor(?:a|e|ez|ar) (?:\S+ ){0,3}?(?:instrucciones|instructions|instruções|istruzioni) "
        r"(?:anteriores|précédentes|precedenti)",
        r"(?:忽略|无视|無視)\S{0,6}(?:之前|以上|先前|所有|前)\S{0,6}(?:指令|指示|命令|提示)",
        r"игнорируй\w* (?:\S+ ){0,3}?(?:предыдущ|прежн)\w* (?:инструкц|указан)",
    ),
    _threat(
        "prompt_override",
        "prompt",
        r"\bsystem prompt override\b",
        r"\boverride (?:\S+ )?system prompt",
        r"\bnew system prompt\b",
    ),
    _threat(
        "role_hijack",
        "you pretend jailbr dan developer",
        r"\byou are (?:\S+ ){0,3}?now (?:an?|the|in)\b",
        r"\bpretend (?:\S+ ){0,2}?(?:you are|you're|to be)\b",
        r"\bact as (?:if|though) you (?:\S+ ){0,2}?(?:no|not|without)\b",
        r"\b(?:jailbreak|jailbroken|dan mode|developer mode) (?:enabled|activated|on)\b",
    ),
    _threat(
        "deception",
        "tell inform notify alert",
        rf"\b(?:do not|don't|never|without) {_SOME}"
        r"(?:tell|inform|notify|alert)(?:ing|ying)? (?:\S+ ){0,3}?(?:user|person|human|owner|operator)\b(?!')",
    ),
    _threat(
        "prompt_leak",
        "prompt instructions",
        rf"\b(?:print|output|reveal|repeat|show|send|leak) {_SOME}(?:system|initial|hidden) (?:prompt|instructions)\b",
    ),
    _threat(
        "unlimited",
        "answer respond reply act behave operate",
        rf"\b(?:answer|respond|reply|act|behave|operate) {_SOME}(?:without|with no|(?:has|have) no) {_SOME}"
        r"(?:restrictions|limitations|limits|filters|safety|censorship|guardrails)\b",
    ),
    _threat(
        "hidden_markup",
        "< [inst] [/inst] ![",
        r"<!--[^>]{0,400}(?:ignore|system|secret|hidden|instruction|override)",
        r"<[a-z][^>]{0,400}display ?: ?none",
        r"<\|[a-z_]{3,30}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|developer|tool_result|system-reminder)>",
        r"!\[[^\]]{0,200}\]\(https?://[^)]{0,400}[?&][^)]{0,400}=",
    ),
    _threat(
        "exfiltration",
        "curl wget nc httpie invoke cat base64 scp xxd send post upload transmit forward exfiltrate include append "
        "attach share",
        r"\b(?:curl|wget|nc|httpie|invoke-webrequest)\b.{0,400}\$\{?\w{0,40}(?:key|token|secret|passw|credential)",
        r"\b(?:cat|base64|scp|curl|xxd) \S{0,200}(?: \S{1,200}){0,3}?"
        r"(?:\.env|\.netrc|\.pgpass|\.npmrc|\.pypirc|id_rsa|id_ed25519)(?![.\w])",
        rf"\b(?:send|post|upload|transmit|forward|exfiltrate) {_SOME}(?:conversations?|chat|history|messages?|"
        rf"memory|memories|secrets?|keys?|tokens?|credentials?|passwords?|everything) {_SOME}(?:to|at) "
        r"(?:https?://|\S+@\S)",
        rf"\b(?:include|append|attach|share) {_SOME}(?:full|entire|whole) (?:conversation|context|chat|history)\b",
    ),
    _threat(
        "persistence",
        "authorized_keys base64 heartbeat beacon check c2",
        r"\bauthorized_keys\b",
        r"\bbase64 (?:-d|-D|--decode)\b.{0,80}\| ?(?:ba|z|da)?sh\b",
        rf"\b(?:heartbeat|beacon|check[ -]?in) {_SOME}(?:to|with) https?://",
        r"\bc2 (?:server|channel|beacon|infrastructure)\b",
    ),
)


@lru_cache(maxsize=512)
def threats(text: str) -> tuple[str, ...]:
    """The ids of the classes that `text` belongs to."""
    plain = _plain(text)
    return tuple(threat.id for threat in THREATS if _has(plain, threat.words) and threat.pattern.search(plain))


def _has(plain: str, words: tuple[str, ...]) -> bool:
    return any(word in plain for word in words)


def _plain(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    plain = " ".join(unhidden(normalize("NFKC", unhidden(text))).casefold().split())
    # Words of one foreign script stay what they are; a Latin letter beside a foreign one is a disguise.
    return " ".join(word.translate(_LOOKALIKES) if _LATIN.search(word) else word for word in plain.split(" "))
