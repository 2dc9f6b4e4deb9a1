"""The settings of opencode-hermes: the keys of its JSON file, and the variables that win over them."""

from collections.abc import Mapping

from herma.core.setting import Setting, Variable

__all__ = ["LATER", "SETTINGS", "SYSTEM", "VARIABLES", "VARIABLE_OF"]

SYSTEM = "opencode-hermes"
_SINCE = "0.2.0"

_CONFIG = "`opencode` in XDG_CONFIG_HOME or `~/.config`"
_DATA = "`opencode` in XDG_DATA_HOME or `~/.local/share`"

SETTINGS: tuple[Setting, ...] = (
    Setting(
        SYSTEM,
        "memoryRoot",
        str,
        "",
        f"The folder of MEMORY.md and USER.md; not set means `memories` in {_CONFIG}.",
        _SINCE,
    ),
    Setting(SYSTEM, "skillsRoot", str, "", "The folder of skills; not set means `~/.agents/skills`.", _SINCE),
    Setting(SYSTEM, "memoryCharLimit", int, 2_200, "The largest size of MEMORY.md, in characters.", _SINCE, minimum=1),
    Setting(SYSTEM, "userCharLimit", int, 1_375, "The largest size of USER.md, in characters.", _SINCE, minimum=1),
    Setting(SYSTEM, "nudgeInterval", int, 10, "Turns of a person between two reviews.", _SINCE, minimum=1),
    Setting(
        SYSTEM,
        "idleDebounceMs",
        int,
        10_000,
        "Milliseconds of quiet after the last turn before a review runs.",
        _SINCE,
        minimum=1,
    ),
    Setting(SYSTEM, "log", str, "", f"The log file; not set means `log/opencode-hermes.log` in {_DATA}.", _SINCE),
    Setting(
        SYSTEM,
        "sessionsDb",
        str,
        "",
        f"OpenCode's database, which is only read; not set means OPENCODE_DB, or `opencode.db` in {_DATA}.",
        _SINCE,
    ),
    Setting(SYSTEM, "provider", str, "none", "The long-term memory beside the two files: `none` or `sqlite`.", _SINCE),
    Setting(SYSTEM, "providerPath", str, "", "Where it lies; not set means `provider.sqlite` in `memoryRoot`.", _SINCE),
    Setting(SYSTEM, "providerOptions", dict, None, "Options of the provider, handed on as they are.", _SINCE),
    Setting(SYSTEM, "prefetchLimit", int, 5, "How many notes of the provider go into a turn.", _SINCE, minimum=1),
    Setting(
        SYSTEM, "dream", bool, default=True, help="Reconcile the provider with the two files when idle.", since=_SINCE
    ),
    Setting(
        SYSTEM,
        "dreamJudge",
        bool,
        default=False,
        help="Let the model decide where two notes may or may not say the same.",
        since=_SINCE,
    ),
)

VARIABLE_OF: Mapping[str, str] = {
    "memoryRoot": "HERMES_OPENCODE_MEMORY_ROOT",
    "skillsRoot": "HERMES_OPENCODE_SKILLS_ROOT",
    "memoryCharLimit": "HERMES_OPENCODE_MEMORY_LIMIT",
    "userCharLimit": "HERMES_OPENCODE_USER_LIMIT",
    "nudgeInterval": "HERMES_NUDGE_INTERVAL",
    "idleDebounceMs": "HERMES_IDLE_DEBOUNCE_MS",
    "log": "HERMES_OPENCODE_LOG",
    "sessionsDb": "HERMES_OPENCODE_SESSIONS_DB",
    "provider": "HERMES_OPENCODE_PROVIDER",
    "providerPath": "HERMES_OPENCODE_PROVIDER_PATH",
    "prefetchLimit": "HERMES_OPENCODE_PREFETCH_LIMIT",
    "dream": "HERMES_OPENCODE_DREAM",
    "dreamJudge": "HERMES_OPENCODE_DREAM_JUDGE",
}

VARIABLES: tuple[Variable, ...] = (
    Variable(
        SYSTEM,
        "HERMES_OPENCODE_CONFIG",
        "",
        f"The JSON or JSONC file of the settings; not set means `opencode-hermes.json` in {_CONFIG}.",
        _SINCE,
    ),
    Variable(
        SYSTEM,
        "HERMA_COMMAND",
        "",
        "The absolute path of the Python that has Herma, or of `herma`; not set means the one that setup wrote down.",
        _SINCE,
    ),
    *(
        Variable(SYSTEM, variable, "", f"Wins over `{key}` in the file.", _SINCE)
        for key, variable in VARIABLE_OF.items()
    ),
)

# Read and checked already; the parts that they belong to are not there yet.
LATER: frozenset[str] = (frozenset(VARIABLE_OF) | {"providerOptions"}) - {
    "memoryRoot",
    "memoryCharLimit",
    "userCharLimit",
    "log",
    "sessionsDb",
}
