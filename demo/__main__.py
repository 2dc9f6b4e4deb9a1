"""`python -m demo [--hermes VERSION] [--json]`: started by `make demo`, which installs what it needs."""

import argparse
import sys

from tests.hosts.hermes import VERSIONS, find

from demo import opencode, people
from demo.run import run
from demo.show import as_json, as_text


def main() -> int:
    """Run the demo; 2 where that Hermes is not installed."""
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--hermes", choices=VERSIONS, default=VERSIONS[0], help="which real Hermes to run")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a page")
    chosen = parser.parse_args()
    hermes = find(chosen.hermes)
    if hermes.missing:
        print(f"error: {hermes.missing}", file=sys.stderr)
        return 2
    demo, recall, shown = run(hermes), opencode.recall(), people.people(hermes)
    if chosen.json:
        print(as_json(demo, opencode=opencode.as_data(recall), people=people.as_data(shown)))
    else:
        print(as_text(demo), people.as_text(shown), opencode.as_text(recall), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
