"""`python -m scripts.docs` writes the generated pages; with `--check` it only says which are stale."""

import sys
from pathlib import Path

from scripts.docs.outputs import outputs

ROOT = Path(__file__).resolve().parents[2]


def stale(root: Path = ROOT) -> dict[Path, str]:
    """The generated files whose text in the repository is not what the tables give, with the right text."""
    wanted = {root / path: text for path, text in outputs(root).items()}
    return {path: text for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text}


def main() -> int:
    """Write what is stale, or with `--check` list it and return 1."""
    found = stale()
    for path, text in found.items():
        print(f"{'stale' if '--check' in sys.argv else 'written'}: {path.relative_to(ROOT)}")
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return 1 if found and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
