"""A profile of a kind of person, such as “a landlord”, made as those of personas are."""

from __future__ import annotations

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.forms import Created, created_form, profile_in
from elenchus.debate_engine.protocols.cognition.profile import Profile, faults_in_new, tidied
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


async def profile_of_character(
    s: Session, key: str, seat: str, character: str, language: str = ""
) -> Profile | Declined:
    """A whole profile out of a line; one that breaks a rule is sent back once (step `KEY/again`), then mended by us.

    Declined where none came of it, or where the line means a living person.
    """
    first = await _asked(s, key, seat, character, language)
    if isinstance(first, Declined):
        return first
    if first.real_person == "living":
        return Declined(f"it means a real person who lives ({first.who.strip() or 'says the model'})")
    profile = profile_in(first.profile.model_dump())
    if faults := faults_in_new(profile):
        again = await _asked(s, f"{key}{AGAIN}", seat, character, language, "\n".join(f"- {one}" for one in faults))
        profile = profile if isinstance(again, Declined) else profile_in(again.profile.model_dump())
    return tidied(profile)


async def _asked(
    s: Session, key: str, seat: str, character: str, language: str, sent_back: str = ""
) -> Created | Declined:
    return await s.ask(
        key, seat, prompts.create, created_form(), sent_back=sent_back, character=character, myself=False,
        language=language,
    )  # fmt: skip
