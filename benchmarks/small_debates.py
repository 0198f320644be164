"""Debates of the embedded model stay with their subject and with their side, and show nothing of the prompts.

Twenty motions of our own, half of them questions (`small_debates_data/motions.txt`), one topic each that the model
finds itself, opening, one rebuttal and closing of both sides: 120 speeches, and one small judge. A *subject word* is a
word of the motion or the topic without its ending. A speech begins with words that our prompt gives it (side and
topic), so the sentences are counted with and without these. *Scaffold* is anything of the prompts' form: headings,
numbered lists, chat marks, role names, "motion", "topic", "question".

The side is read blind, twice: a reader sees the motion and a part of a speech, shuffled over all motions, without the
side, and says pro, con or unclear (neither, both, or no sense). First *what the model wrote itself*, all given words
left out; then *the reason as it is heard*, from "because" on. Of that the first words are given too, and they call the
deed or the subject good or bad ("that would be good for safety: it would", "zoos are bad for wildlife: they"): they
tell the side by themselves, so only the first reading says what the model does. Strict: only the own side counts as
held; lenient: "unclear" too. `labels.csv` keeps both readings, by the words that were read. They were read in two
parts, eleven debates and then nine.

The reader is one developer, who wrote the given words and knows how speeches begin; nobody else has read these
speeches, and no second instrument was at hand (the model itself tells a side no better than chance, decision 0037). The
second look is the same reader's, within the hour, in another order, after all given words had been seen with the
reasons: it tells how steady the reader is, not how right.
The words by which samples are chosen were written by people who knew these motions. Intervals are Wilson's, 95 %, wider
for what hangs together in a debate; McNemar's test takes no account of that. Of these motions most call something good
or bad; on others, not in this file, the model holds its side far less often (decision 0073).

*Before* are nineteen of the motions as they were debated before decision 0073, with the same seeds, three debates at
once from a copy of the code, in two versions of it, and read by another developer: a part of the difference may be the
reader's. The debates of now were held one after the other by one version of the code, on two busy cores.

`python -m benchmarks.small_debates 4` debates the next four motions that are not kept in `speeches.csv` and
`debates.csv` yet (all of them without a number); `--sheet own`, `--sheet reason` and `--sheet proposal` print what is
read blind, with one more word in another order; `--counts` counts what is kept, without any model.
"""

from __future__ import annotations

import asyncio
import csv
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Event, Said, Seat, SessionStarted, StepDone
from elenchus.debate_engine.protocols.rulegen.study.statistics import mcnemar
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig
from elenchus.debate_engine.protocols.socrasynth.small.wording import sentences, stems
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.detectors.evaluation.intervals import share
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
LABELS = (*SIDES, "unclear")
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
    session = await app.runner.create(started)
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


def shuffled(reading: str, order: str = "") -> list[tuple[str, Row, str]]:
    """What is read, in the order in which it is read, each with its number on the sheet and its row."""
    file, part = READ[reading]
    read = [(row, part(row)) for row in read_csv(DATA / file) if is_given(row)]
    random.Random(f"sheet {reading} {order}".strip()).shuffle(read)
    return [(str(n), row, text) for n, (row, text) in enumerate(read, 1)]


def labelled(reading: str, look: str = "label", rows: Sequence[Row] | None = None) -> list[tuple[Row, str]]:
    """The rows with what the blind reader said of the text that was shown of them, at the first look or `again`."""
    file, part = READ[reading]
    said = {(r["motion"], r["text"]): r.get(look, "") for r in read_csv(DATA / "labels.csv") if r["reading"] == reading}
    read = [(row, said.get((row["motion"], part(row)), "")) for row in rows or read_csv(DATA / file) if is_given(row)]
    return [(row, label) for row, label in read if label]


# ── counting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def on_subject(row: Row, *, own: bool) -> tuple[int, int]:
    """How many sentences of a speech hold a subject word, of how many; `own`: of what the model wrote itself."""
    text = own_words(row) if own else row["text"]
    subject = stems(f"{row['motion']} {row['topic']}")
    found = [sentence for sentence in sentences(text) if sentence.strip(" .!?")]
    return sum(bool(stems(sentence) & subject) for sentence in found), len(found)


def of_all(pairs: Iterable[tuple[int, int]]) -> str:
    """A sum of parts as a share."""
    counted = list(pairs)
    part, whole = sum(p for p, _ in counted), sum(w for _, w in counted)
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "–"


def is_given(row: Row) -> bool:
    """Whether a speech, or a proposal, was given at all."""
    return bool(row.get("proposal")) or not row.get("text", "(gave no").startswith("(gave no")


def is_of_deed(row: Row) -> bool:
    """Whether a speech is on a motion that asks for a deed, by the words with which it begins."""
    return row["begin"].endswith(": it would")


