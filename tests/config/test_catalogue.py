"""The catalogue of biases: what is in it, how it is read, found and searched."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.config.catalogue import BUILT_IN, Bias, bias_meant, find_bias, kebab, load_biases, search_biases

NAMES = re.findall(
    r"[^\s,][^,\n]*",
    """
    Ambiguity effect, Attentional bias, Bandwagon effect, Belief bias, Anchoring effect, Bias blind spot,
    Cheerleader effect, Choice-supportive bias, Clustering illusion, Comfort zone effect, Confirmation bias,
    Contrast effect, Curse of knowledge, Decoy effect, Distinction bias, Duration neglect, Empathy gap,
    Frequency illusion, Hard-easy effect, Hindsight bias, Current moment bias, Identifiable victim effect,
    IKEA effect, Information bias, Jumping to conclusions, Just-world hypothesis, Less-is-better effect,
    Loss aversion, Mere exposure effect, Positivity and negativity effect, Negativity bias,
    Neglect of probability, Normalcy bias, Omission bias, Optimism bias, Ostrich effect, Outcome bias,
    Overconfidence effect, Pessimism bias, Planning fallacy, Positive outcome bias, Pro-innovation bias,
    Pseudocertainty effect, Reactance, Reactive devaluation, Recency illusion, Risk compensation,
    Selective attention, Social comparison bias, Stereotyping, Subadditivity effect, Subjective validation,
    Survivorship bias, Time-saving bias, Unit bias, Whole only effect, Zero-risk bias, Default effect,
    Exaggerated expectation bias, Forer effect, Sunk cost fallacy, Essentialism, Post-purchase rationalization,
    Semmelweis reflex, Availability heuristic, Backfire effect, Endowment effect, Framing effect,
    Illusion of control, Illusion of validity, Illusory correlation, Impact bias,
    Order bias, Dilution effect
    """,
)
"""MindScope's 72 and, beside them, those that scenes show."""

OTHER_SENSE = {
    "whole-only-effect": ("parts of a whole are negotiable",),
    "comfort-zone-effect": ("often used is rated above its worth",),
    "social-comparison-bias": ("resist hiring their like", "The literature is narrower"),
    "positivity-and-negativity-effect": ("attribution by liking", "older people"),
    "distinction-bias": ("contrast effect", "literature's sense"),
    "hard-easy-effect": ("another meaning than the literature",),
}
"""Those that MindScope uses in a sense of its own, with words of what a reader must be told of each."""

BIASES = load_biases()
GOOD = (BUILT_IN / "anchoring-effect.yaml").read_text(encoding="utf-8")


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


# ── what is in it ────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_holds_the_72_of_mindscope_and_two_that_scenes_show_by_name() -> None:
    assert len(set(NAMES)) == 74
    assert [bias.name for bias in BIASES] == sorted(NAMES, key=str.casefold)
    assert [bias.id for bias in BIASES if not bias.detected] == ["dilution-effect"]


def test_each_bias_is_in_the_file_of_its_id() -> None:
    assert {bias.id for bias in BIASES} == {path.stem for path in BUILT_IN.iterdir()} == {kebab(name) for name in NAMES}


@pytest.mark.parametrize("bias", BIASES, ids=lambda bias: bias.id)
def test_an_entry_is_complete_and_its_neighbours_exist(bias: Bias) -> None:
    neighbours = [neighbour.id for neighbour in bias.neighbours]
    assert 2 <= len(set(neighbours)) == len(neighbours) <= 4
    assert set(neighbours) <= {other.id for other in BIASES} - {bias.id}
    assert 4 <= len(bias.elements) <= 8
    assert all(text[-1] in ".”\"')" for text in (bias.definition, *bias.elements, bias.case, bias.recipe))
    assert 1 <= len(re.findall(r"[.!?](?:\s|$)", bias.definition)) <= 3
    assert "unbiased" in bias.recipe, "a recipe says what the sound answer looks like"


