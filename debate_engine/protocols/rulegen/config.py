"""What a scene is played with."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from elenchus.debate_engine.events import FrozenModel, SessionStarted
from elenchus.debate_engine.scenes.language import Language, phrase
from elenchus.debate_engine.scenes.scene import Condition, Kind, Scene
from elenchus.debate_engine.steps import hash_of


def _scene(value: Any) -> Any:
    """A dumped scene as a scene; JSON has lists where a scene has tuples."""
    return Scene.model_validate_json(json.dumps(value)) if isinstance(value, dict) else value


SceneField = Annotated[Scene, BeforeValidator(_scene)]
"""A scene inside another value: it comes back from JSON as it was."""


class Target(FrozenModel):
    """The bias that the scene elicits, as the judges are told of it. Nobody in the scene is."""

    name: str
    definition: str
    elements: tuple[str, ...] = ()


class Assignment(FrozenModel):
    """By which lot a subject gets its version: a place of `study`, which the session `holder` takes when it is drawn.

    Versions are balanced within each `stratum`.
    """

    study: str
    holder: str
    seed: int
    of: tuple[Condition, ...] = Field(min_length=1)
    stratum: str = ""

    @property
    def places(self) -> str:
        """What its places are kept under: each stratum has places of its own."""
        return f"{self.study}/{self.stratum}" if self.stratum else self.study


class DrawnVersion(FrozenModel):
    """What was drawn: the place (from 1), and its version."""

    number: int = Field(ge=1)
    version: Condition


Use = Literal["", "demonstration", "study"]
"""What a scene with people is for, which says how long what they said is kept; "" where no promise was made."""


class Terms(FrozenModel):
    """A study's own consent: who asks, what for, and what is promised. Its `version` is recorded with each consent.

    `retention_days` after its end a session is removed; for `withdrawal_days` after it a person may still withdraw.
    What a study leaves to us (`voluntary`, `compensation`, `board`) people are told in the scene's language.
    """

    contact: str = Field(min_length=3)
    responsible: str = Field(min_length=3)
    purpose: str = Field(min_length=10)
    retention_days: int = Field(ge=1, le=36_500)
    withdrawal_days: int = Field(14, ge=1, le=36_500)
    voluntary: str = phrase("en", "voluntary")
    age: int | None = Field(18, ge=0, le=120)
    compensation: str = phrase("en", "compensation")
    board: str = phrase("en", "board")
    text: str = ""

    @property
    def version(self) -> str:
        """The fingerprint of these very terms."""
        return hash_of(self.model_dump(mode="json"))

    def told_in(self, language: Language) -> Terms:
        """The terms with our own sentences in this language."""
        ours = [name for name in ("voluntary", "compensation", "board") if getattr(self, name) == phrase("en", name)]
        return self.model_copy(update={name: phrase(language, name) for name in ours})


class SceneConfig(FrozenModel):
    """How a scene is played. `people` are the roles on whose seats people sit: nobody plans for them or corrects them.

    `short_term`: rounds that a role remembers word for word. `recalled`: older memories that come to its mind.
    `corrections`: how often a reply may be sent back. Without `target` or `judges` nothing is evaluated.
    `models` says which model sits on which seat, for people to be told; it is empty where no person takes part.
    `human_judges` are the judges on whose seats people sit: they are asked first whether they agree to judge.
    `assignment` is the lot by which one of the `versions` is drawn while the scene is played, None where somebody chose
    it; `scene` is what they have in common until then, and that version from then on. `pilot`: played to try things
    out; results over all sessions leave it out. `mode` says what people take part for, `terms` are a study's own.
    `ethics_approval` is what an ethics board allowed, as whoever runs the scene says.
    `debriefing` "when asked": who has played to the end, or whose scene was closed, waits for it until it is asked for.
    """

    scene: SceneField
    target: Target | None = None
    people: tuple[str, ...] = ()
    judges: tuple[str, ...] = ("judge-1", "judge-2", "judge-3")
    human_judges: tuple[str, ...] = ()
    short_term: int = Field(3, ge=1, le=50)
    recalled: int = Field(3, ge=0, le=20)
    corrections: int = Field(2, ge=0, le=5)
    models: dict[str, str] = Field(default_factory=dict)
    assignment: Assignment | None = None
    versions: dict[Condition, SceneField] = Field(default_factory=dict)
    pilot: bool = False
    mode: Use = ""
    terms: Terms | None = None
    ethics_approval: str = ""
    debriefing: Literal["at once", "when asked"] = "at once"

    @property
    def misled(self) -> bool:
        """Whether people are not told something, or told it falsely, until the debriefing; in any version."""
        return any(scene.plan.misleads for scene in self.scenes)

    @property
    def deceived(self) -> bool:
        """Whether something is told falsely; in any version still possible."""
        return "active" in {scene.plan.deception for scene in self.scenes}

    @property
    def age(self) -> int | None:
        """The least age of who takes part: the file's, the study's, 18 with any deception unless a board allowed it."""
        own = (scene.plan.least_age(self.ethics_approval) for scene in self.scenes)
        return max((age for age in (*own, self.terms.age if self.terms else None) if age), default=None)

    @property
    def evaluated(self) -> bool:
        """Whether the subjects are judged at the end."""
        return self.target is not None and bool(self.judges)

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Every scene that may be played with these settings."""
        return tuple(self.versions.values()) or (self.scene,)

    def in_version(self, version: Condition) -> SceneConfig:
        """The settings when this version is drawn. Raises KeyError for one that there is not."""
        return self.model_copy(update={"scene": self.versions[version], "versions": {}})

    def kind_of(self, name: str) -> Kind:
        """What a role is in the scene."""
        return next(role.kind for role in self.scene.roles if role.name == name)


def config_in(started: SessionStarted) -> SceneConfig | None:
    """The scene's settings, None where the session is none of a scene or cannot be read."""
    if started.protocol != "rulegen":
        return None
    try:
        return SceneConfig.model_validate(started.config)
    except ValidationError:
        return None
