"""`herma doctor --host opencode`."""

from argparse import Namespace

from herma import __version__
from herma.cli.opencode.checks import checks
from herma.cli.output import say, say_json
from herma.cli.report import as_data, as_lines, summed_up, worst
from herma.install.machine import Machine
from herma.install.opencode.places import places

__all__ = ["run"]

SCHEMA = "herma/doctor/1"


def run(arguments: Namespace, machine: Machine) -> int:
    """Check OpenCode as this person has it; the exit code."""
    found = list(checks(machine, arguments.opencode))
    config = str(places(machine).config)
    if arguments.json:
        data = {
            "herma": __version__,
            "status": worst(found).value,
            "checks": [],
            "hosts": [
                {"configuration": config, "status": worst(found).value, "checks": [as_data(check) for check in found]}
            ],
        }
        say_json(SCHEMA, data)
    else:
        title = f"OpenCode, configured in {config}"
        say([f"herma {__version__}", "", title, *as_lines(found), "", summed_up(found)])
    return worst(found).exit_code
