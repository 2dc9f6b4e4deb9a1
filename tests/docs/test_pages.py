"""The documents are true: generated parts are fresh, links lead somewhere, and nothing of a machine is in them."""

import re
import subprocess
from pathlib import Path

import pytest
from scripts.docs.__main__ import stale

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("integrations/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def test_what_is_generated_is_fresh() -> None:
    assert [str(path.relative_to(ROOT)) for path in stale()] == [], "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_to_a_file(page: Path) -> None:
    local = [target for target, _ in LINK.findall(page.read_text("utf-8")) if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_every_page_of_the_documentation_is_reachable_from_its_front_page() -> None:
    seen, waiting = set(), [ROOT / "docs" / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        waiting += [(page.parent / target).resolve() for target, _ in LINK.findall(page.read_text("utf-8"))]
    assert set(ROOT.glob("docs/**/*.md")) - seen == set()


def test_every_make_target_that_a_page_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`make ([a-z]+)", page.read_text("utf-8"))}
    assert named <= targets
    assert {"demo", "test"} <= named


def _tracked() -> list[Path]:
    # The files of the repository, also those not added yet; what is built here does not count.
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the files of the repository are not listed: this is no git checkout")
    return [ROOT / name for name in done.stdout.decode().split("\0") if name]


# Written in pieces, so that this file does not contain what it looks for.
FORBIDDEN = re.compile(
    "|".join(["/wor" + "k/", "/ro" + "ot/", "pypi" + r"[.\w]*/simple", "index" + "-url", "registry" + "=http"])
)


def test_no_file_names_a_machine_or_a_package_index() -> None:
    found = []
    for path in _tracked():
        if path.suffix in {".md", ".py", ".toml", ".txt", ".yaml", ".in", ""} and path.is_file():
            lines = path.read_text("utf-8", errors="replace").splitlines()
            found += [f"{path.relative_to(ROOT)}:{n}" for n, line in enumerate(lines, 1) if FORBIDDEN.search(line)]
    assert found == []
