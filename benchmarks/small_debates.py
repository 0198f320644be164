"""Debates of the embedded model stay with their subject and with their side, and show nothing of the prompts.

Twenty motions of our own, half of them questions (`small_debates_data/motions.txt`), one topic each that the model
finds itself, opening, one rebuttal and closing of both sides: 120 speeches, and one small judge. A *subject word* is a
word of the motion or the topic without its ending. A speech begins with words that our prompt gives it (side and
topic), so the sentences are counted with and without these. *Scaffold* is anything of the prompts' form: headings,
numbered lists, chat marks, role names, "motion", "topic", "question".

The side is read blind, twice: a reader sees the motion and a part of a speech, shuffled over all motions, without the
side, and says pro, con or unclear (neither, both, or no sense). First *what the model wrote itself*, all given words
left out; then *the reason as it is heard*, from "because" on, of which the first words are given too. `labels.csv`
keeps both readings, by the words that were read. Strict: only the own side counts as held; lenient: "unclear" too.
The reader is one of the developers, who knows how speeches begin; nobody else has read them, and no second instrument
was at hand (the model itself tells a side no better than chance, decision 0037).

Nineteen motions were debated; the last (tourism) is not measured yet. Two debates found no agenda at first and were
held again after that was mended; so four of the nineteen were held with the mended agenda, and in one of these "ensure"
was taken for a concern, which has been mended since and not measured again.

`python -m benchmarks.small_debates 4` debates the next four motions that are not kept in `speeches.csv` and
`debates.csv` yet (all of them without a number); `--sheet own`, `--sheet reason` and `--sheet proposal` print what is
read blind; `--counts` counts what is kept, without any model.
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

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Event, Said, Seat, SessionStarted, StepDone
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig
from elenchus.debate_engine.protocols.socrasynth.small.wording import sentences, stems
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.service.app import App, open_app

DATA = Path(__file__).with_name("small_debates_data")
SPEC = "local:smollm2-135m"
FIELDS = ("motion", "topic", "about", "side", "begin", "text")
DEBATE_FIELDS = ("motion", "seed", "drafted_by", "winner", "signed_by", "proposal")
SCAFFOLD = re.compile(
    r"#|\*\*|^\s*\d+[.)]\s|<\||\|>|\b(pro|con|motion|proponents?|opponents?|contentiousness|debaters?|moderator)\b|"
    r"\b(topic|question|statement|prompt|assistant|user|heat)\s*\d*\s*[:\d]",
    re.IGNORECASE | re.MULTILINE,
)
Row = dict[str, str]


async def debated(app: App, motion: str, seed: int) -> tuple[list[Row], Row]:
    """One debate: its speeches, as they were heard, and how it ended."""
    seats = (
        *(Seat(name=name, spec=SPEC) for name in (*SIDES, "judge-1")),
        Seat(name="crit", spec="scripted:demo"),
    )
    cfg = DebateConfig(
        motion=motion, topics=1, max_rounds=1, judges=("judge-1",), small=app.registry.small_seats(seats)
    )
    started = SessionStarted(
        protocol="socrasynth", title=motion, config=cfg.model_dump(mode="json"), seats=seats, seed=seed, version="0"
    )
    session = await app.runner.start(started)
    run = await app.runner.run(session)
    speeches = rows_of(motion, [r.event for r in await app.log.read(session)])
    return speeches, ending_of(motion, seed, Debate.model_validate(run.outcome))


def ending_of(motion: str, seed: int, debate: Debate) -> Row:
    """Who was drawn to draft the proposal, what it says, who signed, and who won."""
    proposal = debate.proposal
    agreed = proposal.topics[0] if proposal and proposal.topics else None
    return {
        "motion": motion,
        "seed": str(seed),
        "drafted_by": proposal.drafted_by if proposal else "",
        "winner": debate.winner,
        "signed_by": " ".join(agreed.signed_by) if agreed else "",
        "proposal": agreed.proposal if agreed else "",
    }


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


async def hold(motions: Sequence[str], at_most: int) -> None:
    """Hold the debates that are not kept yet, one after the other, and keep each as soon as it has ended."""
    kept = {row["motion"] for row in read_csv(DATA / "debates.csv")}
    with tempfile.TemporaryDirectory() as home:
        async with open_app(Settings(home=Path(home))) as app:
            for motion in [m for m in motions if m not in kept][:at_most]:
                began = time.monotonic()
                speeches, ending = await debated(app, motion, seed=motions.index(motion))
                keep(DATA / "speeches.csv", FIELDS, speeches)
                keep(DATA / "debates.csv", DEBATE_FIELDS, [ending])
                print(f"  {motion} {time.monotonic() - began:.0f} s", file=sys.stderr)


# ── reading blind ────────────────────────────────────────────────────────────────────────────────────────────────


def own_words(row: Row) -> str:
    """What the model wrote itself."""
    return row["text"].removeprefix(row["begin"]).strip()


def reason(row: Row) -> str:
    """A speech from its reason on, without the claim that says which side speaks."""
    return re.sub(r"^.*?\bbecause ", "", row["text"], count=1)


def proposed(row: Row) -> str:
    """What a debate's draft of a joint proposal recommends, the given beginning left out: it names both concerns."""
    return row["proposal"].partition(" it would be wise to ")[2]


