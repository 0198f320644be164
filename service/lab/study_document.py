"""A study as a JSON document, from which it reads back the same: also numbers that JSON has no sign for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study


def study_document(study: Study) -> dict[str, Any]:
    """The document. A large study takes a while: call it off the event loop."""
    document = _finite(study.model_dump(mode="json"))
    assert isinstance(document, dict), "a model is a mapping"
    return document


def study_in(document: Mapping[str, Any]) -> Study:
    """The study in a document; off the event loop too. Raises pydantic.ValidationError."""
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study

    return Study.model_validate_json(json_text(document))  # as JSON its lists are tuples again


def _finite(value: Any) -> Any:
    """The value with `Infinity` and the like as texts, which read back as numbers."""
    match value:
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        case dict():
            return {name: _finite(one) for name, one in value.items()}
        case list():
            return [_finite(one) for one in value]
    return value