def held(read: Iterable[tuple[Row, str]], *more: str) -> str:
    """How many speeches the reader gave to their own side, or called one of `more`; those of a motion hang together."""
    by_motion: dict[str, list[bool]] = {}
    for row, label in read:
        by_motion.setdefault(row["motion"], []).append(label in {row["side"], *more})
    clusters = [(sum(one), len(one)) for one in by_motion.values()]
    return str(share(sum(k for k, _ in clusters), sum(n for _, n in clusters), clusters))


KINDS: Mapping[str, Callable[[Row], bool]] = {
    "all": lambda row: True,
    "it asks for a deed": is_of_deed,
    "it says how things are": lambda row: not is_of_deed(row),
}
NAMES = {"reason": "the reason as it is heard", "own": "what the model wrote itself"}


def by_kind(name: str, read: Sequence[tuple[Row, str]], *more: str) -> tuple[str, ...]:
    """A row of the table: how many of all speeches, and of those on each kind of motion."""
    return name, *(held(((row, label) for row, label in read if of(row)), *more) for of in KINDS.values())


def table(rows: Sequence[Row]) -> str:
    """What was found, as Markdown."""
    spoken = [row for row in rows if is_given(row)]
    echoed = [row for row in spoken if SCAFFOLD.search(row["text"].replace(row["motion"], ""))]
    counted = [
        ("", ""),
        ("---", "---:"),
        ("speeches given, of those that were asked for", of_all([(len(spoken), len(rows))])),
        ("sentences with a subject word, as heard", of_all(on_subject(row, own=False) for row in spoken)),
        ("the same, the given beginning left out", of_all(on_subject(row, own=True) for row in spoken)),
        ("speeches that show something of the prompts", of_all([(len(echoed), len(spoken))])),
    ]
    read_blind: list[tuple[str, ...]] = [("read blind", *KINDS), (":--", *[":--"] * len(KINDS))]
    for reading, name in NAMES.items():
        read, before = labelled(reading), labelled(reading, rows=read_csv(DATA / "speeches-before.csv"))
        read_blind += [by_kind(f"**{name}**: strict", read), by_kind("lenient", read, "unclear")]
        read_blind += [by_kind("strict at the second look", labelled(reading, "again"))]
        read_blind += [by_kind("strict, before", before), by_kind("lenient, before", before, "unclear")]
        for field, value in [("side", s) for s in SIDES] + [("about", a) for a in ("opening", "round 1", "closing")]:
            read_blind += [by_kind(f"strict, {value}", [(r, label) for r, label in read if r[field] == value])]
    parts = (counted, read_blind, [*compared()], [*agreement()])
    return "\n\n".join("\n".join(f"| {' | '.join(line)} |" for line in part) for part in parts)


def compared() -> Iterable[tuple[str, ...]]:
    """The same turns (motion, turn, side) now and before: of how many the reader gave each to its own side."""
    yield "the same turns, strict", "turns", "both", "now only", "before only", "neither", "McNemar's exact p"
    yield ":--", *["--:"] * 6
    for reading, name in NAMES.items():
        now = {(r["motion"], r["about"], r["side"]): (r, label == r["side"]) for r, label in labelled(reading)}
        old = labelled(reading, rows=read_csv(DATA / "speeches-before.csv"))
        before = {(r["motion"], r["about"], r["side"]): label == r["side"] for r, label in old}
        for kind, of in KINDS.items():
            pairs = [(now[turn][1], before[turn]) for turn in now.keys() & before.keys() if of(now[turn][0])]
            count = [pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
            yield f"{name}, {kind}", str(len(pairs)), *map(str, count), f"{mcnemar(count[1], count[2]):.2g}"


def agreement() -> Iterable[tuple[str, ...]]:
    """How far the reader's two looks agree on the same texts."""
    from statsmodels.stats.inter_rater import cohens_kappa, to_table  # type: ignore[import-untyped]

    yield "the two looks", "texts", "the same label", "Cohen's κ"
    yield ":--", "--:", ":--", ":--"
    for reading, name in NAMES.items():
        again = {(row["motion"], row["text"]): label for row, label in labelled(reading, "again")}
        looks = [(label, again[key]) for r, label in labelled(reading) if (key := (r["motion"], r["text"])) in again]
        if looks:
            found = cohens_kappa(to_table([[LABELS.index(label) for label in both] for both in looks], 3)[0])
            same = str(share(sum(one == other for one, other in looks), len(looks)))
            yield (
                name,
                str(len(looks)),
                same,
                f"{found.kappa:.2f} ({found.kappa_low:.2f}–{min(1, found.kappa_upp):.2f})",
            )


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
        for number, row, text in shuffled(*arguments[1:]):
            print(f"{number} | {row['motion']} | {text}")
        return
    if "--counts" not in arguments:
        asyncio.run(hold(motions, int(arguments[0]) if arguments else len(motions)))
    print(table(read_csv(DATA / "speeches.csv")))


if __name__ == "__main__":
    main()
