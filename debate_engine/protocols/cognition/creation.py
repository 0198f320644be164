"""Who a mind is at first: a whole profile, or one out of a line: clear, specific, no stereotype, neutral.

A living person has one made of themselves only: of a line and of a profile its model is asked whether they mean one.
"""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.leaks import ComparedText, visible
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.config import MindConfig
from elenchus.debate_engine.protocols.cognition.forms import (
    CreatedProfile,
    RealPersonInProfile,
    created_form,
    profile_in,
)
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.profile import Profile, faults_in_new, tidied
from elenchus.debate_engine.protocols.cognition.schemas import PersonCheck
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.cognition")

TOO_SMALL = "its model is too small to tell"
"""The embedded one takes everybody for a living person, or nobody, by how it is asked (decision 370)."""
SHORTEST_NAME = 8
"""Letters of a name that is looked for also where it is written in one word, or letter by letter."""
UNFOUNDED = "its model says that somebody living is meant, by no name and no words that stand in the profile"


class NoProfile(ElenchusError):
    """No profile came of the line: give a whole profile, or another model."""

    exit_code = 3


class LivingPerson(ElenchusError):
    """The line means a real person who lives, and is not who makes the persona: invent somebody."""

    exit_code = 2

    def __init__(self, who: str) -> None:
        who = who.strip() or "says the model"
        super().__init__(
            f"This persona is a real person who lives ({who}), and nobody else has a mind made of them. Invent "
            "somebody, or say that it is you."
        )
        self.who = who


async def first_profile(s: Session, cfg: MindConfig) -> Profile:
    """Who the persona is at the beginning.

    Step keys: `create` and `create/again`, or `person`; `person/checked`, `profile`. One that was made is asked nothing
    more, however the questions read now. Raises LivingPerson, NoProfile.
    """
    if (made := s.found("profile")) is not None:
        return Profile.model_validate(made)
    profile = cfg.profile or await created(s, cfg)
    if cfg.person != "myself":
        await check_person(s, cfg, profile)
    return Profile.model_validate(await s.record("profile", profile.model_dump(mode="json")))


async def check_person(s: Session, cfg: MindConfig, profile: Profile) -> None:
    """Have the persona's model say whether a whole profile is of somebody who lives; of a line it has said so already.

    Where nobody can tell, nobody is refused, and the record (`person/checked`) says why. Raises LivingPerson.
    """
    if cfg.small:
        found = PersonCheck(why_not=TOO_SMALL)
    elif cfg.profile is None:
        return
    else:
        answer = await s.ask(
            "person", PERSONA, prompts.person, RealPersonInProfile, profile=visible(profile.text),
            called=visible(cfg.called),
        )  # fmt: skip
        found = person_found(answer, profile, cfg.called)
    await s.record("person/checked", found.model_dump(mode="json"))
    if found.real_person == "living":
        raise LivingPerson(found.who)


def person_found(answer: RealPersonInProfile | Declined, profile: Profile, called: str = "") -> PersonCheck:
    """What an answer says. Of one who is said to live the name, or the words that tell, stand in the profile, or in
    what the persona is `called`. Pure.
    """
    if isinstance(answer, Declined):
        return PersonCheck(why_not=answer.reason)
    lines = [*profile.text.splitlines(), called]
    founded = any(_stands_in(one, lines) for one in map(ComparedText.of, (answer.who, answer.words)))
    if answer.real_person == "living" and not founded:
        return PersonCheck(why_not=UNFOUNDED)
    return PersonCheck(real_person=answer.real_person, who=answer.who.strip())


def _stands_in(given: ComparedText, lines: Sequence[str]) -> bool:
    """Whether these words stand in one of the lines in whatever order, or their letters in a row, however written."""
    in_a_row = len(given.letters) >= SHORTEST_NAME and given.letters in ComparedText.of("\n".join(lines)).letters
    told = (ComparedText.of(line).counted for line in lines)
    return bool(given.words) and (in_a_row or any(given.counted <= words for words in told))


async def created(s: Session, cfg: MindConfig) -> Profile:
    """A profile that a model makes of the line (see `profile_of_character`). Raises LivingPerson, NoProfile."""
    myself = cfg.person == "myself"
    called = "" if cfg.small or myself else cfg.called
    made = await profile_of_character(
        s, "create", PERSONA, cfg.character.text, cfg.language, myself=myself, called=called
    )
    if isinstance(made, Declined):
        raise NoProfile(f"No profile came of this line ({made.reason}): give one as a file, or take another model.")
    return made


async def profile_of_character(
    s: Session, key: str, seat: str, character: str, language: str = "", *, myself: bool = False,
    called: str = "",
) -> Profile | Declined:  # fmt: skip
    """A whole profile out of a line; one that breaks a rule is sent back once (step `KEY/again`), then mended by us.
    `called`: under which name the persona is to speak, where it has one besides.

    Declined where none came of it. Raises LivingPerson where it means one who is not `myself`, who makes it.
    """

    async def asked(step: str, sent_back: str = "") -> CreatedProfile | Declined:
        return await s.ask(
            step, seat, prompts.create, created_form(), sent_back=sent_back, character=visible(character),
            called=visible(called), myself=myself, language=language,
        )  # fmt: skip

    first = await asked(key)
    if isinstance(first, Declined):
        return first
    if first.real_person == "living" and not myself:
        raise LivingPerson(first.who)
    profile = profile_in(first.profile.model_dump())
    if faults := faults_in_new(profile):
        again = await asked(f"{key}{AGAIN}", "\n".join(f"- {fault}" for fault in faults))
        profile = profile if isinstance(again, Declined) else profile_in(again.profile.model_dump())
    return tidied(profile)
