"""What people read on pages is written in `service/web/strings/`, in both languages, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from elenchus.service.lab.classes import disclosure, effects, reveal
from elenchus.service.lab.classes.new_class import ClassOptions
from elenchus.service.lab.scene_session import SceneOptions
from elenchus.service.web import seat_names
from elenchus.service.web.pages import class_fields, foreign_forms, scene_fields
from elenchus.service.web.pages.kind_forms import JUDGES, KINDS, KindForm
from elenchus.service.web.pages.option_fields import LIMITS
from elenchus.service.web.refusals import WHOLE, refusal_in_words
from elenchus.service.web.rendering import environment
from elenchus.service.web.strings import LANGUAGES, Language, Words, catalogue, preferred

WEB = Path(__file__).parents[3] / "service" / "web"
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
SCRIPTS = sorted((WEB / "static").glob("*.js"))
SHOWN = {"Elenchus", "Γ", "openapi.json"}
"""What reads the same in every language."""

READ_ALOUD = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people meet."""


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


def fields(text: str | tuple[str, ...]) -> set[str]:
    """The names of a message's arguments."""
    return {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name is not None}


def test_every_message_is_there_in_every_language_with_the_same_arguments() -> None:
    english = catalogue("en")
    for language in LANGUAGES:
        own = catalogue(language)
        assert list(own) == list(english), language
        assert {name for name, text in own.items() if not all(forms(text))} == set()
        assert {name for name in own if fields(own[name]) != fields(english[name])} == set()


def test_german_says_it_in_its_own_words() -> None:
    english, german = catalogue("en"), catalogue("de")
    same = {name for name, text in german.items() if text == english[name] and len(str(text)) > 12}
    assert same == set()


# ── templates ────────────────────────────────────────────────────────────────────────────────────────────────────────


def prose(source: str) -> list[str]:
    """The words of a template that stand outside its tags and expressions, and in attributes that people meet."""
    source = re.sub(r"{% block (?:kind|width) %}\w*{% endblock %}", "", source)  # classes of the page
    tokens = environment().lexer.tokeniter(source, None)
    html = "".join(text if kind == "data" else "\0" for _, kind, text in tokens)
    spoken = re.findall(rf'(?:{"|".join(READ_ALOUD)})="([^"\0]*[A-Za-z]{{3}}[^"\0]*)"', html)
    outside = re.sub("|".join((r"(?<=\0)(?:<wbr>)?/join", r"<[^>]*>", *map(re.escape, SHOWN))), " ", html)
    return [*spoken, *re.findall(r"[^\W\d_]{2,}", outside)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_word_stands_in_a_template(path: Path) -> None:
    assert [word for word in prose(path.read_text(encoding="utf-8")) if word not in ("html", "provider:model")] == []


def test_a_word_in_a_template_is_found_wherever_it_stands() -> None:
    assert prose("<p>{{ t('a') }} and</p>") == ["and"]
    assert prose('<img alt="A dog">') == ["A dog"]
    assert prose('<p class="note">{% if x %}{{ t("a") }}{% endif %}</p>') == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_sentence_stands_in_a_script(path: Path) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    texts = re.findall(r'"([^"\n]*)"', re.sub(r"new Error\(`[^`]*`\)", "", code))
    assert [text for text in texts if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", text)] == []


# ── what asks for them ───────────────────────────────────────────────────────────────────────────────────────────────


def asked_for() -> Iterator[tuple[str, str, str]]:
    """Where a message is asked for: the file, how, and the id as far as it is written out."""
    for path in TEMPLATES:
        for how, name, rest in re.findall(r'\bt(\.of|\.group)?\("([\w.-]+)"( ~)?', path.read_text(encoding="utf-8")):
            yield path.name, how or ("starts" if rest else "is"), name
    for path in SCRIPTS:
        for name in re.findall(r'\bsay\("([\w-]+)"', path.read_text(encoding="utf-8")):
            yield path.name, "is", f"js.{name}"
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="t"), args=[ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]), *_]
                ):
                    yield path.name, "starts", name
                case ast.Call(
                    func=ast.Attribute(attr="t") | ast.Name(id="t"), args=[ast.Constant(value=str(name)), *_]
                ):
                    yield path.name, "is", name
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(attr="t") | ast.Name(id="t"), attr=("of" | "group") as how),
                    args=[ast.Constant(value=str(name)), *_],
                ):
                    yield path.name, f".{how}", name


