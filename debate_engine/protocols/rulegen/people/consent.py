"""Consent first: who is a person agrees, in the log, before anything of the scene is played, or is given to judge."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, Field, create_model

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.human_seat import LATE
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.people.ending import SceneEnded
from elenchus.debate_engine.protocols.rulegen.people.pages import prompts_in
from elenchus.debate_engine.protocols.rulegen.played import EndReason
from elenchus.debate_engine.scenes.language import Language, phrase
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

CONSENT_VERSION = 6
"""Of the texts in `prompts` on consent, judging, age and keeping; to be raised with every change of what they tell."""


class Agreement(BaseModel):
    """A person's answer to the consent text, to the question for the age, or to whether what they said may be kept."""

    agreed: Literal["yes", "no"]


@cache
def _form(name: str, asks: str, language: Language) -> type[Agreement]:
    """The form of such an answer, with what it asks in the scene's language."""
    field: Any = (Literal["yes", "no"], Field(description=phrase(language, asks)))
    return create_model(name, __base__=Agreement, agreed=field)


class Consent(FrozenModel):
    """What the person on the seat `name` answered to the text of this version, and when.

    `reason` says why there is no answer; `terms` is the version of the study's own terms.
    """

    name: str
    agreed: bool
    version: int
    at: AwareDatetime
    reason: str = ""
    terms: str = ""


TOO_YOUNG = "not of the age"


async def consent(s: Session, cfg: SceneConfig) -> None:
    """Ask everybody side by side. Raises SceneEnded where somebody does not agree, or is not of the age.

    Step keys: `consent/Robin/age` (an `Agreement`) where there is a least age, `consent/Robin` (another),
    `consent/Robin/at`, `consent/Robin/given` (a dumped `Consent`).
    """
    given = await together(*(_asked(s, cfg, name) for name in cfg.people))
    if refused := next((one for one in given if not one.agreed), None):
        why: EndReason = "screened" if refused.reason == TOO_YOUNG else "no consent"
        raise SceneEnded(why, refused.name, silent=refused.reason == LATE)


async def keep(s: Session, cfg: SceneConfig) -> None:
    """Who was misled is asked, once told of it, whether what they said may be kept. Raises SceneEnded without a yes.

    Silence is no consent: what was agreed to before was agreed to without knowing. Step keys: `consent/Robin/keep`.
    """
    names = [name for name in cfg.people if cfg.kind_of(name) == "subject"] if cfg.misled else []
    language = cfg.scene.language
    prompt, form = prompts_in(language).keep, _form("KeepAnswer", "kept", language)
    asked = [s.in_person(name).ask(f"consent/{name}/keep", name, prompt, form) for name in names]
    for name, answer in zip(names, await together(*asked), strict=True):
        if isinstance(answer, Declined) or answer.agreed == "no":
            raise SceneEnded("not kept", name)


def readers(cfg: SceneConfig, language: Language = "en") -> str:
    """Who reads what people write to the models of a scene; "" where there are none."""
    providers = {spec.partition(":")[0] for spec in cfg.models.values()}
    named = (phrase(language, one) if one in ("local", "scripted") else one for one in providers)
    return phrase(language, "and").join(sorted(named))


async def refusal(s: Session, cfg: SceneConfig, judge: str) -> str:
    """Why the person on a judge's seat does not judge, "" where they agree to. The scene is over and does not wait.

    Step keys: those of `consent`.
    """
    told = {"version": CONSENT_VERSION, "mode": cfg.mode, "terms": cfg.terms}
    prompt, terms = prompts_in(cfg.scene.language).judging, cfg.terms.version if cfg.terms else ""
    given = await _recorded(s, judge, prompt, told, cfg.scene.language, terms)
    return "" if given.agreed else given.reason or "the judge did not agree to judge"


async def _asked(s: Session, cfg: SceneConfig, name: str) -> Consent:
    terms, language = cfg.terms, cfg.scene.language
    prompts, version = prompts_in(language), terms.version if terms else ""
    told = {
        "name": name,
        "mode": cfg.mode,
        "terms": terms and terms.told_in(language),
        "age": cfg.age,
        "misled": cfg.misled,
        "active": cfg.deceived,
        "approval": cfg.ethics_approval,
        "minutes": cfg.scene.plan.minutes,
        "subject": cfg.kind_of(name) == "subject",
        "readers": readers(cfg, language),
        "people": len(cfg.people) > 1,
        "judges": bool(cfg.human_judges),
        "version": CONSENT_VERSION,
    }
    if cfg.age is not None:
        form = _form("OfAge", "of-age", language)
        of_age = await s.in_person(name).ask(f"consent/{name}/age", name, prompts.age, form, age=cfg.age)
        if isinstance(of_age, Declined) or of_age.agreed == "no":
            why = of_age.reason if isinstance(of_age, Declined) else TOO_YOUNG
            return await _noted(s, name, why, version, agreed=False)
    return await _recorded(s, name, prompts.consent, told, language, version)


async def _recorded(
    s: Session, name: str, prompt: Prompt, told: dict[str, Any], language: Language, terms: str
) -> Consent:
    """One person's consent: nobody stands in for anybody here."""
    form = _form("Agreement", "agreed", language)
    answer = await s.in_person(name).ask(f"consent/{name}", name, prompt, form, **told)
    why = answer.reason if isinstance(answer, Declined) else ""
    return await _noted(s, name, why, terms, agreed=not isinstance(answer, Declined) and answer.agreed == "yes")


async def _noted(s: Session, name: str, why: str, terms: str, *, agreed: bool) -> Consent:
    at = await s.now(f"consent/{name}/at")
    known = Consent(
        name=name,
        agreed=agreed,
        version=CONSENT_VERSION,
        at=datetime.fromisoformat(at),
        reason=why,
        terms=terms,
    )
    return Consent.model_validate(await s.record(f"consent/{name}/given", known.model_dump(mode="json")))