@pytest.mark.parametrize("bias", BIASES, ids=lambda bias: bias.id)
def test_the_elements_and_the_recipe_do_not_name_the_bias(bias: Bias) -> None:
    """They go into prompts that make texts, and a text that names its bias tests nothing."""
    names = [bias.name.casefold(), *(alias.casefold() for alias in bias.aliases if " " in alias)]
    told = " ".join((*bias.elements, bias.recipe)).casefold()
    assert [name for name in names if name in told] == []


def test_no_two_biases_share_an_element_a_case_or_a_recipe() -> None:
    told = [
        (bias.id, words(text)) for bias in BIASES for text in (*bias.elements, bias.definition, bias.case, bias.recipe)
    ]
    alike = [
        (one, other)
        for (one, first), (other, second) in combinations(told, 2)
        if one != other and len(first & second) > 0.75 * max(6, min(len(first), len(second)))
    ]
    assert alike == []


def test_a_doi_is_given_only_where_it_was_looked_up() -> None:
    assert all(bias.source.checked == bool(bias.source.doi) for bias in BIASES)
    assert len({bias.source.doi for bias in BIASES if bias.source.doi}) > 50


def test_where_mindscope_means_something_else_it_is_said() -> None:
    told = {bias.id: " ".join(bias.mindscope.split()) for bias in BIASES}
    assert [(name, of) for name, words in OTHER_SENSE.items() for of in words if of not in told[name]] == []


def test_distinction_is_said_to_be_contrast_there_and_hard_easy_to_differ_and_the_literatures_sense_is_kept() -> None:
    distinction, hard_easy = find_bias("distinction bias"), find_bias("hard-easy effect")
    assert "contrast effect" in distinction.mindscope
    assert "side by side" in distinction.definition
    assert "another meaning than the literature" in " ".join(hard_easy.mindscope.split())
    assert "too sure of success on hard tasks and not sure enough on easy ones" in hard_easy.definition


# ── finding and searching ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("bias", BIASES, ids=lambda bias: bias.id)
def test_a_bias_is_found_by_id_name_and_alias_in_any_case(bias: Bias) -> None:
    for called in bias.called():
        assert find_bias(called) is find_bias(f"  {called.upper()} ") is bias


def test_an_unknown_name_is_refused_with_those_near_it() -> None:
    with pytest.raises(ValueError, match=r"'anchorin efect'.*Anchoring effect"):
        find_bias("anchorin efect")
    with pytest.raises(ValueError, match="near it: Sunk cost fallacy"):
        find_bias("sunk")
    with pytest.raises(ValueError, match="elenchus biases list"):
        find_bias("\N{PILE OF POO}")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bandwagon", "bandwagon-effect"),
        ("Conformity", "bandwagon-effect"),
        ("status quo", "default-effect"),
        ("order effect", "order-bias"),
        ("sunk", "sunk-cost-fallacy"),
        ("primacy effect", "order-bias"),
        ("ancoring", "anchoring-effect"),
        ("bandwagn", "bandwagon-effect"),
        ("hindsigth", "hindsight-bias"),
        ("conformty bias", "bandwagon-effect"),
        ("cofirmation", "confirmation-bias"),
        ("sunk cots", "sunk-cost-fallacy"),
        ("loss", "loss-aversion"),
    ],
)
def test_a_person_who_types_part_of_a_name_or_slips_is_understood(typed: str, meant: str) -> None:
    assert bias_meant(typed).id == meant


@pytest.mark.parametrize("bias", BIASES, ids=lambda bias: bias.id)
def test_a_whole_name_is_never_taken_for_another_bias(bias: Bias) -> None:
    for called in bias.called():
        assert bias_meant(called) is bias


@pytest.mark.parametrize("typed", ["", "x", "ordr", "illusion", "groupthink", "halo", "gambler's fallacy"])
def test_what_may_mean_several_or_none_is_not_guessed(typed: str) -> None:
    with pytest.raises(ValueError, match="there is no bias"):
        bias_meant(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "priming effect", "sampling bias", "action bias", "attribution bias", "contact bias", "zero-sum bias",
        "social desirability bias", "placebo effect", "selection bias",
    ],
)  # fmt: skip
def test_another_bias_that_only_sounds_alike_is_not_shown_as_one_of_ours(typed: str) -> None:
    with pytest.raises(ValueError, match="there is no bias"):
        bias_meant(typed)


