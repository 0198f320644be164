"""From what a moderator typed to seats and settings. Pure; whatever cannot be done is refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from random import Random

from elenchus.bot.people import who
from elenchus.bot.rendering import safe
from elenchus.bot.strings import debate as words
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.socrasynth.agenda_text import topics_in
from elenchus.debate_engine.protocols.socrasynth.schemas import FEWEST_WORDS, MAX_TOPICS, MOST_WORDS, DebateConfig
from elenchus.debate_engine.protocols.speech import SIDES, Topic

LONGEST_MOTION, LONGEST_BRIEF, MOST_JUDGES, MOST_ROUNDS = 2_000, 6_000, 9, 20
LONGEST_AGENDA, LARGEST_AGENDA = 6_000, 100_000
"""Characters of an option, bytes of a file."""

_MEMBER = re.compile(r"<@!?([0-9]{5,19})>")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of one `/debate start`, as they were typed."""

    motion: str
    open_question: bool = False
    brief: str = ""
    pro: str = ""
    con: str = ""
    judges: str = ""
    topics: int = 5
    rounds: int = 5
    heat: float = 0.9
    language: str = ""
    private: bool = False
    budget_usd: float | None = None
    words: int = 80
    agenda: tuple[Topic, ...] = ()


@dataclass(frozen=True, slots=True)
class Defaults:
    """Who sits where when nobody says so (specs of models), and how a person's turn ends (`deadline` in seconds)."""

    debater: str
    judges: Sequence[str]
    deadline: float | None = 24 * 3600.0
    stand_in: str = ""


def members_in(wanted: Wanted) -> list[int]:
    """The ids of the members who are to sit, each once."""
    texts = (wanted.pro, wanted.con, wanted.judges)
    return list(dict.fromkeys(int(found) for text in texts for found in _MEMBER.findall(text)))


def members_of(specs: Sequence[str]) -> list[int]:
    """The members among these specs, each once."""
    found = [who.member_of(spec.removeprefix(f"{HUMAN}:")) for spec in specs]
    return list(dict.fromkeys(member for member in found if member is not None))


def seats_of(wanted: Wanted, defaults: Defaults, seed: int) -> tuple[Seat, ...]:
    """Everyone's seat. `seed` draws names; no name tells a model: whoever sits in a debate is not to know who is one.

    A member's seat has no name but its own: theirs comes with their agreement (SeatNamed). Raises UsageError.
    """
    sides = {side: spec_of(text, defaults.debater) for side, text in (("pro", wanted.pro), ("con", wanted.con))}
    judges = judges_of(wanted.judges, defaults)
    models = [parted(spec)[1] for spec in (*judges, *sides.values(), defaults.debater) if not is_human(spec)]
    specs = sides | {"crit": models[0]} | {f"judge-{n}": spec for n, spec in enumerate(judges, 1)}
    drawn = Random(seed).sample(words.NAMES, len(specs))
    return tuple(
        _seat(name, spec, words.persona(name, drawn[n]), defaults) for n, (name, spec) in enumerate(specs.items())
    )


def _seat(name: str, spec: str, title: str, defaults: Defaults) -> Seat:
    if not is_human(spec):
        persona, spec = parted(spec)
        if persona is None:
            return Seat(name=name, spec=spec, title=title)
        return Seat(name=name, spec=spec, title=words.persona(name, persona.name), manner=persona.manner)
    prepares = bool(defaults.stand_in) and name in SIDES
    return Seat(
        name=name, spec=spec, title=name, deadline=defaults.deadline, stand_in=defaults.stand_in, prepares=prepares
    )  # fmt: skip


def seat_for(name: str, spec: str, deadline: float | None, title: str = "") -> Seat:
    """A seat that scores or detects, of a model or a member; nobody stands in for a member there."""
    return (
        Seat(name=name, spec=spec, title=name, deadline=deadline)
        if is_human(spec)
        else Seat(name=name, spec=spec, title=title)
    )


