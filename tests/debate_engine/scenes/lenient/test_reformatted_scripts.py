"""The labelled scripts in other dress: each change leaves lines and meaning as they are, so the labels still hold."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from elenchus.debate_engine.scenes.lenient.reader import read_script
from tests.debate_engine.scenes.lenient.readings import kinds_of
from tests.debate_engine.scenes.lenient.real_scripts import all_scripts, labels
from tests.debate_engine.scenes.lenient.test_accuracy_on_real_scripts import wanted

Change = Callable[[str], str]
_LABEL = re.compile(
    r"^(?P<lead>\s*(?:\d+\.\s*|-\s*)?)\**\(?(?P<mode>unicast|broadcast|multicast|self-receiv\w+)\**"
    r"(?:\s*[,–-]\s*|\s*\()(?P<purpose>[^():*]+?(?:\([^()]*\))?)\)*\**:?\)?\**:?\**\s+",
    re.IGNORECASE | re.MULTILINE,
)


def labelled_as(form: str) -> Change:
    return lambda text: _LABEL.sub(lambda m: form.format(**m.groupdict()), text)


def renamed(text: str) -> str:
    """Every kind called by another word for it."""
    words = {"confederate": "influencer", "moderator": "facilitator", "subject": "participant"}
    for old, new in words.items():
        for a, b in ((old, new), (old.title(), new.title())):
            text = re.sub(rf"\b{a}(?=s?\b)", b, text)
    return text


DRESSES: dict[str, Change] = {
    "square brackets": labelled_as("{lead}[{mode} | {purpose}] "),
    "a dash behind": labelled_as("{lead}{mode} - {purpose} - "),
    "mode and bracket": labelled_as("{lead}**{mode}** ({purpose}): "),
    "a colon": labelled_as("{lead}{mode}, {purpose}: "),
    "capitals and Chinese marks": lambda text: _LABEL.sub(
        lambda m: f"{m['lead']}（{m['mode'].upper()}，{m['purpose']}）：", text
    ),
    "no numbers": lambda text: re.sub(
        r"^(\s*)\d+\.\s+(?=\**\(?(?:uni|broad|multi|self))", r"\1", text, flags=re.MULTILINE | re.IGNORECASE
    ),
    "numbers with brackets": lambda text: re.sub(r"^(\s*)(\d+)\.\s+", r"\1\2) ", text, flags=re.MULTILINE),
    "no emphasis": lambda text: text.replace("*", ""),
    "no heading marks": lambda text: re.sub(r"^#+\s*", "", text, flags=re.MULTILINE),
    "headings in bold": lambda text: re.sub(r"^#+\s*(.+)$", r"**\1**", text, flags=re.MULTILINE),
    "quoted": lambda text: re.sub(r"^", "> ", text, flags=re.MULTILINE),
    "other line ends and tabs": lambda text: text.replace("\n", "\r\n").replace("    ", "\t"),
    "curly apostrophes": lambda text: text.replace("'", "’"),
    "other words for the kinds": renamed,
}


@pytest.mark.slow
@pytest.mark.parametrize("dress", DRESSES)
def test_a_labelled_script_in_another_dress_is_read_as_before(dress: str) -> None:
    known, right, clear, roles, changed = labels(), 0, 0, [], 0
    wrong: list[object] = []
    for path in (path for path in all_scripts() if path.stem in known):
        text = path.read_text(encoding="utf-8")
        dressed = DRESSES[dress](text)
        changed += dressed != text
        reading, label = read_script(dressed), known[path.stem]
        if [{"name": role.name, "kind": role.kind} for role in reading.roles] != label["roles"]:
            roles.append((path.stem, kinds_of(reading)))
        by_line = {rule.line: rule.rule for rule in reading.rules}
        for rule in (rule for rule in label["rules"] if rule["clear"]):
            found = by_line.get(rule["line"])
            same = found and (found.mode, found.initiator, sorted(found.receivers)) == wanted(rule)
            clear, right = clear + 1, right + bool(same)
            wrong += (
                [] if same else [(path.stem, rule["line"], found and (found.mode, found.initiator, found.receivers))]
            )
    print(f"{dress}: {changed} scripts changed, {right} of {clear} clear rules right", *wrong[:12], sep="\n  ")
    assert changed >= 3
    assert roles == []
    assert right >= 0.98 * clear
