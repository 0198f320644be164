"""analysis.py and analysis.R count a study again from its CSV files, and come to the study's own numbers."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.export.files import SCRIPTS, script, study_files, tables_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, Result
from elenchus.debate_engine.protocols.rulegen.study.selection import counted, studied_scene
from elenchus.debate_engine.reports.files import write_all
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.stage import Stage
from tests.debate_engine.protocols.rulegen.study.crossover import (
    BETWEEN,
    MIXED,
    ONE_LEVEL,
    WITHIN,
    crossover,
    subject as one_subject,
    subjects,
)
from tests.debate_engine.protocols.rulegen.study.export import warm_script
from tests.debate_engine.protocols.rulegen.study.export.experiment import (
    NUMBER,
    OTHER,
    ROBOT,
    YES_NO,
    experiment,
    played,
    run,
    study_over,
)
from tests.debate_engine.scenes.test_trials import FRAMES

RSCRIPT = shutil.which("Rscript")
"""Debian and Ubuntu: apt-get install r-base-core."""
WITHOUT_R = pytest.mark.skipif(not RSCRIPT, reason="R IS MISSING: analysis.R WAS NOT RUN (apt-get install r-base-core)")
LANGUAGES = ["python", pytest.param("r", marks=WITHOUT_R)]
R_SLOWLY = ["python", pytest.param("r", marks=[WITHOUT_R, pytest.mark.slow])]
"""For cases that are many and alike: R takes seconds over each."""
SCRIPT_OF = {"python": "analysis.py", "r": "analysis.R"}
BOTH = ("treatment", "control")


def counted_again(study: Study, folder: Path, language: str) -> str:
    """What the script prints; it fails where one number differs. Python's has imported its packages before."""
    tables = tables_of(study, [])
    write_all(folder, {table.file: table.csv().encode() for table in tables})
    if language != "python":
        return run_script(folder, language)
    (folder / SCRIPT_OF[language]).write_text(script(SCRIPT_OF[language]))
    status, said = warm_script.run(folder / SCRIPT_OF[language], folder.parent)
    assert status == 0, said[-3000:]
    return said