@given(st.text())
def test_no_text_breaks_finding_or_searching(text: str) -> None:
    assert set(search_biases(text)) <= set(BIASES)
    try:
        assert find_bias(text) in BIASES
    except ValueError as error:
        assert repr(text) in str(error)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("sunk cost", "sunk-cost-fallacy"),
        ("Concorde", "sunk-cost-fallacy"),
        ("wheel of fortune", "anchoring-effect"),
        ("Wason", "confirmation-bias"),
        ("urn unknown chances", "ambiguity-effect"),
        ("hindsig", "hindsight-bias"),
    ],
)
def test_a_search_finds_words_of_every_field_and_puts_the_best_first(text: str, first: str) -> None:
    assert search_biases(text)[0].id == first


def test_a_search_for_what_nothing_holds_finds_nothing() -> None:
    assert search_biases("") == search_biases("?!") == search_biases("zyzzyva") == ()


def test_a_bias_with_more_of_the_words_comes_first() -> None:
    by_count = [
        sum(word in str(bias).casefold() for word in ("coin", "toss", "prospect"))
        for bias in search_biases("coin toss prospect")
    ]
    assert by_count[0] == 3
    assert by_count == sorted(by_count, reverse=True)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("name: Anchoring effect", "name: ''", r"anchoring-effect\.yaml: name: "),
        ("name: Anchoring effect", "nome: x\nname: Anchoring effect", r"anchoring-effect\.yaml: nome: "),
        ("id: anchoring-effect", "id: Anchoring", r"anchoring-effect\.yaml: id: "),
        ("id: anchoring-effect", "id: anchoring", r"'Anchoring effect' is 'anchoring-effect'"),
        ("id: framing-effect", "id: anchoring-effect", r"no neighbour of itself"),
        ("id: framing-effect", "id: ''", r"neighbours → 0 → id: "),
        ("checked: true", "checked: false", r"source: .*looked up"),
        ("year: 1974", "year: soon", r"source → year: "),
        ("doi: 10.", "doi: https://doi.org/10.", r"source → doi: "),
        ("elements:\n", "elements: []\nnothing:\n", r"elements: "),
        ("aliases: [", "aliases: [[", r"is not valid YAML"),
        (GOOD, "", r"anchoring-effect\.yaml: the file: "),
        (GOOD, "- a\n- list\n", r"anchoring-effect\.yaml: the file: "),
        (GOOD, "name: \x00", r"cannot be read \(line \d+: it is no text, as it holds a NUL byte"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_name_and_field(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert old in GOOD
    (tmp_path / "anchoring-effect.yaml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=says):
        load_biases(tmp_path)


def test_a_file_under_another_name_than_its_id_is_refused(tmp_path: Path) -> None:
    (tmp_path / "anchor.yaml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(ValueError, match=r"anchor\.yaml: id: 'anchoring-effect'"):
        load_biases(tmp_path)


def test_two_biases_that_share_a_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "anchoring-effect.yaml").write_text(GOOD, encoding="utf-8")
    other = GOOD.replace("id: anchoring-effect", "id: pulling").replace("name: Anchoring effect", "name: Pulling")
    (tmp_path / "pulling.yaml").write_text(other, encoding="utf-8")
    with pytest.raises(ValueError, match=r"pulling\.yaml: aliases: .*'anchoring"):
        load_biases(tmp_path)


def test_a_file_that_is_no_utf8_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "anchoring-effect.yaml").write_bytes(GOOD.encode("utf-16"))
    with pytest.raises(ValueError, match=r"anchoring-effect\.yaml cannot be read \(it is not UTF-8 but UTF-16"):
        load_biases(tmp_path)


def test_the_catalogue_cannot_be_changed_by_who_reads_it() -> None:
    assert load_biases() is load_biases()
    with pytest.raises(ValueError, match="frozen"):
        BIASES[0].name = "Other"
