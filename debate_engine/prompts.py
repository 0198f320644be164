"""Prompt files: loaded, checked and strictly rendered.

A prompt is a Markdown file with front matter and sections:

    ---
    id: socrasynth/opening
    variables: [motion, agenda]
    temperature: 0          # optional: overrides the session's
    max_tokens: 400         # optional: the longest reply
    ---
    %% role
    Who the answerer is (a model's system message).
    %% material "The agenda" keep
    {{ agenda }}
    %% task
    What is asked now.
    %% prefill
    How the answer begins   # optional: the answerer goes on from these words, which become part of the answer
    %% person
    What is asked now, in the words for a person.   # optional: else people read the task

`material` sections carry the policy for a context that is too small: `keep` stays, `digest` is shortened to the first
sentence of each paragraph, `drop` is left out. A section that renders empty is left out. Every declared variable must
be given and no other; the hash of the file goes into the log with each use.

`%% sections said` puts in the sections that the variable `said` holds, one after the other as they are.

Words of others (speeches, documents, labels, whatever a person or a model has written) pass through one of two filters:
`{{ speech | fenced }}` sets them between two lines of ~ signs that they cannot close, `{{ motion | line }}` makes one
line of a short text that stands within our own words, so that it can begin no section.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import wrap
from typing import Any, Literal

from pydantic import Field

from elenchus.config.json_and_yaml import yaml_in
from elenchus.debate_engine.errors import MissingVariable
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.printable import printable

Policy = Literal["keep", "digest", "drop"]
_BREAK = f"\x1e{secrets.token_hex(8)}\x1e"
"""Between the sections of a rendered prompt; made anew in each process, so that no text can hold it."""

_FORMS = ', as these do: %% role, %% task, %% person, %% prefill, %% material "TITLE" keep (or digest, or drop)'
_SECTION = re.compile(
    r'^%% (?:(role|task|material|prefill|person)(?: "([^"]+)" (keep|digest|drop))?|sections (\w+))$', re.MULTILINE
)
_FENCE_SIGNS = re.compile(r"~+")
_FENCE_LINE = re.compile(r"^~{6,}$")
_LONGEST_RUN = 60
_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_NOTHING = (  # spaces, controls, and what no font shows
    rf"(?:(?![{_BREAKS}])[\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff])*"
)
_LIKE_OURS = re.compile(rf"(^|[{_BREAKS}])(?=(?:{_NOTHING}[#\u266f\ufe5f\uff03]){{3}})")
"""The beginning of a line that looks like a section's heading, whatever ends the line before it."""
_LONGEST_ROW = 900
"""Characters of a quoted row, so that it fits a message of Discord's with the mark before it."""


def fenced(text: str) -> str:
    """The text between two lines of ~ signs that are longer than any run of them inside it; nothing for nothing.

    So it cannot end its own fence; and a line in it that looks like the heading of a section is set in. The fence is
    made of the text alone: the same words look the same in every prompt.
    """
    text = _LIKE_OURS.sub(r"\1    ", _FENCE_SIGNS.sub(lambda run: run[0][:_LONGEST_RUN], text.strip()))
    fence = "~" * max(6, 1 + max((len(run) for run in _FENCE_SIGNS.findall(text)), default=0))
    return f"{fence}\n{text}\n{fence}" if text else ""


def closed(text: str) -> str:
    """A text that was cut short, its last fence closed where the cut took the end of it."""
    fence = ""
    for row in text.split("\n"):
        if fence:
            fence = "" if row == fence else fence
        elif _FENCE_LINE.match(row):
            fence = row
    return f"{text}\n{fence}" if fence else text


def quoted(text: str) -> str:
    """The text as people read it: printable, and what stands in a fence is quoted row by row, as in a letter.

    So no row of it can pass for one of ours, wherever the text is cut, wrapped or shown.
    """
    rows, words, fence = list[str](), list[str](), ""
    for row in closed(text).split("\n"):
        if fence and row == fence:
            rows += [f"> {piece}" for line in printable("\n".join(words)).split("\n") for piece in _wrapped(line)]
            words, fence = [], ""
        elif fence:
            words.append(row)
        elif _FENCE_LINE.match(row):
            fence = row
        else:
            rows.append(row)
    return printable("\n".join(rows))


def _wrapped(row: str) -> list[str]:
    return [row] if len(row) <= _LONGEST_ROW else wrap(row, _LONGEST_ROW, expand_tabs=False, replace_whitespace=False)


def line(text: str) -> str:
    """The text as one line."""
    return " ".join(text.split())