def run_script(folder: Path, language: str) -> str:
    """In another folder than that of the data, in a plain locale, as a student may run it."""
    name = SCRIPT_OF[language]
    (folder / name).write_text(script(name))
    program = [sys.executable, "-W", "error"] if language == "python" else [str(RSCRIPT), "--vanilla"]
    done = subprocess.run(
        [*program, folder / name], cwd=folder.parent, capture_output=True, text=True, timeout=240, check=False,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


Key = tuple[str, int, str]


def figures(folder: Path, name: str = "figures.csv") -> dict[Key, float]:
    return {key: value for key, (value, _) in told(folder, name).items()}


def told(folder: Path, name: str) -> dict[Key, tuple[float, bool]]:
    """Each number, and whether it was drawn by chance."""
    rows = csv.DictReader(io.StringIO((folder / name).read_text()))
    return {
        (row["part"], int(row["number"]), row["statistic"]): (float(row["value"]), row.get("drawn") == "true")
        for row in rows
    }


def agree(folder: Path, language: str) -> None:
    """Every number of the report stands in the script's own file, too, and no other does."""
    report, here = told(folder, "figures.csv"), figures(folder, f"figures-{language}.csv")
    assert here.keys() == report.keys()
    for key, (value, drawn) in report.items():
        loose = 0.0 if not drawn else 0.3 if key[2] == "p_holm" else 0.025
        assert here[key] == pytest.approx(value, rel=1e-4, abs=max(1e-4, loose)), key


def numbers(subjects: Sequence[str], styles: Sequence[str] = ("",), each: int = 6) -> list[Observation]:
    chance = Random(5)
    made: list[Observation] = []
    for subject in subjects:
        for style in styles:
            for version in versions(experiment()):
                for _ in range(each):
                    value = round(chance.gauss(200 + 90 * version.startswith("high"), 50), 2)
                    made.append(run(len(made), version, value, subject, style=style))
    return made


def of_experiment(runs: Sequence[Observation], outcome: str) -> Study:
    scene = experiment(outcome)
    return study_of(
        StudiedScene(
            name="price",
            title="A price",
            design=Design.between(list(versions(scene))),
            outcome=outcome,
            plan=scene.plan,
        ),
        runs,
    )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_means_of_two_factors_over_people_and_models_are_counted_alike(language: str, tmp_path: Path) -> None:
    runs = numbers([PEOPLE, ROBOT, OTHER, "gemini:third"])
    runs += [
        run(900, "low/cue", None),
        run(901, "low/cue", 9e9, excluded="known"),
        run(902, "low/cue", 1, result="unread"),
    ]
    study = of_experiment(runs, NUMBER)
    assert {one.contrast.expect for one in study.contrasts} == {"different", "same"}
    assert {one.subject for one in study.contrasts} >= {PEOPLE, ROBOT, "models", "these models", "people and models"}
    told = counted_again(study, tmp_path, language)
    agree(tmp_path, language)
    assert " 0 of them differ" in told
    found = figures(tmp_path)
    first = study.contrasts[0]
    assert first.means is not None
    assert found["comparisons", 1, "estimate"] == first.means.difference
    assert found["comparisons", 1, "g_low"] == first.means.g_low
    assert found["comparisons", 1, "p_holm"] == first.adjusted
    assert found["arms", 1, "eta_squared"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_shares_and_their_ratios_are_counted_alike(language: str, tmp_path: Path) -> None:
    chance = Random(3)
    runs = [
        one.model_copy(
            update={
                "session": f"s{n}",
                "outcome": chance.random() < (0.7 if one.cell.condition.startswith("high") else 0.4),
            }
        )
        for n, one in enumerate([*numbers([PEOPLE], each=3), *numbers([ROBOT, OTHER, "gemini:third"], each=12)])
    ]
    study = of_experiment(runs, YES_NO)
    assert {one.shares.exact for one in study.contrasts if one.shares} == {True, False}
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)
    found = figures(tmp_path)
    assert study.contrasts[0].shares is not None
    assert study.contrasts[0].shares.odds is not None
    assert found["comparisons", 1, "odds_ratio"] == study.contrasts[0].shares.odds.ratio
    assert any(name == "p_same" for _, _, name in found)


WITHIN_AND_CROSSED = (
    WITHIN,
    BETWEEN,
    ONE_LEVEL,
    MIXED,
    Contrast(compare=WITHIN, expect="same", margin=0.4),
    Contrast(compare=MIXED, expect="same", margin=0.5),
    "gain/cue - loss/cue",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("shares", "each"),
    [*(pytest.param(shares, 9, marks=pytest.mark.slow) for shares in (True, False)), (False, 1)],
)
def test_subjects_compared_with_themselves_are_counted_alike(
    language: str, shares: bool, each: int, tmp_path: Path
) -> None:
    runs = [*subjects(each, 3, shares=shares, who=(PEOPLE, ROBOT, OTHER, "gemini:third"))]
    one = runs[0].model_copy(update={"session": "more", "outcomes": {"gain": True, "loss": None}})
    study = crossover([*runs, one], *WITHIN_AND_CROSSED, outcome="risk > 5" if shares else "risk")
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)
    found = figures(tmp_path)
    assert found["comparisons", 1, "n_1"] == 4 * each
    assert any(name == ("changed_1" if shares else "d_z") for _, _, name in found)
    assert any(name == "estimate_first_1" for _, _, name in found)


@pytest.mark.parametrize("language", R_SLOWLY)
@pytest.mark.parametrize(
    ("shares", "each"),
    [*(pytest.param(*case, marks=pytest.mark.slow) for case in ((True, 4), (True, 9), (False, 4))), (False, 1)],
)
def test_an_interaction_between_subjects_is_counted_alike_within_strata(
    language: str, shares: bool, each: int, tmp_path: Path
) -> None:
    crossed = "(high/cue - low/cue) - (high/quiet - low/quiet)"
    plan = Plan(contrasts=(Contrast(compare=crossed), Contrast(compare=crossed, expect="same", margin=1.5)))
    runs = numbers([PEOPLE, ROBOT], ("", "bold"), each)
    runs = [one.model_copy(update={"outcome": float(one.outcome or 0) > 240}) for one in runs] if shares else runs
    rule = YES_NO if shares else NUMBER
    study = study_of(
        StudiedScene(
            name="price", title="A price", design=Design.between(list(versions(experiment()))), outcome=rule, plan=plan
        ),
        runs,
    )
    assert study.contrasts[0].kind == "interaction between"
    assert study.contrasts[0].strata == (2 if each > 1 or shares else 0)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shares", [pytest.param(True, marks=pytest.mark.slow), False])
