from __future__ import annotations

import csv
from io import StringIO

from elenchus.bot.rendering import tables
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.sweep.schemas import Sweep
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.protocols.crit.scripted_crit import CritSession
from tests.debate_engine.protocols.crit.test_document import ARTICLE, SOURCES, STUDY, config, result_in, script
from tests.debate_engine.reports.debates import MOTION, TOPICS, debated, other

LEADER = "Cars kill. The Institute of Streets counted it. Some say that shops would lose buyers.\n"


async def test_crit_on_a_document_comes_out_with_report_and_scores() -> None:
    events = await debated(other("crit", document=LEADER, title="Leader"))
    view = SessionView.of("demo", events)
    result = view.spec.outcome_of(view.outcome)
    assert isinstance(result, DocumentResult)
    made = contents_of("demo", events)
    assert set(made) == {"report.md", "report.html", "events.jsonl", "scores.csv", "scores-codebook.md", "run.json"}
    report = made["report.md"].decode()
    assert f"**Quality of the arguments (Γ):** {result.gamma:.2f} of 10" in report
    rows = list(csv.DictReader(StringIO(made["scores.csv"].decode())))
    assert {row["source"] for row in rows} == {"crit"}
    assert len([r for r in rows if r["criterion"] == "validity"]) == len(result.reasons) + len(result.rivals)
    (gamma,) = [row["value"] for row in rows if row["criterion"] == "argument_quality"]
    assert float(gamma) == result.gamma


async def test_every_score_of_a_consulted_document_is_in_the_table_and_what_it_lends_is_told() -> None:
    scripted = CritSession(script(SOURCES))
    result = await result_in(scripted, config({"study.txt": STUDY, "article.txt": ARTICLE}))
    (study,) = result.consulted
    (article,) = study.consulted
    made = contents_of("demo", await scripted.recorded())
    rows = list(csv.DictReader(StringIO(made["scores.csv"].decode())))
    first = result.title
    paths = [first, f"{first} → study.txt", f"{first} → study.txt → article.txt"]
    assert list(dict.fromkeys(row["document"] for row in rows)) == paths
    for path, of in zip(paths[1:], (study, article), strict=True):
        own = {(row["criterion"], row["item"]): row for row in rows if row["document"] == path}
        assert float(own["claim_standing", ""]["value"]) == of.quality.standing
        assert float(own["document_credibility", ""]["value"]) == of.theta
        for item, reason in enumerate(of.quality.reasons, 1):
            assert float(own["validity", str(item)]["value"]) == reason.gamma
            assert own["credibility", str(item)]["scored_by"] == reason.document
    lent = next(row for row in rows if row["scored_by"] == "study.txt" and row["criterion"] == "validity")
    assert lent["document"] == first
    assert float(lent["value"]) == study.quality.standing
    assert not float(lent["value"]).is_integer()
    assert "1 to 10 where scored_by names a text" in made["scores-codebook.md"].decode()
    report = made["report.md"].decode()
    assert "its γ is that claim's standing in CRIT" in report
    assert f"its claim stands at {study.quality.standing:.1f}" in str(tables.document(result))
    plain = contents_of("demo", await debated(other("crit", document=LEADER, title="Leader")))["report.md"].decode()
    assert "document at hand" not in plain


async def test_a_sweep_comes_out_with_its_table_its_picture_and_a_row_a_speech() -> None:
    agenda = [topic.model_dump() for topic in TOPICS]
    events = await debated(other("sweep", motion=MOTION, heats=[0.9, 0.3], agenda=agenda))
    swept = SessionView.of("demo", events).outcome_as(Sweep)
    assert isinstance(swept, Sweep)
    made = contents_of("demo", events)
    assert {"sweep.png", "sweep.svg"} <= set(made)
    assert "![Four charts" in made["report.md"].decode()
    assert "data:image/svg+xml;base64," in made["report.html"].decode()
    rows = list(csv.DictReader(StringIO(made["scores.csv"].decode())))
    assert [(row["heat"], row["side"]) for row in rows] == [(str(t.heat), t.side) for t in swept.takes]
    for column in rows[0]:
        assert f"| {column} | " in made["scores-codebook.md"].decode()


async def test_every_prefix_of_other_sessions_comes_out_too() -> None:
    for first in (other("crit", document=LEADER), other("sweep", motion=MOTION, heats=[0.9], topics=1)):
        events = await debated(first)
        for n in range(len(events)):
            assert "report.md" in contents_of("demo", events[:n])
