"""A run of a method over profiles and topics: what is to be done, and the results in the shape of the release. Pure.

Each profile with a topic is a session of its own (protocol `cognition`), so that they run side by side and each goes on
where it stopped. A control run plays the same once more with flows that push nobody; its results are apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from hashlib import sha256
from typing import Any

from pydantic import AwareDatetime, Field

from elenchus.config.models import Price
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig
from elenchus.debate_engine.protocols.cognition.profile import Profile, in_words
from elenchus.debate_engine.protocols.cognition.schemas import (
    CognitionResult,
    Feedback,
    Flow,
    Iteration,
    MethodName,
    RatedOpinion,
)
from elenchus.detectors.evaluation.cogbench.results import Answer, Results, who
from elenchus.detectors.evaluation.cogbench.shapes import UNRATED, Json
from elenchus.detectors.evaluation.cogbench.topics import Material, Topic

CALLED: Mapping[MethodName, str] = {
    "coggpt": "CogGPT",
    "cot": "CoT",
    "react": "ReAct",
    "reflexion": "Reflexion",
    "no_information": "NoInformation",
    "everything_in_prompt": "EverythingInPrompt",
}
"""What each method is called in files, as far as the release has it."""
CONTROLS: Mapping[MethodName, str] = {
    "no_information": "it has its profile alone and reads nothing",
    "everything_in_prompt": "all that it has read stands in its prompt, and it has no memory",
}
"""What is no method but what methods are held against, and why."""
CONTROL = "control"
"""Beside an answer of one in a file: which."""
MOST_RUNS = 5_000
LONGEST_REASON = 2_000
"""Characters of a reason that is told along with what people said of it."""


class CogBenchCell(FrozenModel):
    """One profile with one topic, a session of its own: number `number` (from 1) of the run."""

    session: str
    number: int
    topic: str
    profile: str
    control: bool
    model: str
    seed: int


class CogBenchRun(FrozenModel):
    """A run as it is kept, so that it can be gone on with. `called` is the method's name in the results.

    A budget is for all sessions together; `price` and `unpriced_ok` as in a session.
    """

    id: str
    method: MethodName
    called: str
    model: str
    material: Material
    feedback: Mapping[str, tuple[tuple[Feedback, ...], ...]] = Field(default_factory=dict)
    runs: tuple[CogBenchCell, ...]
    temperature: float | None = None
    seed: int | None = None
    budget_tokens: int | None = None
    budget_usd: float | None = None
    price: Price | None = None
    unpriced_ok: bool = False
    small: bool = False
    version: str
    created: AwareDatetime

    def config(self, cell: CogBenchCell) -> CognitionConfig:
        """The settings of a session."""
        topic = self.material.topics[cell.topic]
        return CognitionConfig(
            profile=self.profile(cell.profile),
            method=self.method,
            topic=topic.topic,
            questionnaire=topic.questions,
            flows=flows_of(self.material, topic, control=cell.control),
            feedback=() if cell.control else self.feedback.get(_key(cell.topic, cell.profile), ()),
            small=self.small,
        )

    def profile(self, name: str) -> Profile:
        """A profile of the run by its name."""
        return next(profile for profile in self.material.profiles if profile.name == name)


def flows_of(material: Material, topic: Topic, *, control: bool) -> tuple[Flow, ...]:
    """What is read on a topic, or in its place: control flows, as many of them, from the first on again and again."""
    if not control:
        return topic.flows
    return tuple(material.control[n % len(material.control)] for n in range(len(topic.flows)))


def cells_of(run_id: str, model: str, material: Material, seed: int, *, control: bool) -> tuple[CogBenchCell, ...]:
    """All sessions: topic after topic with every profile, each followed by its control. Raises UsageError."""
    if not material.profiles:
        raise UsageError("There are no profiles: name a file of them (--profile-file FILE).")
    if control and not material.control:
        raise UsageError(f"There are no control flows: put articles into the folder control of {material.origin}.")
    both = (False, True) if control else (False,)
    wanted = [(t, p.name, c) for t in material.topics for p in material.profiles for c in both]
    if len(wanted) > MOST_RUNS:
        raise UsageError(f"That are {len(wanted):,} sessions, of which {MOST_RUNS:,} are allowed: take fewer topics.")
    return tuple(
        CogBenchCell(
            session=f"{run_id}-{number:04}", number=number, topic=topic, profile=profile, control=is_control,
            model=model, seed=seed_of(seed, topic, profile),
        )
        for number, (topic, profile, is_control) in enumerate(wanted, 1)
    )  # fmt: skip


def seed_of(seed: int, topic: str, profile: str) -> int:
    """The seed (31 bits) of a pair: the same in a narrower run, and in the control, which so begins alike."""
    return int.from_bytes(sha256(f"{seed}\n{topic}\n{profile}".encode()).digest()[:4], "big") >> 1


# ── what people said before ──────────────────────────────────────────────────────────────────────────────────────────


def feedback_of(answers: Sequence[Answer], material: Material) -> dict[str, tuple[tuple[Feedback, ...], ...]]:
    """What people, and no model, said of a method's earlier answers, for those that are told; by topic and profile."""
    found = {(a.topic, a.profile, a.iteration, a.question): _said_of(a) for a in answers}
    nothing = Feedback()
    return {
        _key(topic.topic, profile.name): tuple(
            tuple(found.get((topic.topic, profile.name, n, question), nothing) for question in topic.questions)
            for n in range(len(topic.flows) + 1)
        )
        for topic in material.topics.values()
        for profile in material.profiles
    }


