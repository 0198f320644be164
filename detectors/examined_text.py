"""The text under examination: taken from a session, shown to every agent, and what quotes are checked against. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from elenchus.debate_engine.events import Recorded, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.prompts import fenced
from elenchus.debate_engine.protocols.crit.quotes import is_evidence, normalised, quotes_in, stands_in
from elenchus.debate_engine.protocols.rulegen.record import set_in
from elenchus.debate_engine.words import count_words, cut_at_sentence
from elenchus.detectors.schemas import DetectConfig, Quote, Turn

_BESIDE = 3072
"""Tokens of the longest prompt beside the text: a debate near its end, the knowledge of two biases, the reply."""

_ELLIPSIS = re.compile(r"[\[(]?(?:\.\s?\.\s?\.|…)[\])]?")


@dataclass(frozen=True, slots=True)
class Part:
    """One examined turn in its place in the whole text; `normal` is what quotes are compared with."""

    turn: Turn
    start: int
    end: int
    normal: str


@dataclass(frozen=True, slots=True)
class ExaminedText:
    """The text as it is examined: `text` is all that is shown, `parts` are those whose words count.

    `left_out` counts the words at the end that did not fit: all agents see the same. `shown` is `text` as prompts hold
    it, between two lines of ~, so that nothing in it can be taken for an instruction, and the further lines of a turn
    set in, so that none passes for somebody else's turn.
    """

    text: str
    shown: str
    parts: tuple[Part, ...]
    left_out: int

    @classmethod
    def of(cls, cfg: DetectConfig) -> ExaminedText:
        """Cut the turns to what the smallest context has room for beside prompts, debate and reply, and join them."""
        kept = list(_fitting(cfg.turns, max(cfg.context_tokens // 4, cfg.context_tokens - _BESIDE)))
        text, parts = "", []
        for turn in kept:
            text += ("\n\n" if text else "") + _head(turn)
            if cfg.speaker in ("", turn.speaker):
                parts.append(Part(turn, len(text), len(text) + len(turn.text), normalised(turn.text)))
            text += turn.text
        only = f"Only what {cfg.speaker} says is examined; the others' words are there to understand it.\n"
        rows = (_head(turn) + (set_in(turn.text) if turn.speaker else turn.text) for turn in kept)
        shown = (only if cfg.speaker else "") + fenced("\n\n".join(rows))
        return cls(text, shown, tuple(parts), _words(cfg.turns) - _words(kept))

    def quoted(self, words: Iterable[str]) -> tuple[Quote, ...]:
        """Quotes, each once, with their places."""
        quotes = dict.fromkeys(quote.strip() for quote in words if any(map(str.isalnum, quote)))
        return tuple(map(self._quote, quotes))

    def quoted_in(self, reason: str) -> tuple[Quote, ...]:
        """The quotes that stand in quotation marks in a text."""
        return self.quoted(quotes_in(reason))

    def holds(self, quote: str) -> bool:
        """Whether the words stand in the examined text."""
        return any(stands_in(quote, part.normal) for part in self.parts)

    def _quote(self, words: str) -> Quote:
        for part in self.parts:
            if stands_in(words, part.normal):
                spans = tuple((part.start + a, part.start + b) for a, b in spans_of(words, part.turn.text))
                turn = part.turn.number if part.turn.speaker else None
                short = not is_evidence(words, [part.normal])
                return Quote(words=words, found=True, short=short, spans=spans, turn=turn, speaker=part.turn.speaker)
        return Quote(words=words, found=False)


def spans_of(quote: str, text: str) -> list[tuple[int, int]]:
    """Where the parts of a quote (its ellipses apart) stand in a text, in order; [] where not all of them do."""
    spans: list[tuple[int, int]] = []
    place = 0
    for piece in _ELLIPSIS.split(quote):
        words = re.findall(r"[^\W_]+", piece)
        if not words:
            continue
        found = re.compile(r"[\W_]+".join(map(re.escape, words)), re.IGNORECASE).search(text, place)
        if found is None:
            return []
        place = found.end()
        spans.append((found.start(), found.end()))
    return spans


def _head(turn: Turn) -> str:
    about = f" ({turn.about})" if turn.about else ""
    return f"Turn {turn.number}, {turn.speaker}{about}:\n" if turn.speaker else ""


def _words(turns: Sequence[Turn]) -> int:
    return sum(count_words(turn.text) for turn in turns)


def _fitting(turns: Sequence[Turn], tokens: int) -> Iterator[Turn]:
    """The turns from the first on, as far as they fit; the last one may be shortened."""
    for turn in turns:
        head = estimate_tokens(_head(turn))
        wanted = head + estimate_tokens(turn.text)
        if wanted <= tokens:
            tokens -= wanted
            yield turn
            continue
        if short := _shortened(turn.text, tokens - head):
            yield turn.model_copy(update={"text": short})
        return


def _shortened(text: str, tokens: int) -> str:
    while text and estimate_tokens(text) > tokens:
        room = max(0, tokens) / estimate_tokens(text)
        text = text[: int(len(text) * min(0.98, room))]
    return cut_at_sentence(text)


# ── the transcript of a session as turns ──────────────────────────────────────────────────────────────────────────────

_NOT_SPOKEN = ("agenda", "claim", "warning", "weakest", "progress")
"""What the moderator alone is told, by its label: no words of a debater or a role."""


def turns_of(events: Iterable[Recorded]) -> tuple[Turn, ...]:
    """Everything that was said to anybody, in order, numbered from 1; `by` is the person on the speaker's seat."""
    known = list(events)
    people = _people(known)
    said = [s for s in transcript(known) if s.about not in _NOT_SPOKEN and s.text.strip()]
    return tuple(
        Turn(number=n, speaker=s.speaker, about=s.about, text=s.text, by=people.get(s.speaker, ""))
        for n, s in enumerate(said, 1)
    )


def _people(events: Iterable[Recorded]) -> dict[str, str]:
    """The persons on the seats, by their names in `by`."""
    seats = [seat for r in events if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    return {seat.name: seat.spec.partition(":")[2] for seat in seats if is_human(seat.spec)}


def people_examined(turns: Iterable[Turn], speaker: str) -> frozenset[str]:
    """Whose words are examined, as in `by`: the speaker's, or everybody's for ""; others' are for understanding."""
    return frozenset(turn.by for turn in turns if turn.by and speaker in ("", turn.speaker))


def speakers_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Who speaks, in the order of their first turns."""
    return tuple(dict.fromkeys(turn.speaker for turn in turns))