def test_contrasts_in_each_stratum_and_pooled_are_counted_alike(language: str, shares: bool, tmp_path: Path) -> None:
    """Of people and a model, with a factor more, too few in one stratum, and an interaction."""
    crossed = "(high/cue - low/cue) - (high/quiet - low/quiet)"
    contrasts = (*experiment().plan.contrasts, Contrast(compare=crossed), Contrast(compare="none/cue - none/quiet"))
    plan = Plan(contrasts=contrasts, strata=("school",))
    schools = ("lower", "upper", "lower", "=upper", "lower", "upper", "lower", None)
    runs = [
        one.model_copy(update={"stated": {"school": schools[n % (7 + (n > 90))]}})
        for n, one in enumerate(numbers([PEOPLE, ROBOT], each=13))
    ]
    if shares:
        runs = [one.model_copy(update={"outcome": float(one.outcome or 0) > 240}) for one in runs]
    rule = YES_NO if shares else NUMBER
    design = Design.between(list(versions(experiment())))
    study = study_of(StudiedScene(name="price", title="A price", design=design, outcome=rule, plan=plan), runs)
    own = [one for one in study.contrasts if one.over in ("pooled", "strata")]
    assert {one.subject for one in own} == {PEOPLE, ROBOT}
    assert {one.found is None for one in own if one.over == "strata"} == {True, False}
    pooled = [one for one in own if one.over == "pooled" and one.contrast.expect != "same"]
    assert [one.p is not None for one in pooled] == [True, True, not shares, True] * 2, "interactions of shares need 15"
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.slow
@pytest.mark.parametrize("language", R_SLOWLY)
@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([], id="nobody"),
        pytest.param([one_subject(n, "cue/gain-loss", 3.0 + n % 3, 2.0 * (n % 2)) for n in range(7)], id="one arm"),
        pytest.param(
            [one_subject(1, "cue/gain-loss", 3.0, 1.0), one_subject(2, "quiet/loss-gain", 2.0, 2.0)], id="one each"
        ),
        pytest.param([one_subject(n, "cue/gain-loss", True, True) for n in range(4)], id="all alike"),
        pytest.param([one_subject(n, "cue/gain-loss", 5.0, None) for n in range(3)], id="one level alone"),
        pytest.param([one_subject(n, "cue/gain-loss", 5.0, 3.0) for n in range(6)], id="no spread"),
        pytest.param([one_subject(n, "cue/gain-loss", 0.3 + n, 0.1 + 0.2 + n) for n in range(6)], id="noise"),
        pytest.param([one_subject(n, "cue/gain-loss", 5 + 1e-8 * (n % 2), 0.0) for n in range(8)], id="hardly any"),
    ],
)
def test_what_subjects_with_themselves_cannot_carry_breaks_no_script(
    runs: list[Observation], language: str, tmp_path: Path
) -> None:
    study = crossover(runs, *WITHIN_AND_CROSSED)
    assert all(one.why for one in study.contrasts if one.p is None)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shares", [True, False])
