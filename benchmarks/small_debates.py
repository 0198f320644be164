"""Debates of the embedded model stay with their subject and with their side, and show nothing of the prompts.

Twenty motions of our own, half of them questions (`small_debates_data/motions.txt`), one topic each that the model
finds itself, opening, one rebuttal and closing of both sides: 120 speeches. A *subject word* is a word of the motion or
the topic without its ending. A speech begins with words that our prompt gives it (side and topic), so the sentences are
counted with and without these. *Scaffold* is anything of the prompts' form: headings, numbered lists, chat marks, role
names, "motion", "topic", "question". The side is read blind: a reader sees motion and reason (a speech from "because"
on, without the claim before it), shuffled, and says pro, con or unclear. `speeches.csv` and `labels.csv` are kept.

`python -m benchmarks.small_debates --counts` counts the speeches that are kept, without any model.
"""

from __future__ import annotations

import asyncio
import csv
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from config.settings import Settings
from debate_engine.events import Event, Said, Seat, SessionStarted, StepDone
from debate_engine.protocols.socrasynth.schemas import DebateConfig
from debate_engine.protocols.socrasynth.small.wording import sentences, stems
from debate_engine.protocols.speech import SIDES, Side
from service.app import App, open_app

DATA = Path(__file__).with_name("small_debates_data")
SPEC = "local:smollm2-135m"
FIELDS = ("id", "motion", "topic", "about", "side", "begin", "text")
SCAFFOLD = re.compile(
    r"#|\*\*|^\s*\d+[.)]\s|<\||\|>|\b(pro|con|motion|proponents?|opponents?|contentiousness|debaters?|moderator)\b|"
    r"\b(topic|question|statement|prompt|assistant|user|heat)\s*\d*\s*[:\d]",
    re.IGNORECASE | re.MULTILINE,
)
Row = dict[str, str]


async def debated(app: App, motion: str) -> list[Row]:
    """One debate's speeches, as they were heard."""
    seats = (*(Seat(name=side, spec=SPEC) for side in SIDES), Seat(name="crit", spec="scripted:demo"))
    cfg = DebateConfig(motion=motion, topics=1, max_rounds=1, small=app.registry.small_seats(seats))
    started = SessionStarted(
        protocol="socrasynth", title=motion, config=cfg.model_dump(mode="json"), seats=seats, seed=0, version="0"
    )
    session = await app.runner.start(started)
    await app.runner.run(session)
    return rows_of(motion, [r.event for r in await app.log.read(session)])


def rows_of(motion: str, events: Sequence[Event]) -> list[Row]:
    """The speeches in a debate's log, with the topic and the words with which each begins."""
    agreed = next(e for e in events if isinstance(e, StepDone) and e.step == "agenda/agreed").result[0]
    begun = {e.step: e.inputs["prefill"] for e in events if isinstance(e, StepDone) and "/sample/1" in e.step}
    return [
        {
            "motion": motion,
            "topic": f"{agreed['pro_concern']} vs. {agreed['con_concern']}",
            "about": e.about,
            "side": e.speaker,
            "begin": begun[f"{e.about.replace(' ', '/')}/{e.speaker}/topic/1/sample/1"],
            "text": e.text,
        }
        for e in events
        if isinstance(e, Said) and e.speaker in SIDES
    ]


async def held(motions: Sequence[str]) -> list[Row]:
    """All debates, one after the other."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as home:
        async with open_app(Settings(home=Path(home))) as app:
            for motion in motions:
                began = time.monotonic()
                rows += await debated(app, motion)
                print(f"  {motion} {time.monotonic() - began:.0f} s", file=sys.stderr)
    random.Random(12).shuffle(rows)
    return [{"id": str(n)} | row for n, row in enumerate(rows, 1)]


def reason(row: Row) -> str:
    """A speech from its reason on, without the claim that says which side speaks."""
    return re.sub(r"^.*?\bbecause ", "", row["text"], count=1)


# ── counting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def on_subject(row: Row, *, own: bool) -> tuple[int, int]:
    """How many sentences of a speech hold a subject word, of how many; `own`: of what the model wrote itself."""
    text = row["text"].removeprefix(row["begin"]).strip() if own else row["text"]
    subject = stems(f"{row['motion']} {row['topic']}")
    found = [sentence for sentence in sentences(text) if sentence.strip(" .!?")]
    return sum(bool(stems(sentence) & subject) for sentence in found), len(found)


def share(pairs: Iterable[tuple[int, int]]) -> str:
    """A sum of parts as a share."""
    counted = list(pairs)
    part, whole = sum(p for p, _ in counted), sum(w for _, w in counted)
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none"


def stance(rows: Sequence[Row], labels: dict[str, str], side: Side) -> tuple[int, int]:
    """How many of a side's speeches the blind reader gave to that side."""
    mine = [row for row in rows if row["side"] == side and row["id"] in labels]
    return sum(labels[row["id"]] == side for row in mine), len(mine)


def held_to(rows: Sequence[Row], labels: dict[str, str]) -> tuple[int, int]:
    """How many speeches hold their side: what follows their claim is no reason for the other side."""
    read = [row for row in rows if row["id"] in labels]
    return sum(labels[row["id"]] in {row["side"], "unclear"} for row in read), len(read)


def table(rows: Sequence[Row], labels: dict[str, str]) -> str:
    """What was found, as Markdown."""
    spoken = [row for row in rows if not row["text"].startswith("(gave no speech)")]
    echoed = [row for row in spoken if SCAFFOLD.search(row["text"].replace(row["motion"], ""))]
    lines = [
        ("speeches given, of those that were asked for", share([(len(spoken), len(rows))])),
        ("sentences with a subject word, as heard", share(on_subject(row, own=False) for row in spoken)),
        ("sentences with a subject word, the given beginning left out", share(on_subject(r, own=True) for r in spoken)),
        ("speeches that show something of the prompts", share([(len(echoed), len(spoken))])),
    ]
    lines.append(("speeches whose reason is not one for the other side (read blind)", share([held_to(spoken, labels)])))
    for name, sides in (("both", SIDES), ("pro", ("pro",)), ("con", ("con",))):
        found = [stance(spoken, labels, side) for side in SIDES if side in sides]
        lines.append((f"reasons that a blind reader took for their own side’s, {name}", share(found)))
    for about in ("opening", "round 1", "closing"):
        at = [row for row in spoken if row["about"] == about]
        lines.append((f"the same, {about}", share(stance(at, labels, side) for side in SIDES)))
    read = [labels[row["id"]] for row in spoken if row["id"] in labels]
    lines.append(("reasons that say nothing for either side (“unclear”)", share([(read.count("unclear"), len(read))])))
    return "\n".join(["| | |", "| --- | ---: |", *(f"| {name} | {value} |" for name, value in lines)])


def read_csv(path: Path) -> list[Row]:
    """The rows of a file, none where it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows: Sequence[Row], path: Path) -> None:
    """Keep the speeches. What was labelled before belongs to other speeches: the labels are removed."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    path.with_name("labels.csv").unlink(missing_ok=True)


def main() -> None:
    """Debate, or count what is kept; print."""
    speeches = DATA / "speeches.csv"
    if "--counts" not in sys.argv[1:]:
        write(asyncio.run(held((DATA / "motions.txt").read_text(encoding="utf-8").splitlines())), speeches)
    labels = {row["id"]: row["label"] for row in read_csv(DATA / "labels.csv")}
    print(table(read_csv(speeches), labels))


if __name__ == "__main__":
    main()
