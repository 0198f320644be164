"""The form of a scene that is played once: which one, who sits in it, what people are promised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.human_seat import HUMAN
from elenchus.service.lab.scene_session import SceneOptions
from elenchus.service.web.pages.option_fields import LIMITS, fields_with, given_in, seat_in, who_may_sit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.config.settings import Settings

SEATS = ("subject", "confederate", "moderator", "others", "judge-1")
PROMISES = ("ethics_approval",)
TERMS = ("contact", "responsible", "purpose", "retention_days")
LEFT_OUT = ("price", "n", "styles", "conditions", "at_once", "pilot", "model")
"""Options of many runs, and of experts: the terminal and the API take them."""


def context(settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
    """What the form shows. Reads files: call it off the event loop."""
    from elenchus.service.lab.scene_catalogue import scene_rows

    return {
        "scenes": scene_rows(settings.own_scenes),
        "limits": fields_with(SceneOptions, LIMITS, typed),
        "promises": fields_with(SceneOptions, PROMISES, typed),
        "terms": TERMS,
        "seats": SEATS,
        "typed": {"subject": HUMAN, **typed} if not typed.get("sent") else typed,
        **who_may_sit(settings),
    }


def options_in(typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that were typed; those left empty are left out. Raises UnreadableReply for what is no number."""
    given = dict(given_in(SceneOptions, (*LIMITS, *PROMISES), typed))
    seats = {name: seat_in(name, typed) for name in SEATS}
    given |= {name: seats[name] for name in ("confederate", "moderator", "others") if seats[name]}
    given |= {"subjects": [seats["subject"]]} if seats["subject"] else {}
    given |= {"judges": [seats["judge-1"]]} if seats["judge-1"] else {}
    return {"scene": typed.get("scene", ""), **given, **terms_in(typed)}


def terms_in(typed: Mapping[str, str]) -> dict[str, Any]:
    """What people are promised, where that is more than by default."""
    if typed.get("mode") != "study":
        return {}
    return {"mode": "study", "terms": {name: typed.get(name, "").strip() for name in TERMS}}
