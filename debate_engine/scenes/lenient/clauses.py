"""Finds in a rule's sentence who speaks: past what is said first about time and circumstance, before the verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from debate_engine.scenes.lenient.mentions import Cast, Mention

_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)\s+(?=[A-Z\"“(])"
)
_LEADING = re.compile(
    r"^(?:after|before|following|once|when|whenever|while|as|if|in|on|at|during|upon|with|without|having|since|because|to|by"
    r"|throughout|based|given|depending|using|through|for|from|under|over|until|unless|despite|later|next|then|finally|\w+ing"
    r"|\w+ly|first|second|third|lastly|meanwhile|afterwards?|subsequently|now|again)\b",
    re.IGNORECASE,
)
_BEFORE_SUBJECT = re.compile(
    r"(?:\s|[,(\"“]|\b(?:the|a|an|each|both|then|next|finally|also|again|now|first|second|third|meanwhile|later|here|only|our|so|and"
    r"|dr\.?|mr\.?|ms\.?|mrs\.?|miss|prof\.?|professor|once more|at last|in turn|as before|\w+ly)\b)*",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,|and|&|or|/|as well as|along with|together with|,\s*and)\s*(?:the\s+|both\s+)?", re.IGNORECASE
)
_PASSIVE = re.compile(
    r"\s*(?:,[^,]*,)?\s*(?:is|are|was|were|gets?|will be|being|has been|have been|is being|should be|must be)\s+"
    r"(?:(?:then|also|now|\w+ly)\s+)?"
    r"(?:asked|told|given|sent|shown|\w{3,}ed)\b",
    re.IGNORECASE,
)
_RECEIVES = re.compile(r"\s+(?:\w+ly\s+|then\s+)?(?:receives?|gets?|hears?|learns?)\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|from)\s+(?:the\s+)?$", re.IGNORECASE)


_TASK = "task|job|goal|role|aim|turn|duty|objective|part|assignment|mission|responsibility"
_DUTY = re.compile(
    rf"^(?:(?:it is|it's|then|now|next)\s+)*(?:(?P<whose>[^.,;:’']{{1,60}}?)(?:[’']s|(?<=s)[’'])\s+(?:{_TASK})"
    rf"|the\s+(?:{_TASK})\s+(?:of|for)\s+(?P<of>[^.,;:]{{1,60}}?))"
    r"\s+(?:here\s+|now\s+|then\s+)?(?:(?:is|was|will be)\s+)?(?:now\s+|then\s+)?to\s+(?=[a-z])",
    re.IGNORECASE,
)
"""`Ben's task is to tell Ada …`, `it is Ben's turn to …`: Ben is who does it."""
_MOST = 40
"""More mentions than any rule's sentence has: behind them nobody is looked for."""


@dataclass(frozen=True)
class Clause:
    """A rule's main sentence: who speaks (several mentions where several do), and who is named after them.

    `before` are those of the circumstances told first. `speaks` is false where a sentence has nobody in its subject's
    place, and `passive` true where what stands there is spoken to.
    """

    text: str
    speakers: tuple[Mention, ...] = ()
    after: tuple[Mention, ...] = ()
    before: tuple[Mention, ...] = ()
    speaks: bool = True
    passive: bool = False

    @property
    def start(self) -> int:
        """Where the predicate begins."""
        return self.speakers[-1].end if self.speakers else 0


def clause_of(content: str, cast: Cast) -> Clause:
    """The first sentence that names somebody, taken apart."""
    for sentence in _SENTENCE.split(content):
        if cast.mentions(sentence):
            return _clause(_DUTY.sub(lambda duty: f"{duty['whose'] or duty['of']} ", sentence), cast)
    return Clause(content, speaks=False)


def _clause(sentence: str, cast: Cast) -> Clause:
    mentions = cast.mentions(sentence)[:_MOST]
    begin = _main_begins(sentence, mentions)
    before = tuple(mention for mention in mentions if mention.start < begin)
    main = [mention for mention in mentions if mention.start >= begin]
    first = main[0]
    lead = sentence[begin : first.start]
    speaks = bool(_BEFORE_SUBJECT.fullmatch(lead)) and not first.possessive
    speakers = _joined(sentence, main)
    rest = tuple(main[len(speakers) :])
    passive = speaks and bool(_PASSIVE.match(sentence, speakers[-1].end))
    clause = Clause(sentence, speakers, rest, before, speaks, passive)
    received = speaks and bool(_RECEIVES.match(sentence, speakers[-1].end)) and doer(clause) is not None
    return replace(clause, passive=True) if received else clause


def _main_begins(sentence: str, mentions: Sequence[Mention]) -> int:
    """Where the main clause begins: behind the comma of what is told first, if somebody stands there."""
    if not _LEADING.match(sentence) or _opens(mentions, sentence, 0):
        return 0
    for comma in re.finditer(r",\s+", sentence):
        if _opens(mentions, sentence, comma.end()):
            return comma.end()
    return 0


def _opens(mentions: Sequence[Mention], sentence: str, at: int) -> bool:
    """Tell whether somebody stands first from there on."""
    later = next((mention for mention in mentions if mention.start >= at), None)
    return bool(later and not later.possessive and _BEFORE_SUBJECT.fullmatch(sentence[at : later.start]))


def _joined(sentence: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The first mention and those joined to it by commas and `and`."""
    group = [mentions[0]]
    for mention in mentions[1:]:
        if mention.possessive or not _JOINED.fullmatch(sentence[group[-1].end : mention.start]):
            break
        group.append(mention)
    return tuple(group)


def joined_after(clause: Clause) -> list[tuple[Mention, ...]]:
    """Those named after the speaker, each with those joined to it."""
    groups: list[tuple[Mention, ...]] = []
    later = clause.after
    while later:
        groups.append((later[0],) if later[0].possessive else _joined(clause.text, later))
        later = later[len(groups[-1]) :]
    return groups


def doer(clause: Clause) -> Mention | None:
    """Who does it in a passive sentence: the first one behind `by` or `from`, near the verb."""
    for mention in clause.after:
        between = clause.text[clause.start : mention.start]
        if _BY.search(between) and len(between.split()) <= 8 and not re.search(r"\bto\b|,", between):
            return mention
    return None
