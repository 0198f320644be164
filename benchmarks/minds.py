"""A mind waits for nothing but its model, finds its memories in milliseconds, and rests on disk alone.

- An iteration takes at most 1.05 times its critical path: refining and distilling side by side, then all questions.
- Among 10,000 memories what bears on a question is found within 20 ms.
- A mind of 100 iterations goes on within 200 ms: its log read, its protocol replayed to where it rests.
- 1,000 minds that rest take no memory of the process.

Beside it the policies of recall: relevance alone, importance with recency and relevance (Park et al. 2023), the same
with spaced recall, and the mistake of the released code; on what there is without a model. Sentences of the small
set's articles are the memories, its opinions the questions, all asked after each text, its coded interest of a profile
in a topic the importance (high 5, low 2). It shows what the policies prefer, and nothing about people.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Fed, Seat, SessionStarted, StepDone, Surveyed
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig, MindSettings
from elenchus.debate_engine.protocols.cognition.forms import field_of
from elenchus.debate_engine.protocols.cognition.memory import chosen, looked_at
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES, Profile
from elenchus.debate_engine.protocols.cognition.schemas import Flow, Iteration, Mind, RatedOpinion, Statement
from elenchus.debate_engine.retrieval import Recall
from elenchus.detectors.evaluation.cogbench.topics import Material, own_set
from elenchus.service.app import App, open_app
from elenchus.service.lab.mind_options import MindOptions, mind_id
from elenchus.storage.embeddings import RecallByMeaning

LATENCY, ITERATIONS, QUESTIONS = 1.0, 5, 8
MEMORIES, LIVED, MINDS = 10_000, 100, 1_000
PLACES = ("harbour", "market", "school", "bridge", "library", "garden", "station", "workshop")
DEEDS = ("opens", "closes", "repairs", "paints", "counts", "measures", "sells", "lends")


def profile() -> Profile:
    """Somebody with a text in every attribute."""
    return Profile.model_validate({name: f"some {name.lower()}" for name in ATTRIBUTES})


def statement(n: int) -> str:
    """A sentence that no other number gives."""
    return f"House {n} by the {PLACES[n % 8]} {DEEDS[n // 8 % 8]} its door {n // 64 + 1} times a day"


class Answers:
    """A model that keeps every rule: one change, so that no question is put twice in the same words and answered from
    the log; five new statements, a rating.
    """

    def __init__(self) -> None:
        self.learned = self.read = 0

    def __call__(self, call: Call) -> Any:
        """By what is asked."""
        match call.prompt_id.partition("/")[2]:
            case "refine":
                self.read += 1
                then = {field_of(name): profile()[name] for name in ATTRIBUTES}
                then[field_of("Future Outlook")] = f"some outlook after {self.read} texts"
                why = {"attribute": "Future Outlook", "reason": "I read it.", "sentences": [statement(self.read - 1)]}
                return {"assessment": "I read it.", "changes": [why], "updated_profile": then}
            case "person":
                return {"real_person": "no", "who": "", "words": ""}
            case "distil":
                self.learned += 5
                return {"knowledge": [self._known(n) for n in range(self.learned - 5, self.learned)]}
        return {"reason": "So I see it.", "sources": [], "rating": 3}

    def _known(self, n: int) -> dict[str, Any]:
        subject, _, rest = statement(n).partition(" by ")
        return {"subject": subject, "predicate": "stands by", "object": rest, "thought": "", "score": n % 5 + 1}


def client(latency: float = 0.0) -> ScriptedClient:
    """Answers after so many seconds."""
    return ScriptedClient(Script(latency=latency), Answers())


async def iterations(home: Path) -> list[float]:
    """The wall time of each iteration of a run by the paper's method, over its critical path: refining beside
    distilling, then all questions.
    """
    flows = [Flow(texts=(statement(n),)) for n in range(ITERATIONS)]
    asked = [f"House {n} should be open." for n in range(QUESTIONS)]
    config = CognitionConfig(profile=profile(), questionnaire=tuple(asked), flows=tuple(flows))
    seat = Seat(name="persona", spec="scripted:m")
    started = SessionStarted(
        protocol="cognition", title="b", config=config.model_dump(mode="json"), seats=(seat,), seed=1, version="0"
    )
    model = client(LATENCY)
    async with open_app(Settings(home=home), scripts={"m": model}) as app:
        session = await app.runner.create(started)
        await RecallByMeaning().likest(["warm"], ["up"], 1)
        run = await app.runner.run(session)
        assert run.state == "finished", run.reason
        assert len(model.asked) == (1 + ITERATIONS) * QUESTIONS + 2 * ITERATIONS, "every step asks"
        closed = [r.at for r in await app.log.read(session) if isinstance(r.event, StepDone) and _closes(r.event.step)]
        return [(then - at).total_seconds() / (2 * LATENCY) for at, then in itertools.pairwise(closed)]


def _closes(step: str) -> bool:
    return re.fullmatch(r"iteration/\d+/closed", step) is not None


async def recalling() -> dict[str, float]:
    """Milliseconds of one question among 10,000 memories: median of 20, and the first, which reads all of them."""
    recall, texts = RecallByMeaning(), [statement(n) for n in range(MEMORIES)]
    memories = (
        Statement(id=f"k{n}", iteration=n // 100, subject="s", predicate="p", object=text, score=n % 5 + 1)
        for n, text in enumerate(texts, 1)
    )
    mind = Mind(profile=profile(), memories=tuple(memories))

    cpu: list[float] = []

    async def asked(policy: Any, n: int) -> float:
        cfg = MindSettings(policy=policy)
        begun, used = time.perf_counter(), time.process_time()
        (near,) = await recall.likest([f"Should house {n} be open?"], texts, looked_at(cfg, MEMORIES))
        chosen(cfg, mind, near, 100)
        cpu.append((time.process_time() - used) * 1000)
        return (time.perf_counter() - begun) * 1000

    first = await asked("relevance", 0)
    times = {
        policy: statistics.median([await asked(policy, n) for n in range(1, 21)]) for policy in ("relevance", "park")
    }
    return {"first": first, **times, "cpu": statistics.median(cpu[1:21])}


async def lived(app: App) -> None:
    """A mind of 100 iterations."""
    options = MindOptions(
        name="old", person="invented", profile=profile().model_dump(mode="json"), model="scripted:m",
        opinions=("House 1 should be open.",),
    )  # fmt: skip
    await app.minds.create(options, by="bench")
    for n in range(LIVED):
        await app.log.send(mind_id("old"), Fed(by="bench", texts=(statement(n),)))
        await app.log.send(mind_id("old"), Surveyed(by="bench", questions=("House 1 should be open.",)))
    await app.runner.run(mind_id("old"))


async def resuming(home: Path) -> dict[str, float]:
    """Milliseconds, medians of 15: to look at the mind, and to go on with it up to where it rests."""
    async with open_app(Settings(home=home), scripts={"m": client()}) as app:
        await lived(app)
        looks, runs, used = [], [], []
        for _ in range(15):
            begun = time.perf_counter()
            assert (await app.minds.look("old")).iteration == LIVED
            looks.append((time.perf_counter() - begun) * 1000)
            begun, cpu = time.perf_counter(), time.process_time()
            await app.runner.run(mind_id("old"))
            runs.append((time.perf_counter() - begun) * 1000)
            used.append((time.process_time() - cpu) * 1000)
        median = statistics.median
        return {"look": median(looks), "run": median(runs), "slowest": max(runs), "cpu": median(used)}


async def resting(home: Path) -> tuple[float, float, float]:
    """Memory of the process (MB) with one mind, and with 1,000 more that rest; milliseconds to list them."""
    async with open_app(Settings(home=home), scripts={"m": client()}) as app:
        events = await app.log.read(mind_id("old"))
        before = memory()
        for n in range(MINDS):
            await app.log.restore(mind_id(f"mind {n}"), events[:40])
        begun = time.perf_counter()
        found = await app.minds.all()
        listed = (time.perf_counter() - begun) * 1000
        assert len(found) == MINDS + 1
        return before, memory(), listed


def memory() -> float:
    """MB that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * resource.getpagesize() / 1e6


