from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from elenchus.debate_engine.protocols.crit.schemas import Quality
from elenchus.debate_engine.protocols.judging import plot as judges_plot
from elenchus.debate_engine.protocols.judging.plot import judges
from elenchus.debate_engine.protocols.judging.protocol import judgement_of
from elenchus.debate_engine.protocols.judging.schemas import Cell, Judgement, Ruling
from elenchus.debate_engine.protocols.socrasynth import plot
from elenchus.debate_engine.protocols.socrasynth.plot import heat_and_quality
from elenchus.debate_engine.protocols.socrasynth.results import Stage
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports.canvas import CON, HEAT, PRO, Picture, shortened
from tests.debate_engine.reports.debates import PAYLOADS


def stages(rounds: int, gaps: tuple[int, ...] = (), closing: bool = True) -> list[Stage]:
    chance, heat, made = random.Random(rounds), 0.9, [Stage(0, 0.9)]
    for n in range(1, rounds + 1):
        heat /= 1.2
        read = None if n in gaps else chance.uniform(3, 8)
        made.append(Stage(n, heat, Quality(gamma=read, standing=read and chance.uniform(3, 8)), n == 2))
    return [*made, Stage(None, heat, Quality(gamma=7.5, standing=6.2))] if closing else made


def judgement(judges: int, failing: tuple[int, ...] = (), topics: int = 5) -> Judgement:
    chance = random.Random(judges)
    agenda = [Topic(pro_concern=f"p{n}", con_concern=f"c{n}", scope="") for n in range(topics)]

    def cell(judge: int, claimant: str, topic: int) -> Cell:
        place = {"judge": f"judge-{judge}", "claimant": claimant, "topic": topic}
        if judge in failing:
            return Cell.model_validate({**place, "declined": "the model refused"})
        scores = {f"{s}_{c}": chance.randint(5, 9) for s in "ab" for c in ("validity", "credibility")}
        ruling = Ruling.model_validate({"rationale": "x", "winner": "A", **scores})
        return Cell.model_validate({**place, "ruling": ruling})

    cells = [cell(j, c, t) for j in range(1, judges + 1) for c in "AB" for t in range(1, topics + 1)]
    return judgement_of(agenda, cells)


def share(picture: Picture, colour: str, near: int = 24) -> float:
    """The share of pixels of about this colour."""
    wanted = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    image = Image.open(BytesIO(picture.png)).convert("RGB")
    assert image.size == (1920, 1080)
    pixels = np.asarray(image, dtype=int)
    return float((np.abs(pixels - wanted).max(axis=2) <= near).mean())


@pytest.mark.slow
@pytest.mark.parametrize("rounds, gaps", [(0, ()), (1, (1,)), (5, (3,)), (60, (7, 8, 30))])
def test_heat_and_quality_is_drawn_for_any_number_of_rounds(rounds: int, gaps: tuple[int, ...]) -> None:
    picture = heat_and_quality(stages(rounds, gaps), "A motion")
    assert share(picture, HEAT) > 0.001
    assert share(picture, PRO) > 0.0003
    ElementTree.fromstring(picture.svg)  # noqa: S314 - our own drawing


def test_an_unreadable_gamma_is_a_visible_gap() -> None:
    whole, gap = (heat_and_quality(stages(3, gaps), "A motion") for gaps in ((), (2,)))
    assert share(gap, "#f6f8fa", near=2) > 0.01 > share(whole, "#f6f8fa", near=2)
    assert "Round 2: heat 0.62 (set by the moderator), argument quality no score" in gap.alt


def test_a_debate_that_has_not_begun_is_drawn_as_empty() -> None:
    picture = heat_and_quality([], "A motion")
    assert "has not begun" in picture.alt
    assert share(picture, HEAT) < 0.02


@pytest.mark.parametrize("count, failing", [(1, ()), (9, (4,)), (2, (1, 2))])
def test_judges_are_drawn_for_any_number_of_them(count: int, failing: tuple[int, ...]) -> None:
    j = judgement(count, failing)
    picture = judges(j, {}, "Verdict: for the motion")
    drawn = len(failing) < count
    assert (share(picture, CON) > 0.0006) and (share(picture, PRO) > 0.0004) if drawn else True
    assert picture.alt.count("no score") == 2 * len(failing)


def test_alt_texts_mention_every_number() -> None:
    some = stages(3)
    told = plot.alt_text(some)
    for s in some:
        assert f"{s.heat:.2f}" in told
        assert s.gamma is None or f"argument quality {s.gamma:.1f}" in told
        assert s.standing is None or f"standing of the claim {s.standing:.1f}" in told
    j = judgement(3, (2,))
    told = judges_plot.alt_text(j, {"judge-1": "Ada"})
    assert "Ada, pro claiming" in told
    for t in j.totals:
        assert t.read == 0 or f"pro {t.a:g}, con {t.b:g}" in told


NAMES = [*PAYLOADS, "a" * 300, "审判长", "🦉🦉", "قاضٍ", "", "$x_{$", "\x00"]


@pytest.mark.slow
def test_any_name_and_any_motion_can_be_drawn() -> None:
    """As judges' names all at once, and as the motion."""
    names = {f"judge-{n}": name for n, name in enumerate(NAMES, 1)}
    assert share(judges(judgement(len(NAMES), topics=1), names, " ".join(NAMES)), PRO) > 0.0004
    assert share(heat_and_quality(stages(1), " ".join(reversed(NAMES))), HEAT) > 0.001


@given(st.text(max_size=80))
def test_a_shortened_text_is_one_line_of_what_can_be_drawn(text: str) -> None:
    line = shortened(text, 30)
    assert len(line) <= 30
    assert line == " ".join(line.split())


@pytest.mark.parametrize("motion", ["هل يجب حظر السيارات؟", "Нужно ли запретить машины?", "Πρέπει να απαγορευτούν;"])
def test_a_motion_in_another_script_stands_whole_in_its_picture(motion: str) -> None:
    """Matplotlib brings a font that holds these; its lighter and bolder files of the same name do not."""
    assert shortened(f"{motion} · simulated", 80) == f"{motion} · simulated"


def test_what_no_font_can_draw_leaves_no_mark_behind() -> None:
    assert shortened("\U000e0041 · simulated", 80) == "simulated"


def test_the_same_numbers_give_the_same_bytes_also_from_several_threads() -> None:
    with ThreadPoolExecutor(2) as pool:
        drawn = list(pool.map(lambda _: heat_and_quality(stages(2), "A motion"), range(2)))
    assert all(picture == drawn[0] for picture in drawn)


@pytest.mark.slow
def test_drawing_leaves_matplotlibs_settings_alone_and_never_imports_pyplot() -> None:
    code = """
import sys, matplotlib
from elenchus.debate_engine.protocols.socrasynth.plot import heat_and_quality
from tests.debate_engine.reports.test_plots import stages
before = list(dict.items(matplotlib.rcParams))
heat_and_quality(stages(1), "A motion")
assert list(dict.items(matplotlib.rcParams)) == before
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=100)


def test_reports_import_nothing_heavy() -> None:
    heavy = "{'matplotlib', 'numpy', 'jinja2', 'nltk', 'markdown_it'}"
    code = f"import sys, elenchus.debate_engine.reports.export; print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
