"""Questions that no rule foresees: they go to the moderator's seat at once, beside the rules, and are recorded.

They are answered while the asker's own turn stays open. So that a replay remembers them at the same place, what was
asked and answered enters the memories where the rules next take a step (`take_in_answers`), as a recorded result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import MODERATOR, Said, UnforeseenQuestion
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.leaks import deviation_of, leak_in
from elenchus.debate_engine.protocols.rulegen.memory import rounds_of
from elenchus.debate_engine.protocols.rulegen.people.ending import UNSCRIPTED
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.protocols.rulegen.role_agent import WORDS, tidied
from elenchus.debate_engine.protocols.rulegen.supervision import WITHHELD, as_told, note_on
from elenchus.debate_engine.scenes.language import phrase
from elenchus.debate_engine.scenes.scene import SYSTEM
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.steps import ReplayEnded
from elenchus.debate_engine.words import clipped

prompts = prompts_of("elenchus.debate_engine.protocols.rulegen.people")

LONGEST = 2_000
"""Characters of a question; the rest is cut off."""


@dataclass
class UnforeseenQuestions:
    """The questions of this run: `said` holds question and answer of each that is answered, by its number from 1."""

    cfg: SceneConfig
    said: dict[int, tuple[Said, ...]] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)

    @property
    def speaker(self) -> str:
        """In whose name the scene's own answers are given, "" where it has no moderator."""
        return next((role.name for role in self.cfg.scene.roles if role.kind == "moderator"), "")

    def fixed(self, number: int) -> str:
        """The scene's own answer to the question of this number (from 1), "" where the moderator is to answer."""
        answers = self.cfg.scene.answers
        if number <= len(answers):
            return answers[number - 1]
        last = answers and (self.cfg.scene.plan.questions == "fixed" or not self.moderator)
        return answers[-1] if last else ""

    @property
    def moderator(self) -> str:
        """Whose seat answers, "" where the scene has no moderator who ever speaks or is a person."""
        seated = {**self.cfg.models, **dict.fromkeys(self.cfg.people, "")}
        roles = (role.name for role in self.cfg.scene.roles if role.kind == "moderator" and role.name in seated)
        return next(roles, "")


async def answer_questions(s: Session, questions: UnforeseenQuestions) -> None:
    """Take up one question after the other, until cancelled. Ends quietly in a replay, when its record ends."""
    seq, number = 0, 0
    try:
        while True:
            command = await s.next_command(UnforeseenQuestion, seq)
            assert isinstance(command.event, UnforeseenQuestion)
            seq, number = command.seq, number + 1
            asked = command.event.model_copy(update={"text": command.event.text[:LONGEST]})
            questions.said[number] = await _answered(s.under(f"unscripted/{number}"), questions, number, asked)
    except ReplayEnded:
        return


async def _answered(
    s: Session, questions: UnforeseenQuestions, number: int, asked: UnforeseenQuestion
) -> tuple[Said, ...]:
    """Question and answer: the scene's own first, then the moderator's.

    Step keys: `asked`, `heard`, `answer`, `said`; `answer/2` and `note` where one leaks.
    """
    text = questions.fixed(number)
    moderator = questions.speaker if text else questions.moderator
    moderator = moderator if moderator != asked.seat else ""
    question = await s.utter("asked", asked.seat, [moderator or SYSTEM], asked.text, UNSCRIPTED)
    if moderator and not text:
        text = await _words_of(s, questions.cfg, moderator, asked)
    by = moderator if text and moderator else SYSTEM
    text = text or phrase(questions.cfg.scene.language, "cannot-answer")
    answer = await s.utter("said", by, [asked.seat], text, UNSCRIPTED)
    return question, answer


async def _words_of(s: Session, cfg: SceneConfig, moderator: str, asked: UnforeseenQuestion) -> str:
    """What the moderator answers, "" for no answer. What it has heard by now is a step: a replay is asked the same.

    An answer that gives away what the moderator was told beforehand is sent back once, then withheld.
    """
    role = next(role for role in cfg.scene.roles if role.name == moderator)

    async def heard() -> str:
        rounds = rounds_of(moderator, s.heard_by(moderator))
        return "\n".join(one.text for one in rounds[-cfg.short_term :])

    known = {
        "name": moderator,
        "background": role.background,
        "task": role.task,
        "heard": await s.step("heard", moderator, heard),
        "asker": asked.seat,
        "question": asked.text,
    }
    draft = mend = leaked = ""
    for key in ("answer", "answer/2"):
        given: str | Declined = await s.ask(
            key, moderator, prompts.unscripted, optional=True, **known, draft=draft, mend=mend
        )
        if isinstance(given, Declined):
            return ""
        if moderator in cfg.people:
            return given
        text = tidied(given, moderator)
        if not (leaked := leak_in(text, prompts.unscripted, known)):
            return clipped(text, WORDS)[0]
        draft, mend = text, as_told(deviation_of(leaked))
    await s.utter("note", SYSTEM, [MODERATOR], note_on(moderator, deviation_of(leaked), WITHHELD), DEVIATION)
    return ""


async def take_in_answers(s: Session, questions: UnforeseenQuestions, said: dict[str, Said]) -> None:
    """Put the questions answered meanwhile into everybody's memory and into `said`. Step key: `asides`."""

    async def answered() -> list[Any]:
        fresh = sorted(questions.said.keys() - questions.taken)
        return [{"n": n, "said": [one.model_dump(mode="json") for one in questions.said[n]]} for n in fresh]

    for taken in await s.step("asides", None, answered):
        questions.taken.add(taken["n"])
        for one in map(Said.model_validate, taken["said"]):
            s.take_in(one)
            said[one.step] = one