def _said_of(answer: Answer) -> Feedback:
    """What people said of an answer, along with it; nothing where they have not."""
    rationality = None if answer.judge else answer.rationality
    if answer.human is None and rationality is None:
        return Feedback()
    return Feedback(
        human_rating=answer.human, rationality=rationality, rating=answer.rating, reason=answer.reason[:LONGEST_REASON]
    )


def _key(topic: str, profile: str) -> str:
    return f"{topic}\n{profile}"


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def records_of(run: CogBenchRun, outcomes: Mapping[str, CognitionResult], *, control: bool) -> list[Json]:
    """The records of the sessions that have an outcome, in the shape of the release; nobody has rated them yet."""
    return [
        record
        for cell in run.runs
        if cell.control is control and (outcome := outcomes.get(cell.session)) is not None
        for record in _records(run, cell, outcome)
    ]


def _records(run: CogBenchRun, cell: CogBenchCell, outcome: CognitionResult) -> Iterator[Json]:
    topic, profile = run.material.topics[cell.topic], run.profile(cell.profile)
    flows = flows_of(run.material, topic, control=cell.control)
    for done in outcome.iterations:
        read = list(flows[done.iteration - 1].texts) if done.iteration else []
        yield {
            "topic": topic.topic,
            "category": topic.category,
            "iteration": done.iteration,
            "questionnaire": [_question(run, done, answer) for answer in done.answers],
            "information_flow": read,
            "profile": {name: in_words(trait) for name, trait in profile.traits.items()},
        }


def _question(run: CogBenchRun, done: Iteration, answer: RatedOpinion) -> Json:
    given: Json = {
        "profile": done.profile.text,
        "rating": UNRATED if answer.rating is None else answer.rating,
        "reason": answer.reason,
        "rationality": UNRATED,
    }
    if answer.rating is None:
        given["why_unread"] = answer.why_unread
    if run.method in CONTROLS:
        given[CONTROL] = run.method
    return {"question": answer.question, "answer": {"human_rating": UNRATED, run.called: given}}


def control_in(results: Results, method: str) -> MethodName | None:
    """Which control a method of a file is, by what stands beside its answers or by its name; None for a method."""
    answers = (question["answer"].get(method) for record in results.records for question in record["questionnaire"])
    named = {str(answer.get(CONTROL)) for answer in answers if isinstance(answer, dict)}
    return next((of for of in CONTROLS if of in named or method == CALLED[of]), None)


def control_line(called: str, control: MethodName) -> str:
    """That it is a control, in a sentence."""
    return f"{called} is a control and no method: {CONTROLS[control]}."


def joined(there: Results, called: str, records: Sequence[Json]) -> list[Json]:
    """The records of a file with a method's answers among those that are there, and further ones behind them.

    Nothing of the file is lost. Raises UsageError where the method's answers are there already, or questions differ.
    """
    found = deepcopy(list(there.records))
    places = {_place(record): record for record in found}
    for record in records:
        if (known := places.get(_place(record))) is None:
            found.append(record)
            continue
        asked = [question["question"] for question in known["questionnaire"]]
        if asked != [question["question"] for question in record["questionnaire"]]:
            raise UsageError(
                f"{there.named} has other questions on {record['topic']} than this run: name another file."
            )
        for old, new in zip(known["questionnaire"], record["questionnaire"], strict=True):
            if called in old["answer"]:
                raise UsageError(f"{there.named} has answers of {called} already: give this run another name.")
            old["answer"][called] = new["answer"][called]
    return found


def _place(record: Mapping[str, Any]) -> tuple[Any, ...]:
    return str(record.get("topic")), who(record.get("profile")), record["iteration"]
