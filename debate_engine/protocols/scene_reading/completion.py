"""What of a script is given to a model to complete, and what comes of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from elenchus.debate_engine.protocols.scene_reading.protocol import Completed, Open, ReadingConfig
from elenchus.debate_engine.scenes.faults import ONLY_DESCRIBED, Finding, remark
from elenchus.debate_engine.scenes.lenient.reading import NO_MODE, Reading, ReadRule
from elenchus.debate_engine.scenes.review import to_be_reviewed

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
    findings += [remark(read.line, note, _LOOK) for read in rules for note in read.notes]
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


def _open(number: int, read: ReadRule, what: str) -> Open:
    rule = read.rule
    return Open(
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
