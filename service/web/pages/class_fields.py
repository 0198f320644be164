"""The form of a class: which scene in which versions, how many people, for how long, who plays the other roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.service.lab.classes.new_class import ClassOptions
from elenchus.service.web.pages.option_fields import LIMITS, fields_with, given_in, seat_in, who_may_sit
from elenchus.service.web.pages.scene_fields import TERMS, terms_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.config.settings import Settings

PEOPLE = ("people", "bots", "slips")
TIMES = ("answer_minutes", "hours")
SEATS = ("confederate", "moderator", "others", "judge-1")
PROMISES = ("ethics_approval",)
LEFT_OUT = ("price", "model")
"""Options of experts: the terminal and the API take them."""


def context(settings: Settings, typed: Mapping[str, str]) -> dict[str, Any]:
    """What the form shows. Reads files: call it off the event loop."""
    from elenchus.service.lab.scene_catalogue import scene_conditions, scene_rows

    fields = {"people": PEOPLE, "times": TIMES, "limits": LIMITS, "promises": PROMISES}
    return {
        "scenes": scene_rows(settings.own_scenes),
        "conditions": scene_conditions(settings.own_scenes),
        "chosen": typed.get("conditions", "").split("\n"),
        **{name: fields_with(ClassOptions, names, typed) for name, names in fields.items()},
        "terms": TERMS,
        "seats": SEATS,
        **who_may_sit(settings),
    }


def options_in(typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that were typed; those left empty are left out. Raises UnreadableReply for what is no number.

    A condition is typed as its scene's name, a blank and its own: those of other scenes count for nothing.
    """
    scene = typed.get("scene", "")
    given = dict(given_in(ClassOptions, (*PEOPLE, *TIMES, *LIMITS, *PROMISES), typed))
    seats = {name: seat_in(name, typed) for name in SEATS}
    given |= {name: spec for name, spec in seats.items() if spec and name != "judge-1"}
    given |= {"judges": [seats["judge-1"]]} if seats["judge-1"] else {}
    chosen = [one.partition(" ") for one in typed.get("conditions", "").split("\n")]
    conditions = [condition for of, _, condition in chosen if of == scene and condition]
    return {"scene": scene, "conditions": conditions, **given, **terms_in(typed)}
