"""Refining: what reading does to the profile. A change that breaks a rule is sent back once, then nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.config import MindSettings
from elenchus.debate_engine.protocols.cognition.forms import (
    Reason,
    Refining,
    SmallChange,
    SmallRefining,
    profile_in,
    refining_form,
)
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.profile import Change, Profile, diff, faults_in_change
from elenchus.debate_engine.protocols.crit.quotes import missing, normalised
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


@dataclass(frozen=True, slots=True)
class Refined:
    """The profile after reading. `why_kept`: why it is the one before although another one was answered, or none."""

    profile: Profile
    changes: tuple[Change, ...] = ()
    assessment: str = ""
    why_kept: tuple[str, ...] = ()


async def refine(s: Session, cfg: MindSettings, profile: Profile, text: str) -> Refined:
    """What a text does to a profile. Step keys: `refine`, `refine/again`."""

    async def asked(key: str, sent_back: str = "") -> Refining | SmallRefining | Declined:
        if cfg.small:
            return await s.ask(
                key, PERSONA, prompts.small_refine, SmallRefining, sent_back=sent_back,
                profile=profile.text, text=text, most=cfg.most_changes, language=cfg.language,
            )  # fmt: skip
        return await s.ask(
            key,
            PERSONA,
            prompts.refine,
            refining_form(profile),
            sent_back=sent_back,
            profile=profile.text,
            text=text,
            most=cfg.most_changes,
            language=cfg.language,
        )

    first = await asked("refine")
    if isinstance(first, Declined):
        return Refined(profile, why_kept=(first.reason,))
    refined = refined_by(first, profile, text, cfg.most_changes)
    if not refined.why_kept:
        return refined
    again = await asked(f"refine{AGAIN}", "\n".join(f"- {fault}" for fault in refined.why_kept))
    return refined if isinstance(again, Declined) else refined_by(again, profile, text, cfg.most_changes)


def refined_by(answer: Refining | SmallRefining, before: Profile, text: str, most: int) -> Refined:
    """What comes of an answer: another profile, or the one before and all that is wrong with the answer. Pure."""
    if isinstance(answer, SmallRefining):
        after, reasons = _with_changes(before, answer), [_as_reason(change) for change in answer.changes]
    else:
        after, reasons = profile_in(answer.updated_profile.model_dump()), answer.changes
    normal = normalised(text)
    changes = [_with_reason(change, reasons, normal) for change in diff(before, after)]
    if faults := [*faults_in_change(before, after, most), *_unfounded(changes)]:
        return Refined(before, assessment=answer.assessment, why_kept=tuple(faults))
    kept = {**before.traits, **{change.attribute: change.after for change in changes}}
    return Refined(Profile.model_validate(kept), tuple(changes), answer.assessment)


def _with_changes(before: Profile, answer: SmallRefining) -> Profile:
    """The profile before with what changes, each attribute in its structure."""
    given = {one.attribute: [value.strip() for value in one.values if value.strip()] for one in answer.changes}
    new = {
        name: ", ".join(values) if isinstance(before[name], str) else tuple(values) for name, values in given.items()
    }
    return Profile.model_validate({**before.traits, **new})


def _as_reason(change: SmallChange) -> Reason:
    return Reason(attribute=change.attribute, reason=change.reason, sentences=[change.sentence])


def _with_reason(change: Change, answered: Sequence[Reason], normal: str) -> Change:
    """The change with why, and those of its sentences that stand in the text, which is `normalised`."""
    reasons = [reason for reason in answered if reason.attribute == change.attribute]
    given = [sentence for reason in reasons for sentence in reason.sentences if sentence.strip()]
    lost = missing(given, normal)
    return change.model_copy(
        update={
            "reason": " ".join(reason.reason.strip() for reason in reasons),
            "quotes": tuple(dict.fromkeys(s.strip() for s in given if s.strip() not in lost)),
            "missing_quotes": lost,
        }
    )


def _unfounded(changes: Sequence[Change]) -> list[str]:
    faults = [f"{c.attribute} changed, and changes say nothing of it: give the reason" for c in changes if not c.reason]
    return faults + [
        f"{c.attribute}: none of its sentences stands in the text: copy one exactly"
        for c in changes
        if c.reason and not c.quotes
    ]