# ── what the policies recall ─────────────────────────────────────────────────────────────────────────────────────────

POLICIES = {
    "relevance": MindSettings(),
    "importance, recency and relevance": MindSettings(policy="park"),
    "the same with spaced recall": MindSettings(policy="park", spaced=True),
    "least similar of four (the released code)": MindSettings(least_similar=True),
}


class Recalled(NamedTuple):
    """A memory that an opinion recalls in the end: whether it is of its topic, its importance, its age in iterations,
    and whether the opinion had recalled it after the text before as well.
    """

    right: bool
    score: int
    age: int
    again: bool


async def recalled_in_the_end(cfg: MindSettings, material: Material, who: str, recall: Recall) -> list[Recalled]:
    """What is recalled after the last text by somebody with the interests of `who`, who was asked all opinions after
    each text before.
    """
    mind, of = Mind(profile=profile()), dict[str, str]()
    last = max(len(topic.flows) for topic in material.topics.values())
    asked, before = dict[tuple[str, str], list[Statement]](), dict[tuple[str, str], list[Statement]]()
    for n in range(1, last + 1):
        mind, before = mind.model_copy(update={"memories": (*mind.memories, *read(material, who, n, of))}), asked
        texts, asked = [one.text for one in mind.memories], {}
        for topic in material.topics.values():
            near = await recall.likest(topic.questions, texts, looked_at(cfg, len(texts)))
            for question, one in zip(topic.questions, near, strict=True):
                asked[topic.topic, question] = [mind.memories[place] for place in chosen(cfg, mind, one, n)]
        answers = [RatedOpinion(question=of_[1], recalled=tuple(one.id for one in some)) for of_, some in asked.items()]
        mind = mind.after(Iteration(iteration=n, profile=mind.profile, answers=tuple(answers)))
    return [
        Recalled(of[one.id] == where[0], one.score, last - one.iteration, one in before[where])
        for where, some in asked.items()
        for one in some
    ]


