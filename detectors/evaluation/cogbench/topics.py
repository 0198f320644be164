"""What a run is about: CogBench's 50 topics by name, and the three places that questions and flows come from.

- tasks in the shape of the release (`tasks.read_tasks`), with its profiles
- a folder a topic with a `topic.yaml`, as those of our small set, and a `profiles.yaml` beside them: it also says on
  which side each article pushes, which opinions stand there, and whose interest is high
- our small set itself, when nothing is named

A `Material` is what all of them become. Everything that reads blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import read_yaml
from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.profile import Profile, profile_of
from elenchus.debate_engine.protocols.cognition.schemas import LONGEST_FLOW, LONGEST_OPINION, Flow, Opinion
from elenchus.detectors.evaluation.cogbench.flows import markdown
from elenchus.detectors.evaluation.cogbench.tasks import Task, read_profiles, read_tasks

TOPICS: Mapping[str, tuple[str, ...]] = {
    "Entertainment": (
        "Gossip", "Movies & TV Shows", "Dating Sims", "Outdoor Adventures", "Horoscope & Divination",
    ),
    "Culture": ("Religion", "War History", "Folktales", "Literary", "Anime & Manga"),
    "Education": (
        "Parent-child Education", "Professional Education", "School Education", "TED Talks", "Psychological Counseling",
    ),
    "Economy": ("Entrepreneurship", "Financial Investment", "Loans", "Market Analysis", "Financial Figures"),
    "Health": ("Wellness", "Assisted Reproduction", "Fat Burning Training", "Yoga", "Oral Care"),
    "Technology": (
        "Digital Products", "Scientific Research", "Automobile News", "Virtual Reality", "Software Products",
    ),
    "Society": (
        "Legal Events", "Unusual Events", "Acts of Kindness", "Military Conflicts", "Disasters & Accidents",
    ),
    "Life": ("Pets", "Living Abroad", "Home Design & Renovation", "Rural life", "Food"),
    "Sports": ("Extreme Sports", "Winter Sports", "Fishing", "Ball Sports", "Combat Sports"),
    "Fashion": ("Beauty & Hairstyling", "Clothes", "Street Style", "Wedding", "Tattoos"),
}  # fmt: skip
"""CogBench's topics by category."""

SMALL_SET = Path(__file__).with_name("small_set")
CONTROL = "control"
"""The folder of a set whose articles push nobody anywhere."""
LARGEST = 1_000_000

Side = Literal[-1, 1]
Interest = Literal["high", "low"]


class Statement(FrozenModel):
    """An opinion, and the side on which somebody stands who agrees with it."""

    text: Opinion
    side: Side


class Article(FrozenModel):
    """A file of the topic's folder, and the side on which it should make a reader stand."""

    file: Annotated[str, Field(pattern=r"^[\w-]+\.(md|txt)$")]
    pushes: Side


class TopicFile(FrozenModel):
    """A `topic.yaml`. All articles of a topic push to the same side; `interest` is coded before anything is run."""

    topic: str = Field(min_length=1)
    category: str = ""
    origin: str = ""
    opinions: tuple[Statement, ...] = Field(min_length=1)
    articles: tuple[Article, ...] = Field(min_length=1)
    interest: Mapping[str, Interest] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_side(self) -> TopicFile:
        if len({article.pushes for article in self.articles}) > 1:
            raise ValueError("its articles push to both sides: what moves a reader could not be told")
        return self

    @property
    def pushes(self) -> Side:
        """Where all articles push."""
        return self.articles[0].pushes


class Topic(FrozenModel):
    """A topic of a run: its questions, the flow of each iteration from 1 on, and how it was `coded`, if it was."""

    topic: str
    category: str = ""
    questions: tuple[str, ...]
    flows: tuple[Flow, ...]
    coded: TopicFile | None = None


class Material(FrozenModel):
    """All that a run can choose from. `control` are flows that push nobody; `origin` says where it all comes from."""

    origin: str
    topics: Mapping[str, Topic]
    profiles: tuple[Profile, ...] = ()
    control: tuple[Flow, ...] = ()

    def only(self, topics: tuple[str, ...], profiles: tuple[str, ...]) -> Material:
        """Those of these names, in the order given; all of a kind of which none is named. Raises UsageError."""
        by_name = {profile.name: profile for profile in self.profiles}
        return self.model_copy(
            update={
                "topics": _named(self.topics, topics, "topic"),
                "profiles": tuple(_named(by_name, profiles, "profile").values()),
            }
        )


