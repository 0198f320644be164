"""Claim: over seeds each side merges the agenda, and drafts the proposal, about as often as the other.

Whole debates with one judge, one for each seed, counted by who was drawn: who won, and how many drafts both signed.
In the first table the model is the scripted one (simulated: its judges decide by chance), so it shows that the draw
favours nobody, and nothing about any model. The second counts the debates of the embedded model that `small_debates`
keeps, each with a motion and a seed of its own: who won, which drafts both signed, and whose side a draft favours to a
blind reader who sees motion and recommendation. It is one weak model in few debates: only a very large effect would
show. For a model of your own: `elenchus debate … --seed N --export runs/N` for many N; each `run.json` has the winner
and who was drawn (docs/debate.md, "Many times"). Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from benchmarks.small_debates import DATA, labelled, read_csv
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.detectors.evaluation.intervals import share
from elenchus.service.app import App, open_app

SEEDS, AT_ONCE = 100, 10
CFG = DebateConfig(motion="A city should close its centre to cars", topics=2, max_rounds=1, judges=("judge-1",))


async def debate(app: App, seed: int, free: asyncio.Semaphore) -> Debate:
    """Hold the debate of one seed."""
    seats = tuple(Seat(name=name, spec="scripted:demo") for name in ("pro", "con", "crit", *CFG.judges))
    started = SessionStarted(
        protocol="socrasynth", title=CFG.motion, config=CFG.model_dump(mode="json"), seats=seats, seed=seed,
        seed_models=True, version="",
    )  # fmt: skip
    async with free:
        run = await app.runner.run(await app.runner.create(started))
    return Debate.model_validate(run.outcome)


async def main() -> None:
    """Hold the debates and print the table."""
    free = asyncio.Semaphore(AT_ONCE)
    with tempfile.TemporaryDirectory() as home:
        async with open_app(Settings(home=Path(home))) as app:
            debates = await asyncio.gather(*(debate(app, seed, free) for seed in range(SEEDS)))
    print("| merged the agenda | drafted the proposal | debates | pro won | con won | drafts signed by both |")
    print("| :-- | :-- | --: | :-- | :-- | :-- |")
    for merger in SIDES:
        drawn = [one for one in debates if one.merged_by == merger]
        won = [share(sum(one.winner == side for one in drawn), len(drawn)) for side in SIDES]
        rows = [row for one in drawn if one.proposal for row in one.proposal.topics]
        both = share(sum(len(row.signed_by) == 2 and not row.amendments for row in rows), len(rows))
        drafter = SIDES[merger == "pro"]
        print(f"| {merger} | {drafter} | {len(drawn)} | {' | '.join(map(str, (*won, both)))} |")
    print()
    print(embedded())


def embedded() -> str:
    """What the debates of the embedded model gave, by who drafted, as Markdown."""
    favoured = {row["motion"]: label for row, label in labelled("proposal")}
    kept = read_csv(DATA / "debates.csv")
    heads = (
        "drafted the proposal",
        "debates",
        "pro won",
        "con won",
        "signed by both",
        "favours its drafter",
        "favours the other",
    )
    lines = [heads, (":--", "--:", *[":--"] * 5)]
    for drafter, reviewer in (SIDES, SIDES[::-1]):
        drawn = [row for row in kept if row["drafted_by"] == drafter]
        read = [favoured[row["motion"]] for row in drawn if row["motion"] in favoured]
        lines.append(
            (
                drafter,
                str(len(drawn)),
                *(str(share(sum(row["winner"] == side for row in drawn), len(drawn))) for side in SIDES),
                str(share(sum(len(row["signed_by"].split()) == 2 for row in drawn), len(drawn))),
                *(str(share(read.count(side), len(read))) for side in (drafter, reviewer)),
            )
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    asyncio.run(main())
