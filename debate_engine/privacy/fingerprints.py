"""A rewritten record made whole again: each step's input and fingerprint as a replay of it finds them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import Event, Recorded, Said, StepDone, TurnOpened
from elenchus.debate_engine.privacy.person_words import REDACTED, PersonWords, changed_texts
from elenchus.debate_engine.steps import RELEASE, hash_of, inputs_of, release_of, unknown_input

if TYPE_CHECKING:
    from elenchus.debate_engine.privacy.redaction import Redaction


def renewed(rewritten: Sequence[Recorded], inputs: dict[str, Any], words: PersonWords) -> list[Recorded]:
    """The rewritten record with each step's input and fingerprint as a replay of it found them.

    A step that the replay did not reach gets the fingerprint of its rewritten input. Of a step that another release
    has recorded, which may have asked otherwise, the rewritten input stays, and is compared no more.
    """

    def fresh(event: Event) -> Event:
        if not isinstance(event, Said | StepDone):
            return event
        if (release := release_of(event.input_hash)) != RELEASE:
            same = hash_of(inputs_of(event), release) == event.input_hash
            return event if same else event.model_copy(update={"input_hash": unknown_input(release)})
        found = inputs.get(event.step, inputs_of(event))
        changed = {"input_hash": hash_of(found)}
        if isinstance(event, StepDone):
            changed["inputs"] = changed_texts(found, words.mask)
        return event.model_copy(update=changed)

    return [r.model_copy(update={"event": fresh(r.event)}) for r in rewritten]


def as_replayed(renewed: Sequence[Recorded], inputs: dict[str, Any]) -> list[Recorded]:
    """The record of a session from which stated values are gone, with what a whole replay makes of the others' lines.

    What was only said or noted because of such a value is said no more; texts that were sent to models go.
    """

    def fresh(event: Event) -> Event:
        match event:
            case Said(step=step):
                return event.model_copy(update={"text": inputs[step][2] if step in inputs else REDACTED})
            case StepDone(step=step) if event.result == event.inputs and step in inputs:
                return event.model_copy(update={"result": inputs[step]})
            case StepDone():
                calls = tuple(call.model_copy(update={"sent": None}) for call in event.calls)
                return event.model_copy(update={"calls": calls})
        return event

    return [r.model_copy(update={"event": fresh(r.event)}) for r in renewed]


def without_prompts(rewritten: Sequence[Recorded], way: Redaction) -> list[Recorded]:
    """The rewritten record of a session of which a part is lost, without the texts of any prompt.

    With the event in which a person spoke it is lost which words in prompts are theirs; and no prompt is needed again.
    """

    def blank(asked: Any) -> Any:
        if not isinstance(asked, dict) or "prompt_id" not in asked:
            return asked
        way.strings += 1
        return {**asked, "role": REDACTED, "task": REDACTED, "person": "", "prefill": "", "material": []}

    def fresh(event: Event) -> Event:
        if isinstance(event, TurnOpened):
            return event.model_copy(update={"asked": blank(event.asked)})
        if isinstance(event, StepDone):
            calls = tuple(call.model_copy(update={"sent": None}) for call in event.calls)
            return event.model_copy(update={"inputs": blank(event.inputs), "calls": calls})
        return event

    return renewed([r.model_copy(update={"event": fresh(r.event)}) for r in rewritten], {}, way.words)