def test_two_factors_within_subjects_and_none_between_are_counted_alike(
    language: str, shares: bool, tmp_path: Path
) -> None:
    names, chance = ("a_x", "b_x", "a_y", "b_y"), Random(1)
    orders = {"-".join(order): order for order in (names, names[::-1], (names[1], names[0], names[3], names[2]))}
    met = {order: tuple((name, name.replace("_", "/")) for name in of) for order, of in orders.items()}
    design = Design(cells=("a/x", "b/x", "a/y", "b/y"), factors=("f", "g"), within=(True, True), met=met)
    runs: list[Observation] = []
    for order, of in orders.items():
        for _ in range(7):
            numbers = {name: round(chance.gauss(0.8 * ("a" in name), 1), 3) for name in of}
            answers = {name: value > 0 for name, value in numbers.items()}
            runs.append(run(len(runs), order, None, outcomes=answers if shares else numbers))
    plan = Plan(contrasts=tuple(Contrast(compare=one) for one in (
        "a/* - b/*", "a/x - b/x", "*/x - */y", "(a/x - b/x) - (a/y - b/y)"
    )))  # fmt: skip
    study = study_of(
        StudiedScene(name="n", title="N", design=design, outcome=YES_NO if shares else NUMBER, plan=plan), runs
    )
    assert [one.kind for one in study.contrasts] == ["within"] * 3 + ["interaction within"]
    assert [one.n for one in study.contrasts] == [(21,)] * 4
    assert all(one.p is not None for one in study.contrasts)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_hangs_together_is_one_pair(language: str, tmp_path: Path) -> None:
    """Two subjects of one session each, at both levels."""
    runs = subjects(4, shares=True)
    pairs = [
        one.model_copy(update={"role": "Bo", "outcomes": two.outcomes})
        for one, two in zip(runs, reversed(runs), strict=True)
    ]
    study = crossover([*runs, *pairs], WITHIN, outcome="risk > 5")
    assert study.contrasts[0].n == (32,)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_judges_saw_is_counted_alike_also_where_runs_say_the_same(language: str, tmp_path: Path) -> None:
    """A scene without a rule: judges say what came out; styles are compared, and the same record is one observation."""
    chance = Random(8)
    runs: list[Observation] = []
    for subject in (ROBOT, OTHER):
        for style in ("calm", "=bold", ""):
            for version in BOTH:
                for n in range(8):
                    seen: Result = "present" if chance.random() < (0.6 if version == "treatment" else 0.3) else "absent"
                    result: Result = "undecided" if n == 7 else seen
                    more: dict[str, Any] = {"style": style, "record": f"{subject}{style}{version}{n % 3}"}
                    runs.append(run(len(runs), version, None, subject, result, **more))
    alike: dict[str, Result] = {"calm": "present", "bold": "absent"}
    for style, of_all in alike.items():
        for version in BOTH:
            same = {
                "style": style,
                "record": f"gemini:x{style}{version}",
            }  # worth one observation: a whole number again
            runs += [run(len(runs) + k, version, None, "gemini:x", of_all, **same) for k in range(3)]
    study = study_of(StudiedScene(name="tea", title="Tea", bias="Herding", design=Design.between(BOTH)), runs)
    assert study.instrument == "judges"
    assert any(row.share and row.share.effective < row.share.n for row in study.rows)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_any_script_and_with_any_sign_are_found_again(language: str, tmp_path: Path) -> None:
    """Also in the plainest locale, and where a name begins as a formula does."""
    versions_there = ["+10 %/größer", '高, "tief"/=1+1', "-x/'y'"]
    chance = Random(4)
    made = [
        run(n, version, chance.gauss(100, 9), subject, style="@kühn\\")
        for subject in (PEOPLE, "local:модель")
        for version in versions_there
        for n in range(5)
    ]
    runs = [one.model_copy(update={"session": f"s{n}"}) for n, one in enumerate(made)]
    study = study_of(
        StudiedScene(name="preis", title="Ein Preis: 价格", design=Design.between(versions_there), outcome=NUMBER), runs
    )
    assert any(one.means for one in study.contrasts)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.parametrize("language", R_SLOWLY)
@pytest.mark.parametrize(
    "runs",
    [
        pytest.param([], id="nobody"),
        pytest.param([run(n, "low/cue", 100.0 + n) for n in range(4)], id="one arm"),
        pytest.param([run(1, "low/cue", 100.0), run(2, "high/cue", 120.0)], id="one each"),
        pytest.param([run(n, version, 100.0) for version in ("low/cue", "high/cue") for n in range(3)], id="all alike"),
        pytest.param([run(n, "low/cue", None, result="ended early") for n in range(3)], id="all gone"),
    ],
)
def test_what_a_study_cannot_carry_breaks_no_script(runs: list[Observation], language: str, tmp_path: Path) -> None:
    study = of_experiment(runs, NUMBER)
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_shares_of_none_and_of_all_are_counted_alike(language: str, tmp_path: Path) -> None:
    """Two alike, two that could not be more apart, and one that is empty, in one stratum each."""
    shares = {"none": (0, 3), "none again": (0, 2), "all": (4, 4), "some": (2, 5)}
    runs = [
        run(10 * n + k, version, k < yes) for n, (version, (yes, of)) in enumerate(shares.items()) for k in range(of)
    ]
    pairs = ("none - none again", "all - none", "some - all", "some - nobody")
    plan = Plan(contrasts=tuple(Contrast(compare=pair) for pair in pairs))
    study = study_of(
        StudiedScene(name="tea", title="Tea", design=Design.between([*shares, "nobody"]), outcome=YES_NO, plan=plan),
        runs,
    )
    assert [one.strata for one in study.contrasts] == [1, 1, 1, 0]
    counted_again(study, tmp_path, language)
    agree(tmp_path, language)