class Section(FrozenModel):
    """A titled piece of material, and what may happen to it when the context is too small.

    `repeated`: the seat's next prompt begins with the same material up to here, which a vendor may keep for it.
    """

    title: str
    text: str
    policy: Policy = "keep"
    repeated: bool = Field(False, exclude=True)

    @property
    def shown(self) -> str:
        """The section under its heading, as people and models read it."""
        return f"### {self.title}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt with its variables filled in."""

    role: str
    material: tuple[Section, ...]
    task: str
    prefill: str = ""
    person: str = ""


@dataclass(frozen=True)
class Prompt:
    """One prompt file."""

    id: str
    variables: frozenset[str]
    hash: str
    sections: tuple[tuple[str, str, Policy, str], ...]
    temperature: float | None = None
    max_tokens: int | None = None

    @classmethod
    def parse(cls, text: str) -> Prompt:
        """Read a prompt file's text. Raises ValueError where it has no front matter with an id, not exactly one task,
        or a section of another kind.
        """
        _, head, body = [*text.split("---\n", 2), "", ""][:3]
        meta = yaml_in(head, "A prompt's front matter")
        if not isinstance(meta, dict) or "id" not in meta:
            raise ValueError("a prompt begins with its front matter, an id and its variables, between two lines of ---")
        if stray := next((row for row in body.split("\n") if row.startswith("%%") and not _SECTION.match(row)), None):
            raise ValueError(f"prompt {meta['id']}: {stray!r} begins no section{_FORMS}")
        marks = list(_SECTION.finditer(body))
        ends = [mark.start() for mark in marks[1:]] + [len(body)]
        sections = tuple(
            (mark[1] or "sections", mark[2] or mark[4] or "", _policy(mark[3]), body[mark.end() : end].strip())
            for mark, end in zip(marks, ends, strict=True)
        )
        if [kind for kind, *_ in sections].count("task") != 1:
            raise ValueError(f"prompt {meta['id']}: exactly one task section is needed")
        return cls(
            id=meta["id"],
            variables=frozenset(meta.get("variables") or ()),
            hash=hashlib.sha256(text.encode()).hexdigest()[:16],
            sections=sections,
            temperature=meta.get("temperature"),
            max_tokens=meta.get("max_tokens"),
        )

    @cached_property
    def _template(self) -> Any:
        """All sections as one template (a render costs by the template, not by its length), split again by _BREAK."""
        return environment().from_string(_BREAK.join(text for *_, text in self.sections))

    def render(self, **variables: Any) -> Rendered:
        """Fill in the variables. Raises MissingVariable naming every missing and every undeclared one."""
        if self.variables != variables.keys():
            raise MissingVariable(f"prompt {self.id}: {_difference(self.variables, set(variables))}")
        texts = self._template.render(variables).split(_BREAK)
        role, task, prefill, person, material = "", "", "", "", []
        for (kind, title, policy, _), text in zip(self.sections, texts, strict=True):
            if kind == "role":
                role = text.strip()
            elif kind == "task":
                task = text.strip()
            elif kind == "prefill":
                prefill = text.strip()
            elif kind == "person":
                person = text.strip()
            elif kind == "sections":
                material += variables[title]
            elif text.strip():
                material.append(Section(title=title, text=text.strip(), policy=policy))
        return Rendered(role, tuple(material), task, prefill, person)


@lru_cache
def environment() -> Any:
    """The jinja2 environment in which prompts are rendered."""
    from jinja2 import Environment, StrictUndefined

    env = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)  # noqa: S701 - prompts are plain text, not HTML
    env.filters |= {"fenced": fenced, "line": line}
    return env


def _difference(declared: AbstractSet[str], given: AbstractSet[str]) -> str:
    parts = (("missing", declared - given), ("not declared", given - declared))
    return "; ".join(f"{what} {', '.join(sorted(names))}" for what, names in parts if names)


def _policy(word: str | None) -> Policy:
    match word:
        case "digest" | "drop":
            return word
    return "keep"


class PromptFolder:
    """The prompt files of one folder as attributes: `prompts.opening` is `opening.md`."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder
        self._read: dict[str, Prompt] = {}

    def __getattr__(self, name: str) -> Prompt:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._read:
            self._read[name] = Prompt.parse(self._folder.joinpath(f"{name}.md").read_text(encoding="utf-8"))
        return self._read[name]

    def names(self) -> list[str]:
        """The names of all prompts in the folder, sorted."""
        return sorted(f.name.removesuffix(".md") for f in self._folder.iterdir() if f.name.endswith(".md"))


@lru_cache
def prompts_of(package: str, language: str = "en") -> PromptFolder:
    """The folder `prompts/` of a package, such as `debate_engine.protocols.crit`; in another language than English the
    folder in it that is called by that: `prompts/de/`. There each prompt has the id of the English one.
    """
    folder = files(package).joinpath("prompts")
    return PromptFolder(folder if language == "en" else folder.joinpath(language))
