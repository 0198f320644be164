"""`elenchus cogbench sheet` and `collect`: what people rate goes out blind, and comes back as a majority."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import check_folder, write_all, write_new
from elenchus.detectors.evaluation.cogbench.collected import (
    Collected,
    ratings_csv,
    read_key,
    read_sheets,
    with_majorities,
)
from elenchus.detectors.evaluation.cogbench.raters import Agreement, RaterAgreement, agreement_of
from elenchus.detectors.evaluation.cogbench.results import Results, read_results, with_flows
from elenchus.detectors.evaluation.cogbench.rubric import What
from elenchus.detectors.evaluation.cogbench.shapes import write_json
from elenchus.detectors.evaluation.cogbench.sheets import MOST_RATERS, make_sheets
from elenchus.detectors.evaluation.cogbench.tasks import read_tasks
from elenchus.service.cli.checks import in_bounds, within
from elenchus.service.cli.cogbench.score import interval
from elenchus.service.cli.live.status import counted
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.tables import WordTable

if TYPE_CHECKING:
    from elenchus.detectors.evaluation.intervals import Estimate

KEY = "key.json"


def results_in(file: Path, tasks: Path | None) -> Results:
    """A file of results, with what was read from the tasks where it does not say so itself. Raises UsageError,
    UnreadableDocument.
    """
    results = read_results(file)
    return results if tasks is None else with_flows(results, read_tasks(tasks))


def write_sheets(
    read: Callable[[], Results], folder: Path, what: str, methods: Sequence[str], raters: int, limit: int | None,
    seed: int, out: CommandOutput,
) -> None:  # fmt: skip
    """Write a sheet a rater, and the key beside them. Raises UsageError, UnreadableDocument, StorageError."""
    within(raters, 2, MOST_RATERS, "--raters", "2")
    within(seed, 0, 2**31, "--seed", "0")
    in_bounds(limit=limit)
    results, chosen = read(), what_named(what)
    if methods and chosen == "ratings":
        raise UsageError("--method goes with --what rationality: for ratings people answer themselves.")
    check_folder(folder)
    sheets = make_sheets(results, chosen, methods or results.methods, raters, limit, seed)
    if not sheets.key.items:
        raise UsageError(f"{results.named} has no answers of a method: there is nothing to rate.")
    files = sheets.files | {KEY: f"{sheets.key.model_dump_json(indent=1)}\n".encode()}
    if not (written := write_new(folder, files)):
        raise UsageError(f"{folder} holds such sheets already: choose another folder for --out.")
    out.document({"items": len(sheets.key.items), "files": [str(path) for path in written]})
    if not out.json:
        out.line(f"{len(sheets.key.items)} items for {raters} raters are in {folder}")
        out.line(f"give each rater one sheet, the guide and the material; {KEY}, which says what is what, to nobody")


def what_named(what: str) -> What:
    """Raises UsageError."""
    for one in get_args(What):
        if one == what:
            return one  # type: ignore[no-any-return]
    raise UsageError(f"{what[:40]!r} is nothing that people rate here: --what is rationality or ratings.")


def collect(file: Path, key: Path, sheets: Sequence[Path], into: Path | None, out: CommandOutput) -> None:
    """Tell how far the raters agree, and write the results with their majorities. Raises UsageError,
    UnreadableDocument, StorageError.
    """
    results = read_results(file)
    collected = read_sheets(read_key(key, results), sheets)
    found = agreement_of(collected.rated(results))
    told = collected.majorities.values()
    ties = sum(majority.tied for majority in told)
    out.document(
        {"what": collected.key.what, "rated": len(told), "ties": ties, "agreement": found.model_dump(mode="json")}
    )
    if not out.json:
        out.show(_table(found, f"{found.raters} raters, {found.items} items, {found.missing} ratings missing"))
        out.line(f"{len(told)} items have a majority; {ties} of them are ties, decided by the median and marked")
    if into is not None:
        _write(into, results, collected, out)


def _write(into: Path, results: Results, collected: Collected, out: CommandOutput) -> None:
    """The results with majorities, and every rating beside them; neither is written over another file."""
    ratings = into.with_name(f"{into.stem}-ratings.csv")
    for path in (into, ratings):
        if path.exists():
            raise UsageError(f"{path} is there already: choose another file for --out.")
    write_json(into, with_majorities(results, collected))
    write_all(ratings.parent, {ratings.name: ratings_csv(results, collected)})
    out.tell(f"wrote {into} and {ratings}")


def _table(found: RaterAgreement, title: str) -> WordTable:
    def row(name: str, of: Agreement) -> tuple[str, ...]:
        figures: tuple[Estimate, ...] = (of.fleiss, of.alpha_nominal, of.alpha_ordinal)
        return name, *map(interval, figures)

    spearman = "–" if found.spearman is None else f"{found.spearman:.3f}"
    rows = [
        (*row("1 to 5", found.ratings), f"{spearman} ({counted(found.pairs, 'pair')})"),
        (*row("polarity (1–2, 3, 4–5)", found.polarity), ""),
    ]
    headings = ("", f"Fleiss' κ ({found.whole} items)", "α, nominal", "α, ordinal", "Spearman's ρ")
    return WordTable.of(headings, rows, numbers=4, title=title)