def _named(known: Mapping[str, Any], names: tuple[str, ...], what: str) -> dict[str, Any]:
    """By their whole names, or the beginnings of these; case does not count."""
    if not names:
        return dict(known)
    found = {}
    for name in names:
        wanted = name.strip().casefold()
        fitting = [one for one in known if one.casefold().startswith(wanted)]
        exact = [one for one in fitting if one.casefold() == wanted] or fitting
        if len(exact) != 1 or not wanted:
            raise UsageError(f"There is no one {what} {name[:60]!r}: there is {', '.join(known) or 'none'}.")
        found[exact[0]] = known[exact[0]]
    return found


# ── the shapes of the release ────────────────────────────────────────────────────────────────────────────────────────


def released(tasks: Path, profiles: Path | None) -> Material:
    """Tasks and profiles of the release's shapes. Raises UsageError, UnreadableDocument."""
    topics = {topic: _topic(tasks, topic, of) for topic, of in read_tasks(tasks).items()}
    return Material(origin=str(tasks), topics=topics, profiles=profiles_in(profiles) if profiles else ())


def profiles_in(path: Path) -> tuple[Profile, ...]:
    """The profiles of a file, JSON of the release's shape or YAML. Raises UsageError, UnreadableDocument."""
    found = read_yaml(path, LARGEST) if path.suffix.lower() in (".yaml", ".yml") else read_profiles(path)
    if not isinstance(found, list) or not found:
        raise UsageError(f"{path} is to be a list of profiles.")
    profiles = tuple(profile_of(one, f"profile {n} of {path}") for n, one in enumerate(found, 1))
    if len({profile.name for profile in profiles}) < len(profiles):
        raise UsageError(f"{path}: two profiles have the same name.")
    return profiles


def _topic(path: Path, topic: str, tasks: list[Task]) -> Topic:
    """Raises UsageError where an iteration is missing, or has nothing to read."""
    flows: list[Flow] = []
    for task in tasks:
        if task.iteration == 0 and task.flow:
            raise UsageError(f"{path}: iteration 0 of {topic} is asked before anything is read, and has a flow.")
        if task.iteration == 0:
            continue
        if task.iteration != len(flows) + 1:
            raise UsageError(f"{path}: iteration {len(flows) + 1} of {topic} is missing.")
        if not task.flow:
            raise UsageError(f"{path}: iteration {task.iteration} of {topic} has nothing to read.")
        if max(map(len, task.flow)) > LONGEST_FLOW:
            raise UsageError(
                f"{path}: iteration {task.iteration} of {topic} has more than {LONGEST_FLOW:,} characters."
            )
        flows.append(Flow(texts=task.flow, title=f"{topic}, {task.iteration}", source=path.name))
    if any(len(question) > LONGEST_OPINION or not question.strip() for question in tasks[0].questions):
        raise UsageError(f"{path}: a question of {topic} is empty, or has more than {LONGEST_OPINION} characters.")
    return Topic(topic=topic, category=tasks[0].category, questions=tasks[0].questions, flows=tuple(flows))


# ── folders, as our small set ────────────────────────────────────────────────────────────────────────────────────────


def own_set(folder: Path = SMALL_SET) -> Material:
    """The topics of a folder's folders, its profiles and its control flows. Raises UsageError, UnreadableDocument."""
    found = sorted(folder.glob("*/topic.yaml"))
    if not found:
        raise UsageError(
            f"The folder {folder} holds no topics: each is a folder with a topic.yaml, as in the small set."
        )
    topics = [_own_topic(path) for path in found]
    if len({topic.topic for topic in topics}) < len(topics):
        raise UsageError(f"The folder {folder}: two topics have the same name.")
    profiles, control = folder / "profiles.yaml", sorted((folder / CONTROL).glob("*.md"))
    origins = dict.fromkeys(topic.coded.origin for topic in topics if topic.coded and topic.coded.origin)
    return Material(
        origin="; ".join(origins) or str(folder),
        topics={topic.topic: topic for topic in topics},
        profiles=profiles_in(profiles) if profiles.exists() else (),
        control=tuple(_article(path) for path in control),
    )


def _own_topic(path: Path) -> Topic:
    try:
        coded = TopicFile.model_validate(read_yaml(path, LARGEST))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        told = fault_told(first)
        raise UsageError(f"{path}{f', {place}' if place else ''}: {told[:1].lower()}{told[1:]}.") from error
    return Topic(
        topic=coded.topic,
        category=coded.category,
        questions=tuple(opinion.text for opinion in coded.opinions),
        flows=tuple(_article(path.with_name(article.file)) for article in coded.articles),
        coded=coded,
    )


def _article(path: Path) -> Flow:
    text = read_text(path, LARGEST)
    title, words = markdown.plain(text) if path.suffix == ".md" else ("", text.strip())
    if not words:
        raise UnreadableDocument(f"The file {path}", "there is nothing in it to read")
    return Flow(texts=(words,), title=title or path.stem, source=path.name)
