"""Completes a script that was read: who speaks to whom where it does not say, and the system's messages in real words.

One small step a rule, side by side. A model only decides what the reader calls unclear; what it says is checked against
the cast, and shown as its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.scenes.consistency import ONLY_DESCRIBED
from elenchus.debate_engine.scenes.faults import Finding, warning
from elenchus.debate_engine.scenes.lenient.reading import NO_MODE, Reading, ReadRule
from elenchus.debate_engine.scenes.review import to_be_reviewed
from elenchus.debate_engine.scenes.scene import SYSTEM, Mode
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

READER = "reader"
"""The one seat."""

prompts = prompts_of("elenchus.debate_engine.protocols.scene_reading")


class OpenRule(FrozenModel):
    """A rule (from 1) that leaves something open: `parties` (who speaks to whom) or the system's `message`."""

    rule: int
    line: int
    mode: Mode
    content: str
    initiator: str
    receivers: tuple[str, ...]
    what: str


class ReadingConfig(FrozenModel):
    """What is to be completed. `cast` holds a line for each role, `course` one for each rule, as far as it is known."""

    title: str
    background: str
    names: tuple[str, ...]
    cast: tuple[str, ...]
    course: tuple[str, ...]
    open: tuple[OpenRule, ...]


_SENTENCE, _NAME, _TEXT = at_most(80, characters=300), at_most(12, characters=60), at_most(400, characters=1_500)


class Parties(BaseModel):
    """Who speaks to whom under one rule."""

    reason: str = Field(description="the reason, in one sentence", json_schema_extra=_SENTENCE)
    initiator: str = Field(description="the name of the one who speaks first", json_schema_extra=_NAME)
    receivers: list[str] = Field(description="the names of those who are spoken to", min_length=1, max_length=20)


class Message(BaseModel):
    """The words of a message."""

    message: str = Field(description="the whole text that is received, with all its figures", json_schema_extra=_TEXT)


class Completed(FrozenModel):
    """What a model made of one open rule; `failed` says why nothing came of it: then the rule stays as it was."""

    rule: int
    line: int
    what: str
    initiator: str = ""
    receivers: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""
    failed: str = ""


class CompletedScene(FrozenModel):
    """What became of the open rules."""

    completed: tuple[Completed, ...]


