"""A role while its lines are being read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.scene import one_line

SUFFIX = re.compile(r"\s*[(\[（【]([^()\[\]（）【】]*)[)\]）】]?\s*$")
"""What stands in brackets behind a name."""
_APPOSITION = re.compile(
    r"^(?P<name>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2})\s*(?:,|(?P<dash>\s[-–—])|\s/)\s*"
    r"(?P<title>(?P<article>the|an?)\s.+|[A-Z][a-z]+)$"
)
"""A name and what it is: `Ada, a friend`, `Ada - Subject`."""


@dataclass
class Draft:
    """A role in the making."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    title: str = ""
    last: str = ""
    number: str = ""
    also: tuple[str, ...] = ()

    def put(self, name: str, text: str) -> None:
        """Set a field, or lengthen it."""
        self.fields[name] = f"{self.fields.get(name, '')} {text}".strip()
        self.last = name

    def entitle(self, text: str) -> None:
        """Take a whole line for what the role is; each part of it may call the role."""
        self.title = one_line(text.strip(" :"))
        self.also = tuple(part for part in re.split(r"\s*[:：()（）\[\],/|]\s*|\s[-–—]\s", self.title) if part)

    def name_it(self, text: str) -> None:
        """Set the name; what stands behind it in brackets is its title."""
        while found := SUFFIX.search(text):
            before, inner = text[: found.start()].strip(), found[1].strip()
            turned = names_a_kind(before) and not names_a_kind(inner) and inner[:1].isupper()
            text, title = (inner, before) if turned else (before, inner)
            self.title = f"{title} {self.title}".strip()
        text = re.sub(r"^[Tt]he (?=[A-Z])", "", text.strip())
        found = _APPOSITION.match(text)
        if found and (found["dash"] or found["article"] or names_a_kind(found["title"])):
            text, self.title = found["name"], f"{found['title']} {self.title}".strip()
        self.fields["name"] = one_line(re.sub(r"[*\"“”#:→()]|->", " ", _ended(text)))[:60].strip()
        self.last = "name"


def joined(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, a title that stands alone over a name that has none (`Subject`, below it `Ada`) joined to it."""
    kept: list[Draft] = []
    for draft in drafts:
        above = kept[-1] if kept else None
        named = bool(draft.fields.get("name")) and not draft.title and "identity" not in draft.fields
        if above and above.title and not above.fields and named and draft.line - above.line <= 2:
            kept.pop()
            draft.title = above.title
        kept.append(draft)
    return kept


def _ended(name: str) -> str:
    """The name without what stands behind it; the full stop of an initial (`Ada K.`) belongs to it."""
    bare = name.strip(" .;-–—")
    return f"{bare}." if re.search(r"\s[A-Z]$", bare) and f"{bare}." in name else bare
