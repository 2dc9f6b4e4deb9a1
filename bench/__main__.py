"""`python -m bench [NAME ...] [--json] [--quick]`."""

import argparse
import sys
from collections.abc import Callable

from bench import hooks, memory, reading, recall, sidecar
from bench.measure import Row, as_json, as_table

BENCHES: dict[str, Callable[..., list[Row]]] = {
    "hooks": hooks.rows,
    "memory": memory.rows,
    "reading": reading.rows,
    "recall": recall.rows,
    "sidecar": sidecar.rows,
}


def main() -> int:
    """Run the named benches, or all; each prints a table, or with --json one object on a line."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHES, []], metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--json", action="store_true", help="one JSON object a bench")
    parser.add_argument("--quick", action="store_true", help="few samples: shows that it runs, not what it costs")
    chosen = parser.parse_args()
    for name in chosen.names or BENCHES:
        rows = BENCHES[name](quick=chosen.quick)
        print(as_json(name, rows) if chosen.json else as_table(name, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
