"""What came out, in the words of a page: the sentences in which the engine tells how versions differ.

A class's publication is made once, as the engine says it, and programs read it so. Pages know its sentences by their
form. What has no form here is shown as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elenchus.service.web.strings import Words

_TOLD = r"(?P<what>.+?): "
_P = r"p (?P<p>[=<] [\d.–]+(?: \(Holm\))?)"
_ROUGH = (
    _TOLD + r"between (?P<low>\S+) and (?P<high>\S+) points, as no count under (?P<least>\d+) is told; whatever it is, "
    r"its 95 % interval lies within (?P<from>\S+) to (?P<to>[^\s,]+?)"
)
_MET = r"(?:who met|runs with)"
FORMS: dict[str, re.Pattern[str]] = {
    name: re.compile(form)
    for name, form in {
        "medians": r"a median of (?P<a>.+?) with (?P<one>.+) \((?P<n>\d+)\), of (?P<b>.+?) with (?P<other>.+) "
        r"\((?P<m>\d+)\)\.",
        "counts": rf"(?P<rule>.+): (?P<k>\d+) of (?P<n>\d+) {_MET} (?P<one>.+), (?P<l>\d+) of (?P<m>\d+) {_MET} "
        r"(?P<other>.+)\.",
        "rough": rf"{_ROUGH}\.",
        "rough-p": rf"{_ROUGH}, and p is (?P<p>(?:< )?[\d.]+) at most\.",
        "same-shown": _TOLD + rf"the same within (?P<margin>.+?): shown \(90 %: (?P<range>.+?)\), {_P}\.",
        "same-not-shown": _TOLD + rf"the same within (?P<margin>.+?): not shown \(90 %: (?P<range>.+?)\), {_P}\.",
        "same-untold": _TOLD + r"the same within (?P<margin>.+?): cannot be told, p .+\.",
        "few-make": _TOLD + r"fewer than (?P<least>\d+) answers make the mean of a side, or no number varies: means "
        r"are not compared here, and all files tell more\.",
        "as-expected": _TOLD + rf"(?P<apart>.+), {_P}, as expected\.",
        "otherwise": _TOLD + rf"(?P<apart>.+), {_P}, and not the way that was expected\.",
        "not-apart": _TOLD + rf"(?P<apart>.+), {_P}: not told apart from no difference, which does not show that there "
        r"is none\.",
        "apart": _TOLD + rf"(?P<apart>.+), {_P}\.",
        "left-out": _TOLD + r"(?P<why>.+)\.",
    }.items()
}  # fmt: skip
"""The special before the general."""

_PARTS = (
    (re.compile(r"(?P<one>.+) against (?P<other>.+)"), "against"),
    (re.compile(r"(?P<value>.+?) points(?P<range> \(.+\))?"), "points"),
    (re.compile(r"(?P<value>.+) on average(?P<range> \(.+\))?"), "on-average"),
)
_RANGE = re.compile(r"(?<=[\d%]) to (?=[\d−+])")
_PEOPLE = re.compile(r"(?<=\d) people\b")


def finding_in_words(sentence: str, t: Words) -> str:
    """A sentence on what came out in the words of a page. Pure."""
    for name, form in FORMS.items():
        if found := form.fullmatch(sentence):
            parts = {part: part_in_words(text, t) for part, text in found.groupdict().items()}
            if "why" in parts:
                parts["why"] = t.of("labels", found["why"])
            return t(f"found.{name}", **parts)
    return part_in_words(sentence, t)


def part_in_words(text: str, t: Words) -> str:
    """A part of such a sentence: what is compared, a size with its interval, a number of people."""
    for form, name in _PARTS:
        if found := form.fullmatch(text):
            return t(f"found-{name}", **{part: _plain(value or "", t) for part, value in found.groupdict().items()})
    return _plain(text, t)


def _plain(text: str, t: Words) -> str:
    text = _RANGE.sub(f" {t('found-to')} ", text)
    text = text.replace("percentage points", t("found-percentage-points"))
    return _PEOPLE.sub(f" {t('found-people')}", text)


def either(names: str, t: Words) -> str:
    """Versions that are told of together."""
    return f" {t('found-or')} ".join(names.split(" or "))


_SIZE = re.compile(
    r"(?:(?P<metric>d|risk difference|odds ratio|mean difference) )?"
    r"(?P<size>[−-]?\d[\d.,]*(?: \(.+\))?(?:, \S+ people)?)"
)


def published_in_words(text: str, t: Words, spoken: str) -> str:
    """What others have found: a size as the engine tells it, or a sentence of the scene's file, in its language."""
    if found := _SIZE.fullmatch(text):
        metric = f"{t.of('found-metric', found['metric'])} " if found["metric"] else ""
        return metric + numbers(_plain(found["size"], t), t)
    return numbers(text, t) if spoken == "en" else text


_NUMBER = re.compile(r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w-])|(?<![\w.,/-])\d+\.\d+(?![\w.-])")


def numbers(text: str, t: Words) -> str:
    """A sentence of the engine with its numbers as the page writes them: one page has one decimal mark."""
    return _NUMBER.sub(lambda found: _written(found[0], t), text)


def _written(text: str, t: Words) -> str:
    plain = text.replace(",", "")
    return t.number(float(plain), len(plain.partition(".")[2]))
