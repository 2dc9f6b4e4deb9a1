"""The settings of read-summarizer and the variables of read-once."""

from herma.core.setting import Setting, Variable

__all__ = ["SETTINGS", "VARIABLES"]

SETTINGS: tuple[Setting, ...] = (
    Setting("read-summarizer", "enabled", bool, default=False, help="Shorten huge read results at all.", since="0.1.0"),
    Setting(
        "read-summarizer",
        "threshold_bytes",
        int,
        50_000,
        "A file, or a result, of more bytes than this is shortened; what is kept of it never exceeds this.",
        "0.1.0",
        minimum=1_000,
    ),
    Setting("read-summarizer", "head_lines", int, 200, "Lines kept from the start of the file.", "0.1.0"),
    Setting("read-summarizer", "tail_lines", int, 50, "Lines kept from the end of the file.", "0.1.0"),
    Setting(
        "read-summarizer",
        "allowed_tools",
        tuple,
        ("read_file", "Read", "read_path"),
        "Tools whose results may be shortened; every other tool is left alone.",
        "0.1.0",
    ),
)

VARIABLES: tuple[Variable, ...] = (
    Variable(
        "read-once",
        "READ_ONCE_ROOT",
        "",
        "The folder below which files are eligible. Without it nothing is ever answered with a note.",
        "0.1.0",
    ),
    Variable(
        "read-once",
        "READ_ONCE_HITS",
        "",
        "Exactly 1 allows notes. With anything else the plugin observes and counts, and changes nothing.",
        "0.1.0",
    ),
    Variable(
        "read-once",
        "READ_ONCE_NOTICE",
        "off",
        "off, quiet or verbose; anything else is off. It is shown in the report and changes no tool result.",
        "0.1.0",
    ),
)
