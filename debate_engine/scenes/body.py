"""The body of a scene's canonical form, as it was read: sections, roles and rules with the lines they stand on."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import yaml_in
from elenchus.debate_engine.scenes.faults import Finding, Place
from elenchus.debate_engine.scenes.measures import KINDS as KINDS_OF_MEASURES, Measure
from elenchus.debate_engine.scenes.pictures import Picture
from elenchus.debate_engine.scenes.plain_words import place_in, told_of, told_of_yaml
from elenchus.debate_engine.scenes.quotation import CURLY, curly_mark, straight, without_marks
from elenchus.debate_engine.scenes.scene import EVERYBODY, Kind, Role, Rule
from elenchus.debate_engine.scenes.trials import Trials

SECTIONS = (
    "Purpose", "Background", "Roles", "Rules", "Measures", "Trials", "Pictures", "Answers", "Observation", "Debrief",
)  # fmt: skip
MEASURE_FORM = 'write `price: {kind: number, unit: euros, low: 0, high: 2000, ask: "What is the fair price?"}`'
TRIALS_FORM = 'write `lines: {show: "…", answer: {kind: choice, options: [A, B], ask: "…"}, items: [{right: A}]}`'
PICTURES_FORM = 'write `card: {file: "card.png", alt: "Four lines, S above and three others below it."}`'

_LISTS = ("measures", "trials", "pictures", "answers")
_ITEM = re.compile(r"^[-*] +(.*)$")


_MEASURE: TypeAdapter[Measure] = TypeAdapter(Measure)
_TRIALS: TypeAdapter[Trials] = TypeAdapter(Trials)
_PICTURE: TypeAdapter[Picture] = TypeAdapter(Picture)
_CALLED = {_MEASURE: "the measure", _TRIALS: "the trials", _PICTURE: "the picture"}


def _with_answer(name: str, given: Any) -> Any:
    """A block of trials whose answer is called as the block is."""
    answer = given.get("answer") if isinstance(given, dict) else None
    return {**given, "answer": {"name": name, **answer}} if isinstance(answer, dict) else given


@dataclass
class Body:
    """What was read so far: the scene's parts by field, where each place stands, and what was wrong."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    roles: list[dict[str, str]] = field(default_factory=list)
    rules: list[dict[str, Any]] = field(default_factory=list)
    lines: dict[Place, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    is_lost: bool = False
    """Whether the last role or rule could not be read: what stands below it belongs to none."""

    @property
    def parts(self) -> dict[str, Any]:
        """The parts as `Scene` takes them."""
        roles = tuple(Role(kind=cast("Kind", role.pop("kind")), **role) for role in map(dict, self.roles))
        names = [role.name for role in roles]
        rules = tuple(_rule(rule, names) for rule in self.rules)
        texts = {name: "\n".join(lines) for name, lines in self.texts.items() if name not in _LISTS}
        measures = self._named("measures", _MEASURE, MEASURE_FORM)
        trials = self._named("trials", _TRIALS, TRIALS_FORM)
        pictures = self._named("pictures", _PICTURE, PICTURES_FORM)
        lists = {"measures": measures, "trials": trials, "pictures": pictures, "answers": self._answers()}
        return {**texts, "roles": roles, "rules": rules, **lists}

    def _answers(self) -> tuple[str, ...]:
        """The answers to questions that no rule foresees: one an item, a further line belongs to the item before."""
        written: list[str] = []
        for line in self.texts.get("answers", []):
            if item := _ITEM.match(line):
                written.append(item[1])
            elif written:
                written[-1] += f"\n{line.strip()}"
            elif line.strip():
                line_of = self.lines[Place("answers")]
                self.fault(line_of, "an answer stands in no item", 'write `- "I cannot say more."`')
                return ()
        return tuple(unquoted(text) for text in written)

    def _named(self, section: str, kind: TypeAdapter[Any], form: str) -> tuple[Any, ...]:
        """What stands in a section as YAML under its names; what is none of this kind is a finding on its line."""
        line = self.lines.get(Place(cast("Any", section)), 1)
        written = [straight(text) for text in self.texts.get(section, [])]
        for number, text in enumerate(written, line + 1):
            if mark := curly_mark(text):
                self.fault(number, CURLY.format(mark), 'write it in straight ones: "')
                return ()
        try:
            values = yaml_in("\n".join(written), f"The section {section.title()}") or {}
        except UnreadableDocument as error:
            told = told_of_yaml(error, written[error.line - 1] if 0 < error.line <= len(written) else "")
            self.fault(line + error.line, f"the {section} cannot be read: {told}", form)
            return ()
        if not isinstance(values, dict):
            self.fault(line, f"the {section} are no list of `name: {{…}}`", form)
            return ()
        names = [text.partition(":")[0].strip("\"' ") for text in written]
        stand = {name: line + at for at, name in reversed([*enumerate(names, 1)])}
        part = cast("Any", section)
        self.lines |= {Place(part, name=str(name)): stand.get(str(name), line) for name in values}
        if kind is _PICTURE:
            self.lines |= {Place("picture", n): stand.get(str(name), line) for n, name in enumerate(values)}
        made = (self._one(kind, str(name), given, stand.get(str(name), line), form) for name, given in values.items())
        return tuple(one for one in made if one)

    def _one(self, kind: TypeAdapter[Any], name: str, given: Any, line: int, form: str) -> Any:
        given = _with_answer(name, given)
        try:
            return kind.validate_json(json.dumps({"name": name, **given}), strict=False)
        except (ValidationError, TypeError, ValueError) as error:
            first = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else None
            where = ".".join(place_in(first["loc"], KINDS_OF_MEASURES)) if first else ""
            what = told_of(first) if first else "it is no list of `name: value`"
            self.fault(line, f"{_CALLED[kind]} {name}: {where + ': ' if where else ''}{what}", form)
            return None

    def is_read(self, section: str) -> bool:
        """Whether a section is there, and nothing is wrong on its lines."""
        begin = {
            place.part: line for place, line in self.lines.items() if place.part.title() in SECTIONS and not place.name
        }
        if section not in begin:
            return False
        end = min((line for line in begin.values() if line > begin[section]), default=math.inf)
        return not any(begin[section] <= finding.line < end for finding in self.findings)

    def fault(self, line: int, what: str, remedy: str) -> None:
        """Note that something is wrong on a line."""
        self.findings.append(Finding(line, what, remedy))


def unquoted(text: str) -> str:
    """A text without the quotation marks around it; those of JSON may hold line breaks and marks within."""
    text = text.strip()
    try:
        return str(json.loads(text, strict=False)) if text.startswith('"') else without_marks(text)
    except ValueError:
        return text.removeprefix('"').removesuffix('"')


def _rule(read: dict[str, Any], names: list[str]) -> Rule:
    to = read["to"]
    if [name.casefold() for name in to] == [EVERYBODY]:
        to = [name for name in names if name != " ".join(read["initiator"].split())]
    return Rule(
        mode=read["mode"],
        purpose=read["purpose"],
        initiator=read["initiator"],
        receivers=tuple(to),
        content=" ".join(read["content"]),
        message="\n".join(read["message"]),
        says=read["says"],
        measures=read["measures"],
        trials=read["trials"],
        each=read["each"],
        when=read["when"],
        picture=read["picture"],
    )