def test_every_message_that_is_asked_for_is_there() -> None:
    known = catalogue("en")
    for place, how, name in asked_for():
        if how == "is":
            assert name in known, f"{place}: no message {name}"
        else:
            start = name if how == "starts" else f"{name}."
            assert any(one.startswith(start) for one in known), f"{place}: no messages {name}"


def test_no_message_is_left_that_nothing_asks_for() -> None:
    asked = list(asked_for())
    whole = {name for _, how, name in asked if how == "is"}
    starts = {name if how == "starts" else f"{name}." for _, how, name in asked if how != "is"} - {"js."}
    left = {name for name in catalogue("en") if name not in whole and not name.startswith(tuple(starts))}
    assert left == set()


def fields_of(form: KindForm) -> set[str]:
    """The fields of a form but its seats."""
    return {*form.first, *form.more, *LIMITS}


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
def test_every_option_of_a_kind_has_a_field_or_a_seat_or_is_left_out_knowingly(form: KindForm) -> None:
    turned = {"text"} if form.kind == "detect" else set()
    seats = {"judges" if name in JUDGES else name for name in form.seats}
    assert (fields_of(form) - turned) | seats | set(form.left_out) == set(form.options.model_fields)
    for language in LANGUAGES:
        assert {form.words(name) for name in form.seats} <= set(Words(language).group("seat"))
        for group in ("home-start", "home-start-help", "start-no-plan"):
            assert form.kind in Words(language).group(group)


def test_every_option_has_a_field_or_is_left_out_knowingly_and_is_explained() -> None:
    kinds = set[str]().union(*({form.words(name) for name in fields_of(form)} for form in KINDS.values()))
    scene = {*LIMITS, *scene_fields.PROMISES}
    seats = {"scene", "subjects", "confederate", "moderator", "others", "judges", "mode", "terms"}
    assert scene | seats | set(scene_fields.LEFT_OUT) == set(SceneOptions.model_fields)
    classes = {*class_fields.PEOPLE, *class_fields.TIMES, *LIMITS, *class_fields.PROMISES}
    seats = {"scene", "conditions", "confederate", "moderator", "others", "judges", "mode", "terms"}
    assert classes | seats | set(class_fields.LEFT_OUT) == set(ClassOptions.model_fields)
    ours = kinds | scene | classes | {foreign_forms.TITLE}
    for language in LANGUAGES:
        assert set(Words(language).group("option")) == set(Words(language).group("option-help")) == ours
        assert set(Words(language).group("term")) == set(Words(language).group("term-help")) == set(scene_fields.TERMS)


# ── languages ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("eo-EO,eo;q=0.9,de;q=0.4,en;q=0.7", "en"),
        ("eo", "en"),
        ("de;q=0", "en"),
        ("de;q=x,,;;;q=", "en"),
        ("x" * 100_000, "en"),
    ],
)
def test_a_browser_gets_the_language_of_ours_that_it_likes_best(accepted: str, language: Language) -> None:
    assert preferred(accepted) == language


def test_seats_have_made_up_names_in_every_language() -> None:
    tables = (seat_names.FIRST, seat_names.SECOND, seat_names.BETWEEN)
    assert [set(table) for table in tables] == [set(LANGUAGES)] * 3


