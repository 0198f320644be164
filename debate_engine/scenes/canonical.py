"""The canonical form of a scene: Markdown with front matter, as `docs/scene-files.md` tells it.

`write` and `read` are each other's inverse for every consistent scene. Reading is strict: whatever the form does not
know is a finding with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from elenchus.debate_engine.scenes.body import Body
from elenchus.debate_engine.scenes.body_lines import parse_body
from elenchus.debate_engine.scenes.consistency import inconsistencies, left_open, of_the_cast
from elenchus.debate_engine.scenes.faults import Fault, FaultyScene, Finding, Place
from elenchus.debate_engine.scenes.front_matter import (
    FENCE,
    FrontMatter,
    parse_front_matter,
    quoted,
    write_front_matter,
)
from elenchus.debate_engine.scenes.measures import Measure
from elenchus.debate_engine.scenes.pictures import Picture
from elenchus.debate_engine.scenes.scene import EVERYBODY, Role, Rule, Scene
from elenchus.debate_engine.scenes.trials import Item, Trials


def read(text: str) -> Scene:
    """The scene that the text holds. Raises FaultyScene with all that keeps it from being one."""
    scene, findings = check(text)
    if grave := tuple(finding for finding in findings if finding.grave):
        raise FaultyScene(grave)
    return scene


Check = Callable[[Scene], Iterator[Fault]]
"""What else a scene is looked through for; hardly anything of it is grave."""


def check(text: str, *more: Check, of_a_plan: Sequence[Check] = ()) -> tuple[Scene, tuple[Finding, ...]]:
    """What could be read, and what is found, by line; what is not grave must be mended before it is played.

    Where the text cannot be read it is not asked what the scene lacks, or where it contradicts itself; where it does,
    not how it could be better. Only the cast is looked at by itself. `of_a_plan` are looks at a
    scene in which nothing is wrong, `more` those at any.
    """
    front, body = _parsed(text)
    scene = Scene.model_validate({**front.parts, **body.parts})
    findings = [*front.findings, *body.findings]
    is_read = not findings
    wrong = inconsistencies if is_read else of_the_cast if body.is_read("roles") else _nothing
    findings += [_found(fault, body.lines, grave=True) for fault in wrong(scene)]
    looks = (*((left_open,) if is_read else ()), *(() if findings else of_a_plan), *more)
    findings += [_found(fault, body.lines, grave=fault.grave) for look in looks for fault in look(scene)]
    return scene, tuple(sorted(findings))


def _nothing(_: Scene) -> Iterator[Fault]:
    yield from ()


def located(text: str, faults: Iterable[Fault]) -> tuple[Finding, ...]:
    """The faults on the lines of the text, each grave where it says so."""
    _, body = _parsed(text)
    assert body.parts is not None  # reading them finds out where they stand
    return tuple(sorted(_found(fault, body.lines, grave=fault.grave) for fault in faults))


def lines_of_rules(text: str) -> tuple[int, ...]:
    """The lines on which the rules begin, in order."""
    _, body = _parsed(text)
    return tuple(body.lines[Place("rule", index)] for index in range(len(body.rules)))


def _parsed(text: str) -> tuple[FrontMatter, Body]:
    """Front matter and body; where the entries of the front matter stand is noted with what the body holds."""
    text = re.sub("[\u00a0\u2007\u202f]", " ", text.removeprefix("\ufeff"))  # blanks that keep words together
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    front = parse_front_matter(lines)
    body = parse_body(lines, front.end)
    body.lines |= {Place("scene", name=name): line for name, line in front.lines.items()}
    return front, body


def is_canonical(text: str) -> bool:
    """Tell whether a text means to be in this form: it begins with front matter."""
    return text.removeprefix("\ufeff").lstrip("\r\n").startswith(FENCE)


def write(scene: Scene) -> str:
    """The scene in its canonical form; `read` gives it back if it is consistent."""
    parts = [
        write_front_matter(scene),
        _section("Purpose", _escaped(scene.purpose)),
        _section("Background", _escaped(scene.background)),
        _section("Roles", "\n\n".join(_role(role) for role in scene.roles)),
        _section("Rules", "\n".join(_rule(number, rule) for number, rule in enumerate(scene.rules, 1))),
        *([_section("Measures", "\n".join(map(_measure, scene.measures)))] if scene.measures else []),
        *([_section("Trials", "\n".join(map(_trials, scene.trials)))] if scene.trials else []),
        *([_section("Pictures", "\n".join(map(_picture, scene.pictures)))] if scene.pictures else []),
        *([_section("Answers", "\n".join(f"- {quoted(text)}" for text in scene.answers))] if scene.answers else []),
        _section("Observation", _escaped(scene.observation)),
        _section("Debrief", _escaped(scene.debrief)),
    ]
    return "\n\n".join(parts) + "\n"


def _found(fault: Fault, lines: Mapping[Place, int], *, grave: bool) -> Finding:
    """The fault on the line of its place, else on that of the part it is in, else on the first."""
    part = replace(fault.place, name="")
    line = next((lines[place] for place in (fault.place, part, Place(part.part)) if place in lines), 1)
    return Finding(line, fault.what, fault.remedy, grave)


def _section(title: str, text: str) -> str:
    return f"# {title}\n\n{text}" if text else f"# {title}"


def _escaped(text: str) -> str:
    """The text with a backslash before each line that would be taken for a heading, or for one so marked."""
    return re.sub(r"^(?=[#\\])", r"\\", text, flags=re.MULTILINE)


def _role(role: Role) -> str:
    fields = (("Background", role.background), ("Task", role.task), ("Style", role.style))
    return "\n".join([f"## {role.name} ({role.kind})", *(f"- {field}: {text}" for field, text in fields if text)])


def _rule(number: int, rule: Rule) -> str:
    label = rule.mode if rule.purpose is None else f"{rule.mode}, {rule.purpose}"
    receivers = EVERYBODY if rule.mode == "broadcast" else ", ".join(rule.receivers)
    head = f"{number}. **{label}** {rule.initiator} → {receivers}: {rule.content}".rstrip()
    more = [f"   > {line}".rstrip() for line in rule.message.split("\n") if rule.message]
    more += [f"   {name}: {text}" for name, text in (("when", rule.when), ("each", rule.each)) if text]
    more += [f"   picture: {rule.picture}"] if rule.picture else []
    more += [f"   trials: {rule.trials}"] if rule.trials else []
    more += [f"   measure: {', '.join(rule.measures)}"] if rule.measures else []
    more += [f"   says: {quoted(rule.says)}"] if rule.says else []
    return "\n".join([head, *more])


def _measure(measure: Measure) -> str:
    """A measure as YAML on one line, without what is as a matter of course."""
    given = {"kind": measure.kind, **measure.model_dump(mode="json", exclude={"name", "kind"}, exclude_defaults=True)}
    return f"{measure.name}: {quoted(given)}"


def _trials(block: Trials) -> str:
    """A block of trials as YAML, an item a line."""
    given = block.model_dump(mode="json", exclude={"name", "items", "answer"}, exclude_defaults=True)
    answer = {"kind": block.answer.kind, **block.answer.model_dump(mode="json", exclude_defaults=True)}
    answer.pop("name")
    head = {**given, "answer": answer}
    items = [quoted(_item(item)) for item in block.items]
    return f'{block.name}: {quoted(head)[:-1]}, "items": [\n  ' + ",\n  ".join(items) + "]}"


def _item(item: Item) -> dict[str, Any]:
    kept: dict[str, Any] = {"right": item.right} if item.right else {}
    kept |= {} if item.critical else {"critical": False}
    kept |= {"picture": item.picture} if item.picture else {}
    return {**kept, **item.values}


def _picture(picture: Picture) -> str:
    """What the scene says of a picture; what was read of its file stands in no text."""
    return f"{picture.name}: {quoted({'file': picture.file, 'alt': picture.alt})}"