def read(material: Material, who: str, n: int, of: dict[str, str]) -> list[Statement]:
    """The sentences of all topics' n-th texts as memories, with the topic of each put into `of`."""
    found: list[Statement] = []
    for topic in material.topics.values():
        score = 5 if topic.coded and topic.coded.interest.get(who) == "high" else 2
        for text in re.split(r"(?<=[.!?])\s+", " ".join(topic.flows[n - 1].texts)):
            new = f"k{len(of) + 1}"
            of[new] = topic.topic
            found.append(Statement(id=new, iteration=n, subject="", predicate="", object=text, score=score))
    return found


async def policies() -> list[tuple[str, list[float]]]:
    """By policy the means of all that is `Recalled`."""
    material, recall, rows = own_set(), RecallByMeaning(), []
    for name, cfg in POLICIES.items():
        found = [one for who in material.profiles for one in await recalled_in_the_end(cfg, material, who.name, recall)]
        rows.append((name, [statistics.mean(map(float, column)) for column in zip(*found, strict=True)]))
    return rows


async def main() -> None:
    """Measure, and print Markdown tables."""
    with tempfile.TemporaryDirectory() as folder:
        print("  iterations", file=sys.stderr)
        ratios = await iterations(Path(folder) / "a")
        print("  recall", file=sys.stderr)
        found = await recalling()
        print("  a long life", file=sys.stderr)
        again = await resuming(Path(folder) / "b")
        print("  many minds", file=sys.stderr)
        before, after, listed = await resting(Path(folder) / "b")
    print("| | measured | at most |\n| --- | ---: | ---: |")
    median = statistics.median(ratios)
    print(f"| an iteration of {QUESTIONS} questions over its critical path | **{median:.3f}** | 1.05 |")
    print(f"| … the slowest of {ITERATIONS} | {max(ratios):.3f} | |")
    print(f"| recall among {MEMORIES:,} memories by relevance, ms | **{found['relevance']:.1f}** | 20 |")
    print(f"| … CPU of that, ms | {found['cpu']:.1f} | |")
    print(f"| … by importance, recency and relevance, ms | {found['park']:.1f} | |")
    print(f"| … the first time, when all are read, ms | {found['first']:.0f} | |")
    print(f"| going on with a mind of {LIVED} iterations, ms | **{again['run']:.0f}** | 200 |")
    print(f"| … CPU of that, ms | {again['cpu']:.0f} | |")
    print(f"| … the slowest of 15, ms | {again['slowest']:.0f} | |")
    print(f"| looking at it, ms | {again['look']:.0f} | |")
    print(f"| memory for {MINDS:,} minds that rest, MB each | **{max(0.0, after - before) / MINDS:.4f}** | |")
    print(f"| listing them, ms | {listed:.0f} | |")
    print("\n| what the small set's opinions recall | of their topic | importance | age | recalled before |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (right, score, age, kept) in await policies():
        print(f"| {name} | {right:.0%} | {score:.2f} | {age:.2f} | {kept:.0%} |")


if __name__ == "__main__":
    asyncio.run(main())
