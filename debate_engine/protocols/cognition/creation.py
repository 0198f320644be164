"""A profile out of a line: clear, specific, no stereotype, neutral. A living person has one made of themselves only."""

from __future__ import annotations

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.forms import Created, created_form, profile_in
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.profile import Profile, faults_in_new, tidied
from elenchus.debate_engine.protocols.cognition.schemas import MindConfig
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")


class NoProfile(ElenchusError):
    """No profile came of the line: give a whole profile, or another model."""

    exit_code = 3


class LivingPerson(ElenchusError):
    """The line means a real person who lives, and is not who makes the persona: invent somebody."""

    exit_code = 2


async def first_profile(s: Session, cfg: MindConfig) -> Profile:
    """Who the persona is at the beginning. Step keys: `create`, `create/again`, `profile`.

    Raises LivingPerson, NoProfile.
    """
    profile = cfg.profile or await created(s, cfg)
    return Profile.model_validate(await s.record("profile", profile.model_dump(mode="json")))


async def created(s: Session, cfg: MindConfig) -> Profile:
    """A profile that a model makes of the line; one that breaks a rule is sent back once, and then mended by us."""
    first = await _asked(s, cfg, "create")
    if isinstance(first, Declined):
        why = f"No profile came of this line ({first.reason})"
        raise NoProfile(f"{why}: give one as a file, or take another model.")
    if first.real_person == "living" and cfg.person != "myself":
        raise LivingPerson(
            f"This persona is a real person who lives ({first.who.strip() or 'says the model'}), and nobody else has a "
            "mind made of them. Invent somebody, or say that it is you."
        )
    profile = profile_in(first.profile.model_dump())
    if faults := faults_in_new(profile):
        again = await _asked(s, cfg, f"create{AGAIN}", "\n".join(f"- {fault}" for fault in faults))
        profile = profile if isinstance(again, Declined) else profile_in(again.profile.model_dump())
    return tidied(profile)


async def _asked(s: Session, cfg: MindConfig, key: str, sent_back: str = "") -> Created | Declined:
    return await s.ask(
        key, PERSONA, prompts.create, created_form(),
        sent_back=sent_back, character=cfg.character.text, myself=cfg.person == "myself", language=cfg.language,
    )  # fmt: skip
