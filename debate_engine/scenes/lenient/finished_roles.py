"""Makes roles of the finished drafts: name, kind and task, and the words by which the rules may call them."""

from __future__ import annotations

import re
from dataclasses import replace

from debate_engine.scenes.lenient.drafts import SUFFIX, Draft
from debate_engine.scenes.lenient.kinds import NOUNS, is_called, kind_of
from debate_engine.scenes.lenient.reading import ReadRole
from debate_engine.scenes.scene import Role, one_line

_TASK = re.compile(
    r"(?:(?<=[.;,] )|^)(?:(?:his|her|their|its|the)|[A-Z]\w+[’']s?) (?:task|job|goal|aim|role) (?:is|will be|here is)"
    r" (?:to )?(?P<task>[^.]+\.?)",
    re.IGNORECASE,
)

_SERVES = re.compile(
    r"(?:to )?(?:answer|explain|inform|give|describe|watch|observe|serve|help|assist|translate|provide|hand)s?\b",
    re.IGNORECASE,
)
"""The task of somebody who is there for the others and decides nothing."""


def each_of(draft: Draft) -> list[Draft]:
    """The roles that one block declares: `Names: Ada and Ben` are two."""
    names = re.split(r"\s*(?:[,;]\s*(?:and\b|&)?|&|\band\b|/)\s*", draft.fields.get("name", ""))
    if len(names) < 2 or not all(re.fullmatch(r"(?:Dr\.? )?[A-Z][\w'-]*(?: [A-Z1-9])?", name) for name in names):
        return [draft]
    return [replace(draft, fields={**draft.fields, "name": name}) for name in names]


def finished(draft: Draft, rules: str) -> ReadRole | None:
    """The role, if it can be called by something. `rules` are the words of the rules: they tell what it is called."""
    texts = {key: text.lstrip(" .,;:–—") for key, text in _with_the_task(draft.fields).items()}
    identity = texts.get("identity", "")
    name = _in_small_letters(texts.get("name", ""), rules)
    name = name or _used(draft.title, one_line(SUFFIX.sub("", identity))[:60], rules)
    if not name:
        return None
    background, task = texts.get("background", ""), texts.get("task", "")
    said = (draft.title, identity or draft.title, background, task)
    role = Role(name=name, kind=kind_of(*said), background=background, task=task, style=texts.get("style", ""))
    suffix = found[1] if (found := SUFFIX.search(identity)) else ""
    occupation = "" if identity else _occupation(background, rules)
    called = (*draft.also, draft.title, suffix, SUFFIX.sub("", identity), draft.number, occupation)
    words = tuple(one_line(word) for word in called if word.strip())
    declared = is_called(f"{draft.title} {identity}", role.kind)
    return ReadRole(role, draft.line, words, declared, kind_of(*said, by_unknowing=False))


def _in_small_letters(name: str, rules: str) -> str:
    """The name; one in capitals as the rules write it, where they do so in small letters (`ADA`, `Ada tells …`)."""
    small = name.title()
    written = name.isupper() and len(name) > 2 and name not in rules
    return small if written and any(re.search(rf"\b{re.escape(word)}\b", rules) for word in small.split()) else name


def _used(title: str, identity: str, rules: str) -> str:
    """What a role without a name is called by: its identity, unless the rules use its title and never the identity."""
    title, identity = (
        re.sub(r"^(?:the|an?) ", "", words.strip(" :"), flags=re.IGNORECASE) for words in (title, identity)
    )
    used = [bool(words) and bool(re.search(rf"\b{re.escape(words)}\b", rules)) for words in (title, identity)]
    return title if used == [True, False] else identity or title


def _occupation(background: str, rules: str) -> str:
    """What stands first of what is said of a role (`Seller, has a lamp`), if the rules call somebody so."""
    found = re.match(
        r"(?:(?:an?|the|his|her|their|its|[A-Z]\w*[’']s?)\s+)?(?P<noun>[\w'’-]+(?: [\w'’-]+){0,2})\s*(?:[,;.]|$)",
        background,
        re.IGNORECASE,
    )
    noun = found["noun"] if found else ""
    return noun if noun and re.search(rf"\bthe {re.escape(noun)}\b", rules, re.IGNORECASE) else ""


def _with_the_task(fields: dict[str, str]) -> dict[str, str]:
    """The fields, a task that only a sentence of the background tells (`Her task is to choose`) set apart."""
    told = None if fields.get("task") else _TASK.search(fields.get("background", ""))
    if not told:
        return fields
    rest = fields["background"]
    return {**fields, "background": f"{rest[: told.start()]} {rest[told.end() :]}".strip(), "task": told["task"]}


def without_bystanders(found: tuple[ReadRole, ...]) -> tuple[ReadRole, ...]:
    """The roles, where one is declared the subject nobody who only serves taken for one for what they do not know."""
    if not any(each.declared and each.role.kind == "subject" for each in found):
        return found
    beside = [
        each.role.kind == "subject" and not each.declared and bool(_SERVES.match(each.role.task)) for each in found
    ]
    return tuple(
        replace(each, role=each.role.model_copy(update={"kind": each.besides})) if serves else each
        for each, serves in zip(found, beside, strict=True)
    )


def with_the_missing_kind(found: tuple[ReadRole, ...]) -> tuple[ReadRole, ...]:
    """The roles, the only one of no known kind taken for the subject that is missing, or for the third of three."""
    unknown = [each for each in found if each.role.kind == "other"]
    missing = [kind for kind in NOUNS if all(each.role.kind != kind for each in found)]
    if len(unknown) != 1 or not missing or len(found) < 2:
        return found
    if "subject" not in missing and (len(found) != 3 or len(missing) != 1):
        return found
    given = replace(unknown[0], role=unknown[0].role.model_copy(update={"kind": missing[0]}))
    return tuple(given if each is unknown[0] else each for each in found)
