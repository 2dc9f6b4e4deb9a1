import re
from pathlib import Path

import pytest
from scripts.environments.ground import ROOT
from scripts.lock import RELEASE, tidy

REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))
HASH = f"    --hash=sha256:{'0' * 64}"


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_a_pinned_file_holds_exact_releases_with_hashes_and_nothing_else(path: Path) -> None:
    head, _, releases = path.read_text(encoding="utf-8").partition("\n")

    assert head.startswith("# ")
    assert RELEASE.sub("", releases).strip() == ""
    assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|/", releases)


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_a_pinned_file_has_every_name_of_the_file_it_is_made_from(path: Path) -> None:
    asked = re.findall(r"^[\w.-]+", path.with_suffix(".in").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = re.findall(r"^([\w.-]+)==", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert asked
    assert {name.lower().replace(".", "-") for name in asked} <= set(pinned)


def test_tidying_sorts_keeps_markers_and_drops_where_it_was_read() -> None:
    compiled = (
        "# made at /home/someone\n--find-links https://somewhere.example/files\n"
        f"rich==15.0.0 \\\n{HASH}\n    # from somewhere\n"
        f"colorama==0.4.6 ; sys_platform == 'win32' \\\n{HASH} \\\n{HASH}\n"
    )

    assert tidy(compiled, made_from="dev.in") == (
        "# Made from dev.in by `make lock`. Do not edit.\n"
        f"colorama==0.4.6 ; sys_platform == 'win32' \\\n{HASH} \\\n{HASH}\n"
        f"rich==15.0.0 \\\n{HASH}\n"
    )


@pytest.mark.parametrize("line", ["rich>=15", "rich==15.0.0", f"rich @ https://example/rich.whl \\\n{HASH}"])
def test_tidying_refuses_what_is_not_pinned(line: str) -> None:
    with pytest.raises(ValueError, match=r"dev\.in: not pinned"):
        tidy(line + "\n", made_from="dev.in")
