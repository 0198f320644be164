"""A mind that lives on: one session, which rests until somebody feeds it, asks it or talks with it, today or next week.

What it is given are commands in its log, carried out in their order. Each ends in a record of what came of it
(`feed/12/closed`), and is never run again: so it can be resumed after a crash, also by a version whose prompts read
otherwise, and in the time that it takes to read the log. A command that cannot be carried out is closed too, with why.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from elenchus.debate_engine.events import EVERYONE, Attended, Fed, GivenToMind, Recorded, Surveyed, Talked
from elenchus.debate_engine.leaks import title_in
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.prompts import line, prompts_of
from elenchus.debate_engine.protocols.cognition.config import MindConfig
from elenchus.debate_engine.protocols.cognition.creation import first_profile
from elenchus.debate_engine.protocols.cognition.interpretation import (
    MEND,
    SHOWS_A_MODEL,
    as_lines,
    interpret,
)
from elenchus.debate_engine.protocols.cognition.memory import perceived, pieces_of, recalled
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.model_shown import model_shown
from elenchus.debate_engine.protocols.cognition.protocol import perceive, take_in
from elenchus.debate_engine.protocols.cognition.schemas import (
    LONGEST_FLOW,
    LONGEST_OPINION,
    MOST_QUESTIONS,
    Flow,
    InputResult,
    Iteration,
    Mind,
)
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.protocols.withholding import leak_in
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.session import Session

KEYS: Mapping[type[GivenToMind], str] = {Fed: "feed", Attended: "attended", Surveyed: "survey", Talked: "talk"}
AT_REST = "it waits to be fed or asked"
LONGEST_SAID = 150
"""Words of one part of a speech, as it is noted down."""
LONGEST_SPEAKER = 60
_INNER = str.maketrans("“”„‟", "‘’‚‛")
RECITES = "it read out what it is told to do, so nobody heard it"
MEND_RECITING = (
    "You read out what you are told to do: “{said}”. Nobody asked for that: answer as the person of the profile, in "
    "your own words."
)

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


async def mind(s: Session, config: Mapping[str, Any], recall: Recall) -> dict[str, Any]:
    """Live. `config` is a dumped MindConfig; there is no outcome, as it ends when somebody stops it."""
    cfg = MindConfig.model_validate(config)
    now, after, state = 0, 0, Mind(profile=await first_profile(s, cfg))
    attended = set[str]()
    while True:
        command = await s.next_command_or_rest(tuple(KEYS), after, AT_REST)
        done = await carried_out(s, cfg, recall, state, command, now, attended)
        now, after = done.iteration.iteration if done.iteration else now, command.seq
        state = state.having_done(done, now)


async def carried_out(
    s: Session, cfg: MindConfig, recall: Recall, mind: Mind, command: Recorded, now: int, attended: set[str]
) -> InputResult:
    """What comes of one command; of one that is closed, what its record says (step key `closed`).

    A session that it has `attended` is told to it once: whoever tells it may have died before knowing that it did.
    """
    given = command.event
    assert isinstance(given, GivenToMind)
    s = s.under(f"{KEYS[type(given)]}/{command.seq}")
    twice = isinstance(given, Attended) and given.session in attended
    if isinstance(given, Attended):
        attended.add(given.session)
    if (closed := s.found("closed")) is None:
        if why := "it has heard this already" if twice else not_to_be_done(given):
            done = InputResult(why_silent=why)
        else:
            done = await _carried_out(s, cfg, recall, mind, given, now)
        closed = await s.record("closed", done.model_dump(mode="json"))
    return InputResult.model_validate(closed)


async def _carried_out(
    s: Session, cfg: MindConfig, recall: Recall, mind: Mind, given: GivenToMind, now: int
) -> InputResult:
    match given:
        case Surveyed(questions=questions):
            return InputResult(answers=await interpret(s, cfg, recall, mind, questions, now))
        case Talked(text=text):
            return await talked(s, cfg, recall, mind, text, now)
    then = await perceive(s, cfg, recall, mind, flow_of(given), now + 1)
    return InputResult(iteration=iteration_of(then, now + 1))


def not_to_be_done(given: GivenToMind) -> str:
    """Why a command cannot be carried out, which front ends refuse beforehand; "" where it can. Pure."""
    texts = _texts_of(given)
    if not texts or any(map(is_blank, texts)):
        return "there is nothing in it"
    if isinstance(given, Surveyed) and len(texts) > MOST_QUESTIONS:
        return f"there are {len(texts)} questions, and {MOST_QUESTIONS} are the most"
    what, most = ("an opinion", LONGEST_OPINION) if isinstance(given, Surveyed) else ("it", LONGEST_FLOW)
    longest = max(map(len, texts))
    return f"{what} has {longest:,} characters, and {most:,} are the most" if longest > most else ""


def _texts_of(given: GivenToMind) -> tuple[str, ...]:
    match given:
        case Surveyed(questions=questions):
            return questions
        case Fed(texts=texts):
            return texts
        case Talked(text=text):
            return (text,)
    return tuple(line.text[:LONGEST_FLOW] for line in given.lines if not is_blank(line.text))


def flow_of(given: Fed | Attended) -> Flow:
    """What is read: texts as they were given, or what was heard, as the one who heard it would note it down."""
    if isinstance(given, Fed):
        return Flow(texts=given.texts, title=given.title, source=given.source)
    lines = (one for one in given.lines if not is_blank(one.text))
    heard = [part for one in lines for part in quoted("I said" if one.own else f"{named(one.speaker)} said", one.text)]
    noted = "\n\n".join([*quoted("I took part in this", given.title), *heard])
    return Flow(texts=(noted[:LONGEST_FLOW],), title=given.title, source=given.session)


def quoted(who: str, words: str) -> list[str]:
    """What somebody said as whoever heard it notes it down: in quotation marks that nothing in it can end, each part of
    a long speech in its own. So no speech can pass for another's, or for one's own.
    """
    return [f"{who}: “{line(part.translate(_INNER))}”" for part in pieces_of(words, LONGEST_SAID)]


def named(speaker: str) -> str:
    """A speaker's name as it stands before what they said: without what would end a name there."""
    return line(re.sub(r'[:“”„‟"]', " ", speaker))[:LONGEST_SPEAKER]