async def complete_scene(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Complete every open rule on the seat `reader`, parties first; a dumped `CompletedScene`.

    `config` is a dumped `ReadingConfig`. Step keys: `rule/3/parties`, `rule/4/message`.
    """
    cfg = ReadingConfig.model_validate(config)
    parties = [rule for rule in cfg.open if rule.what == "parties"]
    decided = await together(*(decide(s.under(f"rule/{rule.rule}"), cfg, rule) for rule in parties))
    to = {one.rule: one.receivers for one in decided if not one.failed}
    messages = [
        rule.model_copy(update={"receivers": to.get(rule.rule, rule.receivers)})
        for rule in cfg.open
        if rule.what == "message"
    ]
    written = await together(*(write_message(s.under(f"rule/{rule.rule}"), cfg, rule) for rule in messages))
    return CompletedScene(completed=(*decided, *written)).model_dump(mode="json")


async def decide(s: Session, cfg: ReadingConfig, rule: OpenRule) -> Completed:
    """Who speaks to whom. An answer that names nobody of the cast decides nothing."""
    told: dict[str, Any] = {"cast": cfg.cast, "course": cfg.course, "rule": rule.content, "mode": rule.mode}
    given = await s.ask("parties", READER, prompts.decide, Parties, optional=True, number=rule.rule, **told)
    base = Completed(rule=rule.rule, line=rule.line, what=rule.what)
    if isinstance(given, Declined):
        return base.model_copy(update={"failed": given.reason})
    known = {name.casefold(): name for name in cfg.names}
    of_system = rule.mode == "self-receiving"
    initiator = SYSTEM if of_system else known.get(given.initiator.strip().casefold(), "")
    named = [known.get(name.strip().casefold(), "") for name in given.receivers]
    receivers = tuple(dict.fromkeys(name for name in named if name and name != initiator))
    if rule.mode == "broadcast":
        receivers = tuple(name for name in cfg.names if name != initiator)
    if not initiator or not receivers or (rule.mode == "unicast" and len(receivers) > 1):
        return base.model_copy(update={"failed": "it named nobody of the cast, or too many"})
    return base.model_copy(update={"initiator": initiator, "receivers": receivers, "reason": given.reason.strip()})


async def write_message(s: Session, cfg: ReadingConfig, rule: OpenRule) -> Completed:
    """The real words of a message that the script describes."""
    given = await s.ask(
        "message",
        READER,
        prompts.message,
        Message,
        optional=True,
        background=cfg.background,
        course=cfg.course,
        number=rule.rule,
        receivers=", ".join(rule.receivers),
        rule=rule.content,
    )
    base = Completed(rule=rule.rule, line=rule.line, what=rule.what)
    if isinstance(given, Declined):
        return base.model_copy(update={"failed": given.reason})
    text = given.message.strip()
    return base.model_copy(update={"message": text, "failed": "" if text else "it wrote nothing"})


# ── what of a script is left to a model, and what comes of it (pure) ─────────────────────────────────────────────────

_LOOK = "look whether that is right"


def left_to_decide(reading: Reading, title: str) -> ReadingConfig:
    """Everything that the reader calls unclear, and each message of the system that is only described."""
    return ReadingConfig(
        title=title,
        background=reading.background,
        names=tuple(role.name for role in reading.roles),
        cast=tuple(f"{role.name} ({role.kind}): {role.task}" for role in reading.roles),
        course=tuple(f"{n}. {read.rule.mode}: {read.rule.content}" for n, read in enumerate(reading.rules, 1)),
        open=tuple(_open(number, read, what) for number, read in enumerate(reading.rules, 1) for what in _lacks(read)),
    )


def completed(reading: Reading, found: Sequence[Completed], spec: str) -> Reading:
    """The reading with what the model `spec` decided and wrote; each such rule says so, and nobody has reviewed it."""
    rules = list(reading.rules)
    for one in found:
        read = rules[one.rule - 1]
        note = _note(one, spec)
        given: dict[str, object] = {} if one.failed else _given(one)
        rules[one.rule - 1] = replace(read, rule=read.rule.model_copy(update=given), notes=(*_kept(read, one), note))
    notes = {note for read in reading.rules for note in read.notes}
    findings = [finding for finding in not_mended(reading.findings, rules) if finding.what not in notes]
    findings += [warning(read.line, note, _LOOK) for read in rules for note in read.notes]
    changed = replace(reading, rules=tuple(rules), findings=tuple(sorted(findings)))
    if not any(not one.failed for one in found):
        return changed
    scene = replace(changed, written=None).scene()
    if reading.written is not None:
        scene = reading.written.model_copy(update={"rules": tuple(read.rule for read in rules)})
    return replace(changed, written=to_be_reviewed(scene, spec))


def not_mended(findings: Iterable[Finding], rules: Iterable[ReadRule]) -> list[Finding]:
    """The findings but those that a message lacks words, where the rule on that line has them by now."""
    written = {read.line for read in rules if read.rule.message}
    return [finding for finding in findings if finding.what != ONLY_DESCRIBED or finding.line not in written]


def _lacks(read: ReadRule) -> list[str]:
    """What a model is asked of a rule; the parties first, for who gets a message stands in it."""
    message = read.rule.mode == "self-receiving" and not read.rule.message
    return ([] if read.clear else ["parties"]) + (["message"] if message else [])


def _open(number: int, read: ReadRule, what: str) -> OpenRule:
    rule = read.rule
    return OpenRule(
        rule=number,
        line=read.line,
        mode=rule.mode,
        content=rule.content,
        initiator=rule.initiator,
        receivers=rule.receivers,
        what=what,
    )


def _given(one: Completed) -> dict[str, object]:
    return (
        {"message": one.message} if one.what == "message" else {"initiator": one.initiator, "receivers": one.receivers}
    )


def _kept(read: ReadRule, one: Completed) -> tuple[str, ...]:
    """The reader's own notes, but for the guess that the model has replaced; the mode it does not decide."""
    return tuple(note for note in read.notes if one.failed or one.what == "message" or note.startswith(NO_MODE))


def _note(one: Completed, spec: str) -> str:
    if one.failed:
        return f"{spec} was asked and decided nothing ({one.failed})"
    if one.what == "message":
        return f"{spec} wrote the system's message"
    return f"{spec} decided that {one.initiator} speaks to {', '.join(one.receivers)}: {one.reason}"
