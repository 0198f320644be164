"""What a grid will ask of its models, in tables and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from elenchus.service.cli.tables import WordTable
    from elenchus.service.lab.default_models import Unnamed
    from elenchus.service.lab.grid import Estimate

_CELL_HEADINGS = ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run")


def tell_estimate(estimate: Estimate, unnamed: Unnamed, out: Out) -> None:
    """The plan as a document, or as tables and a sentence."""
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return
    from elenchus.service.cli.planning import costing, lasting, tell_assumed, tell_turns

    seats = [(other["seat"], other["kind"], other["model"]) for other in document["others"]]
    out.show(_table(("beside the subject", "", "model"), seats))
    out.line("")
    out.show(_table(_CELL_HEADINGS, [_cell_row(cell) for cell in document["by_cell"]]))
    tell_turns(document["of_people"], out)
    runs = f"{document['runs']} run{'' if document['runs'] == 1 else 's'}"
    out.line(
        f"\n{runs}: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {costing(document)}, "
        f"about {lasting(document['minutes'])} ({document['side_by_side']} side by side)"
    )
    tell_assumed(document, out)


def _cell_row(cell: Mapping[str, Any]) -> tuple[str, ...]:
    from elenchus.service.cli.planning import dollars

    tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
    counts = (str(cell["runs"]), str(cell["calls"]), tokens)
    return cell["subject"], cell["style"], cell["condition"], *counts, dollars(cell["usd"])


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> WordTable:
    from rich.text import Text

    from elenchus.service.cli.tables import WordTable

    table = WordTable()
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
