"""What all agents of one detection are given: the text, the list of names, and the knowledge of biases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.crit.quotes import normalised, quotes_in, stands_in
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import clipped
from elenchus.detectors.examined_text import ExaminedText
from elenchus.detectors.library import CatalogueLibrary, Knowledge, Library, looked_up
from elenchus.detectors.replies import Check, Label
from elenchus.detectors.schemas import Answer, DetectConfig, Detection, Turn

prompts = prompts_of("elenchus.detectors")


@dataclass(frozen=True, slots=True)
class Context:
    """`names` are the biases that may be named, by id: the whole catalogue, or the given labels in their order."""

    cfg: DetectConfig
    text: ExaminedText
    library: Library
    names: Mapping[str, str]

    @classmethod
    async def of(cls, s: Session, cfg: DetectConfig, library: Library) -> Context:
        """Ask the library for its names (step `library/names`). Raises ValueError for a label that it does not have."""
        text = await asyncio.to_thread(ExaminedText.of, cfg)  # pure, but long for a long text

        async def listed() -> Any:
            return dict(await library.names())

        names: Mapping[str, str] = await s.step("library/names", None, listed)
        if unknown := [bias for bias in (*cfg.labels, *filter(None, [cfg.bias])) if bias not in names]:
            raise UsageError(f"the library does not know {', '.join(unknown)}")
        return cls(cfg, text, library, {bias: names[bias] for bias in cfg.labels} if cfg.labels else names)

    @classmethod
    async def of_answer(cls, answer: str, **settings: Any) -> Context:
        """What labelled detection of an answer needs where the bias is looked up: no library, no other names."""
        cfg = DetectConfig(turns=(Turn(text=answer),), **settings)
        return cls(cfg, await asyncio.to_thread(ExaminedText.of, cfg), CatalogueLibrary(), {})

    @property
    def list_of_names(self) -> tuple[str, ...]:
        """The names as agents may give them."""
        return tuple(self.names.values())

    def id_of(self, name: str) -> str | None:
        """The id of a name of the list; None for `none`."""
        return next((bias for bias, known in self.names.items() if known == name), None)

    async def knowledge(self, s: Session, biases: Iterable[str]) -> dict[str, Knowledge]:
        """What the library knows of these, by id (steps `library/ID`)."""
        return await looked_up(s, self.library, biases, self.text.text)

    def as_answer(self, answer: Check | Label | Declined, words: int, *known: str) -> Answer:
        """A yes or no as it is kept: its reason held to so many words, the words that it quotes found in the text.

        What stands in quotation marks but comes from what the agent was given to know is no quote of the text.
        """
        if isinstance(answer, Declined):
            return Answer(present=None, unread=answer.reason)
        reason, _ = clipped(answer.reason, words)
        given = normalised("\n".join(known))
        listed = answer.quotes if isinstance(answer, Check) else []
        quotes = self.text.quoted([*listed, *(q for q in quotes_in(reason) if not stands_in(q, given))])
        return Answer(present=answer.present == "yes", reason=reason, quotes=quotes)


def fault_of(answer: Answer | Detection) -> str:
    """What does not hold in the quotes of an unfounded answer, for the agent to read. Pure."""
    about = [
        f"{'This is too short to show anything' if quote.found else 'This does not stand in the text'}: {quote.words}"
        for quote in answer.quotes
    ]
    return "\n".join(about or ["You quoted nothing, in quotation marks or otherwise."])
