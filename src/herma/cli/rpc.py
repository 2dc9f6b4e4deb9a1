"""`herma rpc`: the process that a host which is not Python starts, and speaks with over stdin and stdout."""

import sys
from argparse import ArgumentParser, Namespace

from herma.cli.command import Command
from herma.install.machine import Machine

__all__ = ["COMMAND"]


def _configure(parser: ArgumentParser) -> None:
    parser.description = (
        "Answer a host's plugin: JSON-RPC 2.0, one object a line, on stdin and stdout, until stdin ends. "
        "Started by the plugin; for a person there is nothing to see here."
    )


def _run(_arguments: Namespace, machine: Machine) -> int:
    import signal  # noqa: PLC0415 - one command's needs
    import time  # noqa: PLC0415

    from herma.hosts.opencode.start import methods  # noqa: PLC0415
    from herma.rpc.server import serve  # noqa: PLC0415

    # Ctrl-C in the host's terminal reaches this process too; it leaves when the host does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sink = sys.stdout.buffer
    sys.stdout = sys.stderr  # what anything prints may not get between the lines
    clock = time.time  # noqa: TID251 - here it is injected
    serve(sys.stdin.buffer, sink, methods(machine.environ, machine.home, clock))
    return 0


COMMAND = Command("rpc", "answer a host's plugin over stdin and stdout", _configure, _run)