def iteration_of(mind: Mind, number: int) -> Iteration:
    """What an iteration leaves of a mind."""
    return Iteration(iteration=number, profile=mind.profile, taken=mind.taken, short_term=mind.short_term)


async def talked(s: Session, cfg: MindConfig, recall: Recall, mind: Mind, text: str, now: int) -> InputResult:
    """An answer in the persona's own words; what was said goes into short-term memory. Step keys: `recall`, `said`."""
    (memories,) = await recalled(s, cfg, recall, mind, [text], now)
    answer = await answered(s, cfg, mind, as_lines(memories), text)
    if isinstance(answer, Declined):
        return InputResult(why_silent=answer.reason)
    await s.say("said", PERSONA, [EVERYONE], answer, "answer")
    exchange = "\n\n".join([*quoted("Somebody said to me", text), *quoted("I answered", answer)])
    fillings, rest = perceived(mind.short_term, [exchange], cfg.capacity_words)
    then = mind.model_copy(update={"short_term": rest, "taken": None})
    for n, filling in enumerate(fillings, 1):
        then = await take_in(s.under(f"part/{n}"), cfg, recall, then, filling, now + 1)
    return InputResult(
        said=answer,
        recalled=tuple(one.id for one in memories),
        short_term=rest,
        iteration=iteration_of(then, now + 1) if fillings else None,
    )


async def answered(s: Session, cfg: MindConfig, mind: Mind, memories: Sequence[str], text: str) -> str | Declined:
    """The answer; one that shows a model or recites its prompt is sent back; none where the second one does so, too.

    Step keys: `answer`, `answer/again`.
    """
    known: dict[str, Any] = {
        "profile": mind.profile.text,
        "memories": memories,
        "lately": "\n\n".join(mind.short_term),
        "text": text,
        "language": cfg.language,
    }
    answer: str | Declined = await s.ask("answer", PERSONA, prompts.talk, **known)
    if isinstance(answer, Declined) or not (fault := await asyncio.to_thread(fault_in, answer, known)):
        return answer
    again: str | Declined = await s.ask(f"answer{AGAIN}", PERSONA, prompts.talk, sent_back=fault.mend, **known)
    if isinstance(again, Declined) or not (fault := await asyncio.to_thread(fault_in, again, known)):
        return again
    return Declined(fault.reason)


class SpokenFault(NamedTuple):
    """Why nobody hears an answer, and what its speaker is told of it."""

    reason: str
    mend: str


def fault_in(answer: str, known: Mapping[str, Any]) -> SpokenFault | None:
    """What is wrong with an answer to the prompt with these variables. Pure."""
    if said := model_shown(answer):
        return SpokenFault(SHOWS_A_MODEL, MEND.format(said=said))
    if said := leak_in(answer, prompts.talk, dict(known)) or title_in(answer, prompts.talk):
        return SpokenFault(RECITES, MEND_RECITING.format(said=said))
    return None
