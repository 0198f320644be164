"""A study as rows for a table of data, one run (and subject) a row, with its codebook. Pure."""

from __future__ import annotations

import csv
import io

from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.observation import RESULTS, Observation
from elenchus.debate_engine.protocols.spec import Column
from elenchus.debate_engine.reports.document import table
from elenchus.debate_engine.reports.escape import inline

COLUMNS = (
    Column("session", "the run's session", "text"),
    Column("scene", "the scene's name", "text"),
    Column("subject", "the subject's model as it was asked for; people are taken together", "provider:model, people"),
    Column("role", "the subject's name in the scene", "text"),
    Column("style", "how the subject was told to decide", "text", "as the scene has it"),
    Column("condition", "which version of the scene was played", "treatment, control"),
    Column("result", "what became of the run", ", ".join(RESULTS)),
    Column("bias", "the same as a number: 1 the bias is seen, 0 it is not", "0, 1", "any other result"),
    Column("judges_yes", "judges that see the bias", "whole number"),
    Column("judges_no", "judges that do not", "whole number"),
    Column("judges_unread", "judges without a readable answer", "whole number"),
    Column("judges_unfounded", "judges whose yes quotes none of the subject's own words, also when asked once more: "
           "neither yes nor no", "whole number"),
    Column("judges_asked_again", "judges whose first yes was unfounded", "whole number"),
    Column("judges_misquoted", "judges that count, although they also quote words that nobody said", "whole number"),
    Column("judges_shortened", "judges whose model was too small for the whole record: they read a shortened one",
           "whole number"),
    Column("agreement", "share of the counted judges (yes or no) with the verdict", "0 to 1", "no verdict"),
    Column("record", "fingerprint of all that was said: equal where two runs say the same", "16 hex digits",
           "not played to the end"),
    Column("pilot", "1 for a run that was started as a pilot", "0, 1"),
    Column("seed", "the run's seed", "whole number"),
    Column("temperature", "as it was asked for", "number", "the vendor's default"),
    Column("others", "who sat beside the subject, the judges together", "seat: provider:model or people; …", "nobody"),
    Column("confounded", "what differs between the two conditions of this subject and style beside the condition "
           "itself: their difference is then no effect", "seat, judges, temperature; …", "nothing"),
    Column("why", "why a run ended early or is not finished", "text", "any other result"),
)  # fmt: skip


def runs_csv(study: Study) -> str:
    """The rows, UTF-8, with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in COLUMNS])
    rows = (_row(study.name, one, study.confounded(one.cell)) for one in study.observed)
    writer.writerows([csv_cell(each) if isinstance(each, str) else each for each in row] for row in rows)
    return out.getvalue()


def _row(name: str, one: Observation, confounded: tuple[str, ...]) -> list[object]:
    bias = {"present": 1, "absent": 0}.get(one.result)
    agreement, temperature = one.agreement, one.temperature
    return [
        one.session, name, one.cell.subject, one.role, one.cell.style, one.cell.condition, one.result,
        "" if bias is None else bias, one.yes, one.no, one.unread, one.unfounded,
        one.asked_again, one.misquoted, one.shortened,
        "" if agreement is None else agreement, one.record, int(one.pilot), one.seed,
        "" if temperature is None else temperature, "; ".join(f"{seat}: {spec}" for seat, spec in one.others),
        "; ".join(confounded), one.why,
    ]  # fmt: skip


def runs_codebook() -> str:
    """What each column means, as Markdown."""
    rows = [[f"`{c.name}`", inline(c.meaning), inline(c.values), inline(c.empty)] for c in COLUMNS]
    return f"# Codebook of runs.csv\n\n{table(['column', 'meaning', 'values', 'empty where'], rows)}\n"