def test_numbers_and_money_are_written_as_the_language_writes_them() -> None:
    assert (Words("en").number(12_345.678, 1), Words("de").number(12_345.678, 1)) == ("12,345.7", "12.345,7")
    assert (Words("en").number(-308), Words("de").number(-0.5)) == ("−308", "−0,5"), "as the engine writes it"
    assert (Words("en").dollars(1.5), Words("de").dollars(1.5)) == ("$1.50", "1,50 $")
    assert Words("en").dollars(0.0012) == "$0.0012"


def test_a_message_that_is_not_there_is_an_error_and_a_label_that_is_not_there_stays_as_it_is() -> None:
    with pytest.raises(KeyError):
        Words("de")("never-written")
    with pytest.raises(KeyError):
        Words("de").group("never-written")
    assert Words("de").of("labels", "something new") == "something new"


def test_what_people_are_refused_by_is_translated_as_it_is_said() -> None:
    """A sentence that was changed where it is said would no more be found where it is translated."""
    said = sources()
    for name, text in Words("en").group("detail").items():
        assert name == text
        whole = (f'"{name}"', f'"{name.removesuffix(".")}"', f"'{name}'")
        assert any(one in said for one in whole), name


def sources() -> str:
    """The code in which people are refused something."""
    places = (WEB.parent, WEB.parents[1] / "debate_engine")
    return "\n".join(path.read_text(encoding="utf-8") for place in places for path in place.rglob("*.py"))


@pytest.mark.parametrize("name", WHOLE)
def test_a_refusal_that_names_something_is_translated_as_it_is_said(name: str) -> None:
    literal = re.split(r"\(\?[^)]*\)\??|\\w\+|\.[+*]\??|'\?", WHOLE[name].pattern)
    longest = max(literal, key=len).replace("\\", "")
    assert len(longest) > 12
    joined = re.sub(r'"\s*f?"', "", sources())
    assert longest in joined, longest


REFUSING = ("Problem", "Conflict", "Unusable", "Forbidden", "NotThere", "NotSignedIn", "UsageError")
FOR_PAGES = (
    "web/api/class_debaters.py", "web/api/class_people.py", "web/api/classes.py", "web/api/moderation.py",
    "web/api/people.py", "web/api/turns.py", "web/api/table.py", "web/sign_in.py", "web/security.py", "web/limits.py",
    "web/form_bodies.py", "web/pages", "web/session_runs.py", "lab/classes", "lab/class_debates", "lab/moderation.py",
    "lab/participation.py", "lab/sign_ins.py",
)  # fmt: skip
"""Where what buttons and forms of pages ask for is refused."""
OF_PROGRAMS = {
    "Say which heat: give value, a number between 0 and 1, or step.",
    "A vote is pro, con or undecided, before or after the debate.",
    "This address is not one of our pages'.",
    "Say whose vote it is: a voter's last one counts.",
}
"""What no page of ours sends."""


def refusals() -> Iterator[tuple[str, str]]:
    """Every sentence as a whole by which something is refused there."""
    paths = [path for place in FOR_PAGES for path in (WEB.parent / place).rglob("*.py")]
    paths += [WEB.parent / place for place in FOR_PAGES if place.endswith(".py")]
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSING:
                given = [one.value for one in node.args if isinstance(one, ast.Constant)]
                yield from ((path.name, one) for one in given if isinstance(one, str) and " " in one)


def test_whatever_a_button_is_refused_with_is_said_in_german() -> None:
    german, found = Words("de"), dict(refusals())
    assert len(found) > 15
    left = {text for _, text in refusals() if refusal_in_words(text, german) == text}
    assert left - OF_PROGRAMS == set()


def test_why_nothing_is_told_of_a_class_has_words_in_every_language() -> None:
    told = [reveal.TOO_FEW, reveal.NO_OUTCOME, disclosure.TOO_FEW_TO_SPLIT]
    told += [effects.FEW_PEOPLE, effects.FEW_SAID, effects.FEW_CHANGED, effects.FEW_BETWEEN]
    assert [one for one in told if Words("de").of("labels", one) == one] == []
