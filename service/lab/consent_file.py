"""A study's own consent, read from a file: YAML, or Markdown whose front matter has the entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import yaml_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.config import Terms
from elenchus.debate_engine.scenes.plain_words import told_of

LARGEST = 100_000
"""Bytes of the file."""
FENCE = "---"


def read_terms(path: Path) -> Terms:
    """The study's terms. Raises UsageError naming what is missing or wrong."""
    try:
        return terms_in(read_text(path, LARGEST, "consent"), path.name)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def terms_in(text: str, name: str) -> Terms:
    """The same from the file's text; of Markdown what stands below the front matter is the study's own text."""
    head, body = text.replace("\r\n", "\n"), ""
    if head.lstrip().startswith(f"{FENCE}\n"):
        _, head, *rest = head.split(f"{FENCE}\n", 2)
        body = rest[0].strip() if rest else ""
    given = yaml_in(head, name)
    if not isinstance(given, dict):
        raise UsageError(f"{name} is no consent: write `contact: …`, an entry a line.")
    try:
        return Terms.model_validate({**given, **({"text": body} if body else {})})
    except ValidationError as error:
        raise UsageError(f"{name}: {'; '.join(_fault(one) for one in error.errors(include_url=False))}.") from error


def _fault(one: Any) -> str:
    name = ".".join(str(part) for part in one["loc"])
    if one["type"] == "missing":
        return f"{name} is missing, and people must know it"
    if one["type"] == "extra_forbidden":
        return f"{name} means nothing here; there are {', '.join(Terms.model_fields)}"
    return f"{name}: {told_of(one)}"


def promises(mode: str, terms: Terms | None, approval: str = "") -> dict[str, Any]:
    """The settings of a scene with people that say what they are promised. Raises UsageError where these do not fit."""
    mode = mode.strip() or "demonstration"
    if mode not in ("demonstration", "study"):
        raise UsageError(f"{mode!r} is no mode: it is demonstration or study.")
    if mode == "study" and terms is None:
        raise UsageError(
            "A study needs a consent of its own: give a file with contact, responsible, purpose and retention_days."
        )
    if mode == "demonstration" and terms is not None:
        raise UsageError("A consent of one's own is for a study: say the mode study, or leave the consent out.")
    return {"mode": mode, "terms": terms, "ethics_approval": " ".join(approval.split())}