def judges_of(text: str, defaults: Defaults) -> list[str]:
    """The judges' specs: named one after the other, a number of the default ones, or the default. Raises UsageError."""
    if not text.strip():
        return list(defaults.judges)
    if _NUMBER.fullmatch(typed := text.strip()):
        number = int(typed) if typed.isdecimal() and len(typed) < 3 else 0
        if not 1 <= number <= MOST_JUDGES:
            raise UsageError(words.judges_number(MOST_JUDGES))
        return [defaults.judges[n % len(defaults.judges)] for n in range(number)]
    specs = [
        spec_of(part, defaults.judges[0])
        for part in re.split(r"[,\s]+", _MEMBER.sub(r" \g<0> ", text).strip(" ,"))
        if part
    ]
    if len(specs) > MOST_JUDGES:
        raise UsageError(words.judges_number(MOST_JUDGES))
    return specs


def spec_of(text: str, default: str) -> str:
    """The spec that a text names: a member's mention, a model, or a persona with its model. Raises UsageError.

    A persona stands before the spec, as in `engineer@openai:gpt-6-luna`, also where its model was not said.
    """
    text = text.strip()
    if not text:
        return default
    if member := _MEMBER.fullmatch(text):
        return who.spec_of(int(member[1]))
    if is_human(text) or text.startswith(("@", "<@")):  # <@& is a role
        raise UsageError(words.NOT_A_MEMBER)
    try:
        persona, spec = parted(text)
    except ValueError as error:
        raise UsageError(safe.inline(str(error))) from error
    spec = spec or default if persona else spec
    if ":" not in spec or is_human(spec):
        raise UsageError(words.not_a_model(safe.inline(text)))
    return f"{persona.id}@{spec}" if persona else spec


def topics_of(typed: str) -> tuple[Topic, ...]:
    """An agenda as it is typed into an option of one line: topics with semicolons between. Raises UsageError."""
    lines = "\n".join(f"- {part.strip().removeprefix('- ')}" for part in re.split(r"[;\n]", typed) if part.strip())
    return topics_in(lines, words.AGENDA_OPTION) if lines else ()


def config_of(wanted: Wanted, seats: Sequence[Seat], vote_seconds: float | None = None) -> DebateConfig:
    """The debate's settings; on an open question nobody votes. Raises UsageError."""
    motion = " ".join(wanted.motion.split())
    if is_blank(motion):
        raise UsageError(words.NO_MOTION)
    if len(motion) > LONGEST_MOTION or len(wanted.brief) > LONGEST_BRIEF:
        raise UsageError(words.too_long(LONGEST_MOTION, LONGEST_BRIEF))
    numbers = ((wanted.topics, 1, MAX_TOPICS), (wanted.rounds, 1, MOST_ROUNDS), (wanted.heat, 0, 1),
               (wanted.words, FEWEST_WORDS, MOST_WORDS))  # fmt: skip
    if not all(least <= number <= most for number, least, most in numbers):
        raise UsageError(words.out_of_range(MAX_TOPICS, MOST_ROUNDS, FEWEST_WORDS, MOST_WORDS))
    return DebateConfig(
        motion=motion,
        open_question=wanted.open_question,
        brief=wanted.brief.strip(),
        topics=len(wanted.agenda) or wanted.topics,
        agenda=wanted.agenda,
        words_per_topic=wanted.words,
        max_rounds=wanted.rounds,
        heat=wanted.heat,
        language=" ".join(wanted.language.split())[:60],
        vote_seconds=None if wanted.open_question else vote_seconds,
        judges=tuple(seat.name for seat in seats if seat.name.startswith("judge-")),
    )


def started_of(
    cfg: DebateConfig, seats: Sequence[Seat], seed: int, budget_usd: float | None, budget_tokens: int | None,
    unpriced_usd: float | None = None,
) -> SessionStarted:  # fmt: skip
    """The session's first event."""
    return SessionStarted(
        protocol="socrasynth",
        title=cfg.motion,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=seed,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        unpriced_usd=unpriced_usd,
        version=version("elenchus"),
    )
