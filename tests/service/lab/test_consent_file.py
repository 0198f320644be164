"""A study's consent, read from a file: what is none is refused in one sentence that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.consent_file import read_terms

ENTRIES = (
    "contact: a@example.org\nresponsible: A. Author\npurpose: To learn how prices are named.\nretention_days: 30\n"
)


@pytest.mark.parametrize(
    "text",
    ["--- x\n", "--- x\ncontact: a\n", "---", "---x\ny: 1\n", "", "--- \n", "---\n", "---\n---\n", "\n--- x\n---\n"],
)
def test_a_file_that_is_no_consent_is_a_usage_error_that_names_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "terms.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"terms\.md"):
        read_terms(path)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_front_matter_is_read_whatever_ends_its_lines(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "terms.md"
    path.write_bytes(f"---\n{ENTRIES}---\nOur own words.\n".replace("\n", ending).encode())
    terms = read_terms(path)
    assert (terms.retention_days, terms.text) == (30, "Our own words.")


def test_what_is_wrong_with_an_entry_is_told_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "terms.md"
    path.write_text(ENTRIES.replace("To learn how prices are named.", "x").replace("30", "soon"), encoding="utf-8")
    with pytest.raises(
        UsageError, match="purpose: write at least 10 characters; retention_days: “soon” is not a whole"
    ):
        read_terms(path)