@pytest.mark.slow
async def test_a_study_that_was_played_is_counted_again_from_its_whole_folder(tmp_path: Path) -> None:
    """Six versions over two models and five people: what a researcher takes home."""
    written = experiment()
    logs = await played(written, 2, [ROBOT, OTHER])
    logs |= {f"p{n}": log for n, log in enumerate((await played(written, 1, [PEOPLE], seed=2)).values()) if n < 5}
    study = await study_over(written, logs)
    assert len(study.observed) == 29
    write_all(tmp_path, study_files(study, logs, None, written))
    assert set(SCRIPTS) <= {path.name for path in tmp_path.iterdir()}
    for language in ("python", *(["r"] if RSCRIPT else [])):
        run_script(tmp_path, language)
        agree(tmp_path, language)


@pytest.mark.slow
async def test_levels_that_were_played_one_after_another_are_compared_and_counted_again(tmp_path: Path) -> None:
    """From the scene's file to the folder: each person rates the risk at both levels, in either order."""
    scene = canonical.read(FRAMES.replace('"*/cue - */quiet"', f'"{WITHIN}", "{BETWEEN}", "{MIXED}"'))
    rate = iter(range(10_000))
    logs = {}
    for label, version in versions(scene).items():
        for n in range(2):
            answer = {"Robin": lambda ask: {next(iter(ask.answer_schema["properties"])): 2 + next(rate) % 7}}
            stage = Stage(version, people=answer, judges=(), target=None)
            await stage.run()
            logs[f"{label.replace('/', '-')}-{n}"] = await stage.log.read("s")
    study = await counted(studied_scene("frames", scene), logs)
    assert [one.n for one in study.contrasts] == [(8,), (4, 4), (4, 4)]
    assert [one.kind for one in study.contrasts] == ["within", "between", "interaction mixed"]
    assert all(one.p is not None for one in study.contrasts)
    write_all(tmp_path, study_files(study, logs, None, scene))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "outcomes.csv").read_text())))
    assert len(rows) == 16
    assert {row["cell"] for row in rows} == set(study.design.cells)
    runs = list(csv.DictReader(io.StringIO((tmp_path / "runs.csv").read_text())))
    measures = [column for column in runs[0] if column.startswith("measure_")]
    assert measures == ["measure_risk_gain", "measure_risk_loss"], "each by the name under which it was asked"
    assert "{frame}" not in (tmp_path / "methods.md").read_text()
    assert {(row["factor_pressure"], row["order_of_levels"]) for row in runs} == {
        (pressure, order) for pressure in ("cue", "quiet") for order in ("gain-loss", "loss-gain")
    }
    for language in ("python", *(["r"] if RSCRIPT else [])):
        run_script(tmp_path, language)
        agree(tmp_path, language)


TYPES = {
    "python": "import runpy, sys; sys.argv = ['analysis.py']; t = runpy.run_path('analysis.py'); "
    "print(*(f'{n} {k}' for n, k in t['runs'].dtypes.items()), sep='\\n')",
    "r": "invisible(capture.output(source('analysis.R'))); for (n in names(runs)) cat(n, class(runs[[n]])[1], '\\n')",
}
KINDS = {
    "python": {"string": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"},
    "r": {
        "string": "character",
        "integer": "numeric",
        "number": "numeric",
        "boolean": "logical",
        "datetime": "POSIXct",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_in_which_nothing_stands_keep_their_types(language: str, tmp_path: Path) -> None:
    study = of_experiment([run(1, "low/cue", None), run(2, "low/cue", None)], NUMBER)
    tables = tables_of(study, [], experiment())
    write_all(tmp_path, {table.file: table.csv().encode() for table in tables} | {
        name: script(name).encode() for name in SCRIPTS
    })  # fmt: skip
    program = [sys.executable, "-c"] if language == "python" else [str(RSCRIPT), "-e"]
    done = subprocess.run([*program, TYPES[language]], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = dict(line.split()[:2] for line in done.stdout.splitlines() if " " in line and line[0].islower())
    for field in tables[0].fields:
        kind = KINDS[language].get(field.type, "datetime64[us,")
        assert loaded[field.name].startswith(kind[:8]), (field.name, loaded[field.name])
