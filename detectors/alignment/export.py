"""The files of an export: pairs and statements of low bias by split, and a data card. Pure but for what it counts.

Without a judge that has passed the gate nothing is called training data: the files' names and the card say `ungated`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rldf.schemas import HIGH
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.words import count_words
from elenchus.detectors.alignment.pairs import (
    MATCHES,
    SPLITS,
    Pair,
    Split,
    Spoken,
    pairs_of,
    preference_row,
    sft_row,
    splits_of,
)
from elenchus.detectors.alignment.verdicts import Verdict
from elenchus.detectors.evaluation.intervals import Share, clustered, share

CARD = "README.md"
UNGATED = "ungated"
EVEN = 0.2
"""How far from one half the share of pairs whose chosen side is the longer one may lie, in sides that are balanced."""


class Balance(FrozenModel):
    """How far the two sides of pairs differ in length. `longer`: in how many of those with different lengths the chosen
    side has more words, with an interval over topics.
    """

    chosen_words: float
    rejected_words: float
    longer: Share

    @property
    def balanced(self) -> bool | None:
        """Whether neither side is longer as a rule: False where the interval lies on one side of one half, True where
        it lies within ± .2 of it, None where it is too wide to tell.
        """
        low, high = self.longer.low, self.longer.high
        if low is None or high is None:
            return None
        if not low <= 0.5 <= high:
            return False
        return True if low >= 0.5 - EVEN and high <= 0.5 + EVEN else None

    def __str__(self) -> str:
        """In a sentence."""
        if not self.longer.of:
            return (
                f"Both sides have {self.chosen_words:.1f} words on average, and no pair's two sides differ in length."
            )
        told = {
            True: "balanced in length",
            False: "not balanced in length: a model may learn the length instead",
            None: "too few to tell whether the sides are balanced in length",
        }[self.balanced]
        return (
            f"The chosen side has {self.chosen_words:.1f} words on average, the rejected one "
            f"{self.rejected_words:.1f}; it is the longer one in {self.longer} of pairs that differ: {told}."
        )


class Exported(FrozenModel):
    """What an export holds, counted. `repeated`: pairs and statements that were held out and left out, since the same
    words are trained on under another topic.
    """

    pairs: int
    sft: int
    repeated: int
    topics: int
    by_split: dict[str, dict[str, int]]
    by_match: dict[str, int]
    by_bias: dict[str, int]
    balance: Balance | None


def balance_of(pairs: Sequence[Pair]) -> Balance | None:
    """The lengths of both sides, in words; None for no pairs."""
    if not pairs:
        return None
    lengths = [(count_words(p.chosen.text), count_words(p.rejected.text), p.chosen.topic) for p in pairs]
    differ = [(topic, a > b) for a, b, topic in lengths if a != b]
    longer = share(sum(one for _, one in differ), len(differ), clustered(differ))
    return Balance(
        chosen_words=sum(a for a, _, _ in lengths) / len(lengths),
        rejected_words=sum(b for _, b, _ in lengths) / len(lengths),
        longer=longer,
    )


def files_of(
    spoken: Sequence[Spoken], verdict: Verdict | None, run: Mapping[str, Any], seed: int, most: int | None = None
) -> tuple[Exported, dict[str, bytes]]:
    """The files by name, and what is in them. `verdict` None or not passed: they are called ungated. `run` is told in
    the card: who debated, how, and what was left out. `most`: so many pairs to train with, drawn; the others stay.
    """
    pairs, low = pairs_of(spoken), [one for one in spoken if not one.high]
    splits = splits_of((one.topic for one in spoken), seed)
    given = len(pairs) + len(low)
    pairs, low = _unlearnt(pairs, low, splits)
    repeated = given - len(pairs) - len(low)
    if most is not None:
        pairs = _fewer(pairs, splits, most, seed)
    gate = verdict.digest if verdict is not None and verdict.passed else UNGATED
    begin = f"{UNGATED}-" if gate == UNGATED else ""
    files: dict[str, bytes] = {}
    by_split: dict[str, dict[str, int]] = {}
    for split in SPLITS:
        rows = [{**preference_row(pair), "gate": gate} for pair in pairs if splits[pair.chosen.topic] == split]
        plain = [{**sft_row(one), "gate": gate} for one in low if splits[one.topic] == split]
        by_split[split] = {
            "topics": sum(of == split for of in splits.values()), "pairs": len(rows), "sft": len(plain),
        }  # fmt: skip
        for kind, found in (("pairs", rows), ("sft", plain)):
            if found:
                files[f"{begin}{kind}-{split}.jsonl"] = b"".join(map(_line, found))
    exported = Exported(
        pairs=len(pairs),
        sft=len(low),
        repeated=repeated,
        topics=len(splits),
        by_split=by_split,
        by_match={match: sum(pair.match == match for pair in pairs) for match in MATCHES},
        by_bias={bias: sum(p.chosen.bias == bias for p in pairs) for bias in sorted({one.bias for one in spoken})},
        balance=balance_of(pairs),
    )
    files[f"{begin}{CARD}"] = card(exported, verdict, run, files).encode()
    return exported, files


def _unlearnt(
    pairs: Sequence[Pair], low: Sequence[Spoken], splits: Mapping[str, Split]
) -> tuple[list[Pair], list[Spoken]]:
    """Those of which, as far as they are held out, no side has the words of one that is trained on."""
    said = [*low, *(side for pair in pairs for side in (pair.chosen, pair.rejected))]
    learnt = {one.wording for one in said if splits[one.topic] == "train"}

    def fits(*sides: Spoken) -> bool:
        return splits[sides[0].topic] == "train" or not any(one.wording in learnt for one in sides)

    return [one for one in pairs if fits(one.chosen, one.rejected)], [one for one in low if fits(one)]


def _fewer(pairs: Sequence[Pair], splits: Mapping[str, Split], most: int, seed: int) -> list[Pair]:
    """The pairs, of which at the most so many are to train with. Of fewer, all are among those of more."""
    train = [n for n, pair in enumerate(pairs) if splits[pair.chosen.topic] == "train"]
    left_out = set(Random(seed).sample(train, len(train))[most:])
    return [pair for n, pair in enumerate(pairs) if n not in left_out]


def _line(row: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(row, ensure_ascii=False)}\n".encode()


# ── the card ─────────────────────────────────────────────────────────────────────────────────────────────────────────


_ORIGIN = (
    "Each row names topic, type of bias, round, role, slot, both scores, referee, seed, session and step: `elenchus "
    "sessions show SESSION` shows the statement where it was made; `gate` is the verdict of the judge gate, "
    "or ungated. What people said is left out. `run.json` of a training names the files it took by these hashes."
)
_WARNING = (
    "The statements were written by models that were asked to take a position; the rejected ones hold stereotypes and "
    "are there to be learnt from, not to be read as anybody's view. Scores are one referee's, and the referee that "
    "made the pairs must not score what is trained with them."
)


def card(of: Exported, verdict: Verdict | None, run: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """The data card, in Markdown with the front matter by which `datasets` finds the files."""
    gated = verdict is not None and verdict.passed
    title = "Pairs from debates of roles" if gated else "UNGATED pairs from debates of roles: no training data"
    parts = [
        _front_matter(sorted(files)),
        f"# {title}",
        _gate(verdict),
        "## What is in it",
        _table(("split", "topics", "pairs", "low bias alone"), [(s, *n.values()) for s, n in of.by_split.items()]),
        f"{of.pairs} pairs, {of.sft} statements of low bias, {of.topics} topics. Splits are by topic; "
        f"{of.repeated} held-out rows, in words that are trained on under another topic, are left out. A pair is two "
        f"statements on one topic, the chosen one scored {HIGH} or lower for bias, the rejected one higher (0 none to "
        "10); no statement stands in two pairs. Matched by: "
        + "; ".join(f"{match}: {number}" for match, number in of.by_match.items())
        + ". By type of bias: "
        + "; ".join(f"{inline(bias)}: {number}" for bias, number in of.by_bias.items())
        + ".",
        str(of.balance) if of.balance else "There are no pairs, and so no lengths to compare.",
        "## Where it comes from",
        _table(("", ""), [(name.replace("_", " "), str(value)) for name, value in run.items()]),
        _ORIGIN,
        _hashes(files),
        "## What it is not",
        _WARNING,
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _hashes(files: Mapping[str, bytes]) -> str:
    rows = [(name, sha256(content).hexdigest()) for name, content in sorted(files.items())]
    return _table(("file", "SHA-256"), rows) if rows else ""


def _front_matter(files: Sequence[str]) -> str:
    """Each kind as a configuration, its splits as files."""
    lines = ["---", "configs:"]
    for kind in ("pairs", "sft"):
        named = [(split, name) for split in SPLITS for name in files if name.endswith(f"{kind}-{split}.jsonl")]
        if named:
            lines += [f"  - config_name: {kind}", "    data_files:"]
            lines += [f"      - {{split: {split}, path: {name}}}" for split, name in named]
    return "\n".join([*lines, "---"]) if len(lines) > 2 else ""


def _gate(verdict: Verdict | None) -> str:
    if verdict is None:
        return "**No judge gate was run for this referee.** Its scores may say nothing about bias."
    ended = "passed" if verdict.passed else "FAILED"
    told = f"**The judge gate: {inline(verdict.judge)} {ended}** on {inline(verdict.shown)}."
    measured = (
        f"- measured {verdict.created:%Y-%m-%d %H:%M} UTC; the verdict {verdict.digest}, the statements "
        f"{inline(verdict.labelled)}"
    )
    return "\n".join([told, "", *(f"- {one}" for one in verdict.conditions), measured])


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(inline(str(cell)) for cell in row)} |" for row in cells)
