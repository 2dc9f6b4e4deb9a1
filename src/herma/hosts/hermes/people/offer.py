"""What manyhands offers by name: six tools, one command, one approval transport, one command line."""

from collections.abc import Callable
from typing import Any

from herma.core.people.offers import SCHEMAS

PLUGIN = "manyhands"

__all__ = ["offer"]


def offer(ctx: Any, *, answer: Callable[[str, Any], str], command: object, present: object) -> None:
    """Register all of it, as far as the running host has a place for it."""
    for schema in SCHEMAS:
        ctx.register_tool(
            name=schema["name"],
            toolset=PLUGIN,
            schema=schema,
            handler=_handler(str(schema["name"]), answer),
            description=str(schema["description"]),
        )
    ctx.register_command("many", command, "Who may do what here", "help | whoami | roster | approve CODE | …")
    transport = getattr(ctx, "register_approval_transport", None)
    if transport is not None:
        transport(PLUGIN, present)
    shell_command = getattr(ctx, "register_cli_command", None)
    if shell_command is not None:
        about = "who may do what in this bot"
        shell_command(PLUGIN, about, _set_up, _run, "The verbs of /many, from the shell.")


def _set_up(parser: Any) -> None:
    from herma.hosts.hermes.people.shell import set_up  # noqa: PLC0415 - only the command line pays for it

    set_up(parser)


def _run(arguments: Any) -> None:
    from herma.hosts.hermes.people.shell import run  # noqa: PLC0415 - only the command line pays for it

    run(arguments)


def _handler(name: str, answer: Callable[[str, Any], str]) -> Callable[..., str]:
    def handle(args: Any = None, **_payload: Any) -> str:
        return answer(name, args)

    return handle
