"""The settings of manyhands: those its users know, and those of Herma's own promises."""

from herma.core.setting import Setting, Variable

__all__ = ["SETTINGS", "VARIABLES"]

_SYSTEM = "manyhands"


SETTINGS: tuple[Setting, ...] = (
    Setting(
        _SYSTEM,
        "unknown_sender_policy",
        str,
        default="invite",
        since="0.2.0",
        help="What happens to somebody who is not on the roster: `invite` refuses until a code is redeemed, `open` "
        "makes them a guest, `closed` refuses.",
        choices=("invite", "open", "closed"),
    ),
    Setting(
        _SYSTEM,
        "invite_role",
        str,
        default="member",
        since="0.2.0",
        help="The role that a redeemed invite gives, unless the invite names one.",
    ),
    Setting(
        _SYSTEM,
        "unknown_session_policy",
        str,
        default="guest",
        since="0.2.0",
        help="Who a call without any person behind it acts as: `guest`, or `operator`, which trusts every such call.",
        choices=("guest", "operator"),
    ),
    Setting(
        _SYSTEM,
        "local_seat_policy",
        str,
        default="operator",
        since="0.2.0",
        help="Who the host's own terminal acts as: `operator`, or `roster`, where it has to join like anybody else.",
        choices=("operator", "roster"),
    ),
    Setting(
        _SYSTEM,
        "db_path",
        str,
        default="",
        since="0.2.0",
        help="Where the database lies; not set means `plugin-data/manyhands` in the Hermes home.",
    ),
    Setting(
        _SYSTEM,
        "approval_timeout_s",
        int,
        default=120,
        since="0.2.0",
        help="Seconds for which a code waits for an answer, and for which an approval then waits to be used.",
        minimum=5,
    ),
    Setting(
        _SYSTEM,
        "approval_tools",
        tuple,
        default=None,
        since="0.2.0",
        help="Replaces the list of tools that members and roles of your own have to ask for. Guests never ask.",
    ),
    Setting(
        _SYSTEM,
        "max_person_facts",
        int,
        default=8,
        since="0.2.0",
        help="How many of a person's own facts go into that person's turn.",
    ),
    Setting(
        _SYSTEM, "max_shared_facts", int, default=5, since="0.2.0", help="How many shared facts go into every turn."
    ),
    Setting(
        _SYSTEM,
        "scope_host_memory",
        bool,
        default=True,
        since="0.2.0",
        help="Withhold the operator's MEMORY and USER blocks from everybody else.",
    ),
    Setting(
        _SYSTEM,
        "paused",
        bool,
        default=False,
        since="0.2.0",
        help="Start with enforcement switched off, as after `/many pause`.",
    ),
    Setting(
        _SYSTEM,
        "strict_admission",
        bool,
        default=False,
        since="0.2.0",
        help="The host admits nobody but its own list; people on the roster come in through this plugin alone, so that "
        "nobody gets in when it does not load.",
    ),
    Setting(
        _SYSTEM,
        "roles",
        dict,
        default=None,
        since="0.2.0",
        help="Roles of your own and changes to `member` and `guest`: for each, lists of tools under `allow`, `ask` and "
        "`never`.",
    ),
    Setting(
        _SYSTEM,
        "max_pending_asks",
        int,
        default=3,
        since="0.2.0",
        help="How many asks of one person may wait at a time; over all people it is eight times as many.",
        minimum=1,
    ),
)

VARIABLES: tuple[Variable, ...] = (
    Variable(
        _SYSTEM,
        "MANYHANDS_DB",
        "",
        "Where the database lies, for scripts and moves; a `db_path` in the configuration wins over it.",
        "0.2.0",
    ),
)
