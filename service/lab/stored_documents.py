"""Documents of the key-value store as the release that runs beside this one may have written them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.errors import NewerSchema

_log = logging.getLogger(__name__)
M = TypeVar("M", bound=BaseModel)


def stored(model: type[M], key: str, document: Any) -> M:
    """What the document says. Raises NewerSchema for one that is not of the form that this release knows."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise NewerSchema(
            f"{model.__name__} {key} was written by another version of Elenchus, probably a newer one ({place}: "
            f"{fault['msg']}): it goes on there."
        ) from error


def readable(model: type[M], documents: Mapping[str, Any]) -> Iterator[M]:
    """Those of the documents that this release reads; the log tells of others, which are left to the newer one."""
    for key, document in documents.items():
        try:
            yield stored(model, key, document)
        except NewerSchema as error:
            _log.warning("%s", error)
