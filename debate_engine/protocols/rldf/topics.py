"""Topics for debates, written by a model a batch at a time; what says the same as one before it is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field

from elenchus.config.bias_type_catalogue import distinct
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.session import Session

WRITER = "writer"
BATCH = 20
_FRUITLESS = 3
"""Batches in a row without a new topic after which the writer is not asked again."""
_SHOWN = 100
"""Topics that the writer is shown at the most, the last ones: what it writes again is left out in any case."""

prompts = prompts_of("elenchus.debate_engine.protocols.rldf")


class TopicsConfig(FrozenModel):
    """So many topics, none of which says the same as one that is `there`."""

    number: int = Field(ge=1, le=5_000)
    there: tuple[str, ...] = ()
    language: str = ""


class Topics(FrozenModel):
    """The topics; fewer than asked for where the writer had no more. `same` were left out, as they were there."""

    topics: tuple[str, ...]
    same: int


class TopicBatch(BaseModel):
    """A batch."""

    topics: list[Annotated[str, Field(json_schema_extra=at_most(12, characters=80))]] = Field(
        description="each in at most 6 words", min_length=1, max_length=BATCH
    )


async def topics(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped `TopicsConfig` in, dumped `Topics` out. Step keys: `write/1` and so on."""
    cfg = TopicsConfig.model_validate(config)
    kept: tuple[str, ...] = ()
    same = fruitless = batch = 0
    while len(kept) < cfg.number and fruitless < _FRUITLESS:
        batch += 1
        written = await s.ask(
            f"write/{batch}", WRITER, prompts.topics, TopicBatch,
            number=min(BATCH, cfg.number - len(kept)), taken=[*cfg.there, *kept][-_SHOWN:], language=cfg.language,
        )  # fmt: skip
        given = [] if isinstance(written, Declined) else written.topics
        new = distinct(given, (*cfg.there, *kept))
        same += len(given) - len(new)
        kept += new[: cfg.number - len(kept)]
        fruitless = 0 if new else fruitless + 1
    return Topics(topics=kept, same=same).model_dump(mode="json")