READ = {
    "own": ("speeches.csv", own_words),
    "reason": ("speeches.csv", reason),
    "proposal": ("debates.csv", proposed),
}
"""What is read blind: of which file, and what of a row."""


def shuffled(reading: str) -> list[tuple[str, Row, str]]:
    """What is read, in the order in which it is read, each with its number on the sheet and its row."""
    file, part = READ[reading]
    read = [(row, part(row)) for row in read_csv(DATA / file) if is_given(row)]
    random.Random(f"sheet {reading}").shuffle(read)
    return [(str(n), row, text) for n, (row, text) in enumerate(read, 1)]


def labelled(reading: str) -> list[tuple[Row, str]]:
    """The rows with what the blind reader said of the text that was shown of them."""
    said = {(r["motion"], r["text"]): r["label"] for r in read_csv(DATA / "labels.csv") if r["reading"] == reading}
    read = shuffled(reading)
    return [(row, said[row["motion"], text]) for _, row, text in read if (row["motion"], text) in said]


# ── counting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def on_subject(row: Row, *, own: bool) -> tuple[int, int]:
    """How many sentences of a speech hold a subject word, of how many; `own`: of what the model wrote itself."""
    text = own_words(row) if own else row["text"]
    subject = stems(f"{row['motion']} {row['topic']}")
    found = [sentence for sentence in sentences(text) if sentence.strip(" .!?")]
    return sum(bool(stems(sentence) & subject) for sentence in found), len(found)


def share(pairs: Iterable[tuple[int, int]]) -> str:
    """A sum of parts as a share."""
    counted = list(pairs)
    part, whole = sum(p for p, _ in counted), sum(w for _, w in counted)
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none"


def is_given(row: Row) -> bool:
    """Whether a speech, or a proposal, was given at all."""
    return bool(row.get("proposal")) or not row.get("text", "(gave no").startswith("(gave no")


def held(read: Iterable[tuple[Row, str]], *more: str) -> str:
    """How many speeches the blind reader gave to their own side, or called one of `more`."""
    return share([(label in {row["side"], *more}, 1) for row, label in read])


def table(rows: Sequence[Row]) -> str:
    """What was found, as Markdown."""
    spoken = [row for row in rows if is_given(row)]
    echoed = [row for row in spoken if SCAFFOLD.search(row["text"].replace(row["motion"], ""))]
    lines = [
        ("speeches given, of those that were asked for", share([(len(spoken), len(rows))])),
        ("sentences with a subject word, as heard", share(on_subject(row, own=False) for row in spoken)),
        ("sentences with a subject word, the given beginning left out", share(on_subject(r, own=True) for r in spoken)),
        ("speeches that show something of the prompts", share([(len(echoed), len(spoken))])),
    ]
    for reading, name in (("reason", "the reason as it is heard"), ("own", "what the model wrote itself")):
        read = labelled(reading)
        lines.append((f"**{name}**: read blind for its own side (strict)", held(read)))
        lines.append((f"{name}: for its own side or unclear (lenient)", held(read, "unclear")))
        deeds = [(r, label) for r, label in read if r["begin"].endswith(": it would")]
        lines.append((f"{name}, strict, where the motion asks for a deed", held(deeds)))
        lines.append((f"{name}, strict, where it does not", held(each for each in read if each not in deeds)))
        parts = [("side", side) for side in SIDES] + [("about", about) for about in ("opening", "round 1", "closing")]
        for field, value in parts:
            lines.append((f"{name}, strict, {value}", held((r, label) for r, label in read if r[field] == value)))
    return "\n".join(["| | |", "| --- | ---: |", *(f"| {name} | {value} |" for name, value in lines)])


def read_csv(path: Path) -> list[Row]:
    """The rows of a file, none where it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def keep(path: Path, fields: Sequence[str], rows: Sequence[Row]) -> None:
    """Add rows to a file."""
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Debate, print a sheet, or count what is kept."""
    arguments = sys.argv[1:]
    motions = (DATA / "motions.txt").read_text(encoding="utf-8").splitlines()
    if arguments[:1] == ["--sheet"]:
        for number, row, text in shuffled(arguments[1]):
            print(f"{number} | {row['motion']} | {text}")
        return
    if "--counts" not in arguments:
        asyncio.run(hold(motions, int(arguments[0]) if arguments else len(motions)))
    print(table(read_csv(DATA / "speeches.csv")))


if __name__ == "__main__":
    main()
