"""A scene as a value: who takes part, what each rule has whom say to whom, and what is observed in the end.

The parts are those of MindScope's RuleGen (appendix B and D); the nine purposes of speech are those of Biber et
al. Texts are tidied as they come in, so that a scene is the same however its source was laid out. What makes a scene
consistent is in `faults`: a value of these types alone may still name a role that nobody plays.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from pydantic import Field

from elenchus.debate_engine.scenes.factors import Factor
from elenchus.debate_engine.scenes.language import Language, phrase
from elenchus.debate_engine.scenes.measures import Measure
from elenchus.debate_engine.scenes.pictures import Picture
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.trials import Trials
from elenchus.debate_engine.scenes.values import Formula, Line, Text, Value

Kind = Literal["subject", "confederate", "moderator", "other"]
Mode = Literal["unicast", "broadcast", "multicast", "self-receiving"]
Condition = str
"""Which version of a scene is played: `treatment` or `control` of twins, else levels of its factors (`low/cue`)."""
Purpose = Literal["SDC", "JOK", "CON", "FTO", "FEL", "ADV", "PAS", "FUT", "DES", "SYS"]

KINDS: tuple[Kind, ...] = get_args(Kind)
MODES: tuple[Mode, ...] = get_args(Mode)
CONDITIONS: tuple[Condition, ...] = ("treatment", "control")
"""Those of a scene and its twin."""

SYSTEM = "system"
"""Who initiates a self-receiving rule: nobody of the cast."""

EVERYBODY = "all"
"""How the canonical form names the receivers of a broadcast."""


UNREVIEWED = "false"
"""How a scene's front matter says that nobody has read yet what a model wrote of it: `reviewed: false`."""


class Explained(NamedTuple):
    """A purpose's name, and what one does who speaks with it."""

    name: str
    does: str


_PURPOSES: dict[Purpose, str] = {
    "SDC": "situation-dependent commentary",
    "JOK": "joking around",
    "CON": "engaging in conflict",
    "FTO": "figuring things out",
    "FEL": "sharing feelings and evaluations",
    "ADV": "giving advice and instructions",
    "PAS": "describing or explaining the past",
    "FUT": "describing or explaining the future",
    "DES": "describing or explaining, time-neutral",
    "SYS": "receiving system information",
}
PURPOSES: dict[Purpose, Explained] = {of: Explained(name, phrase("en", of)) for of, name in _PURPOSES.items()}


class Role(Value):
    """A seat of the scene. `style` is how it decides (aggressive, conservative, …); it is never told to others."""

    name: Line
    kind: Kind
    background: Line = ""
    task: Line = ""
    style: Line = ""


class Rule(Value):
    """One move: `initiator` speaks to `receivers` (role names) in `mode`, with `purpose`, about `content`.

    In `self-receiving` the initiator is `SYSTEM`, and `message` holds the very words that the receivers get; `content`
    only says what they are about. `says` are the very words of the initiator, with places to fill (`templates`): nobody
    makes up others. `measures` are what a subject states here, by name; its words are then made of the values. `trials`
    names a block of trials that the subject goes through here. `when` says at which levels of the factors the rule is
    played, `each` (a factor within subjects) that it is played once for each of its levels. `picture` names one that is
    shown with the message.
    """

    mode: Mode
    purpose: Purpose | None
    initiator: Line
    receivers: tuple[Line, ...]
    content: Line = ""
    message: Text = ""
    says: Text = ""
    measures: tuple[Line, ...] = ()
    trials: Line = ""
    each: Line = ""
    when: Line = ""
    picture: Line = Field("", exclude_if=lambda name: not name)


class Scene(Value):
    """A whole scene. `bias` is the target's id in the catalogue, "" where it is not known.

    `language` is that in which the program speaks to people around the lines.
    A scene that is compared with a neutral one says which of the two it is (`condition`), the name of the other's file
    in the same folder (`twin`), and what differs between them (`differs`); none of that is for those who play.
    `factors` are what an experiment varies: each version of the scene (`versions`) is the scene at one level of each;
    a version holds its `levels` (factor and level), and `met`: what its subject meets one after another, in this order.
    `measures` are what subjects are asked to state, `trials` what they judge again and again, `outcome` is the rule
    over them that says what came out, `plan` is what was said of the experiment beforehand. `answers` are given one
    after another to questions that no rule foresees. `pictures` are those that trials and messages show, by name.
    `written_by` names the model that wrote or completed it, `reviewed` the person who has read it since: see `review`.
    """

    title: Line = ""
    language: Language = Field("en", exclude_if=lambda language: language == "en")
    bias: Line = ""
    condition: Condition | None = None
    levels: tuple[tuple[Line, Line], ...] = ()
    met: tuple[Line, ...] = ()
    twin: Line = ""
    differs: Line = ""
    written_by: Line = ""
    reviewed: Line = ""
    purpose: Text = ""
    background: Text = ""
    roles: tuple[Role, ...] = ()
    rules: tuple[Rule, ...] = ()
    factors: tuple[Factor, ...] = ()
    measures: tuple[Measure, ...] = ()
    trials: tuple[Trials, ...] = ()
    pictures: tuple[Picture, ...] = Field((), exclude_if=lambda pictures: not pictures)
    outcome: Formula = ""
    plan: Plan = Plan()
    answers: tuple[Text, ...] = ()
    observation: Text = ""
    debrief: Text = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of those whose answers count, in order."""
        return tuple(role.name for role in self.roles if role.kind == "subject")

    @property
    def confederates(self) -> tuple[str, ...]:
        """The names of those who tempt, in order."""
        return tuple(role.name for role in self.roles if role.kind == "confederate")

    def measure(self, name: str) -> Measure:
        """A measure by its name. Raises StopIteration for none."""
        return next(one for one in self.measures if one.name == name)

    def block(self, name: str) -> Trials:
        """A block of trials by its name. Raises StopIteration for none."""
        return next(one for one in self.trials if one.name == name)

    def picture(self, name: str) -> Picture | None:
        """A picture by its name; None for "", by which none is shown."""
        return next((one for one in self.pictures if one.name == name), None)

    def others(self, name: str) -> tuple[str, ...]:
        """Everybody's name but this one, in order."""
        return tuple(role.name for role in self.roles if role.name != name)
