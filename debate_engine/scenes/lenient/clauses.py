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
    r"|\w+ly|\w+ed|told|shown|given|sent|instead|rather|contrary|thanks|unlike|like|besides|first|second|third|lastly"
    r"|meanwhile|afterwards?|subsequently|now|again)\b",
    re.IGNORECASE,
)
_BEFORE_SUBJECT = re.compile(
    r"(?:\s|[,(\"“\[{<]|\(\w+\)|\b(?:the|a|an|each|both|then|next|finally|also|again|now|first|second|third|meanwhile|later|here|only|our|so|and"
    r"|dr\.?|mr\.?|ms\.?|mrs\.?|miss|prof\.?|professor|once more|at last|in turn|as before|\w+ly)\b)*",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:,|and|&|or|/|as well as|along with|together with|,\s*and)\s*(?:the\s+|both\s+)?", re.IGNORECASE
)
_JOINED_AFTER = re.compile(
    r"\s*(?:,|&|or|/|,?\s*(?:and|as well as|along with|together with|then)"
    r"(?:\s+(?:\w+wards?|then|also|later|next))?(?:\s+(?:to|with|for|from))?)\s*(?:the\s+|both\s+)?",
    re.IGNORECASE,
)
"""What may stand between two who are spoken to."""
_PASSIVE = re.compile(
    r"\s*(?:,[^,]*,)?\s*(?:is|are|was|were|gets?|will be|being|has been|have been|is being|should be|must be)\s+"
    r"(?:(?:then|also|now|\w+ly)\s+)?"
    r"(?:asked|told|given|sent|shown|\w{3,}ed)\b",
    re.IGNORECASE,
)
_RECEIVES = re.compile(r"\s+(?:\w+ly\s+|then\s+)?(?:receives?|gets?|hears?|learns?)\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|from)\s+(?:both\s+)?(?:the\s+)?$", re.IGNORECASE)


_TASK = "task|job|goal|role|aim|turn|duty|objective|part|assignment|mission|responsibility"
_DUTY = re.compile(
    rf"^(?:(?:it is|it's|then|now|next)\s+)*(?:(?P<whose>[^.,;:’']{{1,60}}?)(?:[’']s|(?<=s)[’'])\s+(?:{_TASK})"
    rf"|the\s+(?:{_TASK})\s+(?:of|for)\s+(?P<of>[^.,;:]{{1,60}}?))"
    r"\s+(?:here\s+|now\s+|then\s+)?(?:(?:is|was|will be)\s+)?(?:now\s+|then\s+)?to\s+(?=[a-z])",
    re.IGNORECASE,
)
"""`Ben's task is to tell Ada …`, `it is Ben's turn to …`: Ben is who does it."""
_VERB = re.compile(
    r"[)\]}>]?\s+(?:(?:then|also|now|again|\w+ly)\s+)?(?!(?:as|this|its|his|always|is|was|has|does)\b)[a-z]{2,}s\b"
)
_GOVERNED = re.compile(
    r"\b(?:to|with|for|by|of|from|on|about|that|which|who|what|how|why|when|while|after|before|if|as|once|because|since"
    r"|until|than|between|into|at|in|let|have)\s+(?:(?:the|a|an)\s+)?$|,",
    re.IGNORECASE,
)
"""What keeps somebody who is named behind it from being who speaks."""
_SUBORDINATE = re.compile(r"\s*(?:when|while|as|if|since|because|until|unless|after|before|once)\b", re.IGNORECASE)
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
    speaks = not first.possessive and (bool(_BEFORE_SUBJECT.fullmatch(lead)) or _does(sentence, lead, main))
    speakers = _joined(sentence, main)
    rest = tuple(main[len(speakers) :])
    passive = speaks and bool(_PASSIVE.match(sentence, speakers[-1].end))
    clause = Clause(sentence, speakers, rest, before, speaks, passive)
    return replace(clause, passive=True) if receives(clause) and doer(clause) is not None else clause


def receives(clause: Clause) -> bool:
    """Tell whether who stands first only gets or hears something (`gets Ada to choose` is none of it)."""
    verb = _RECEIVES.match(clause.text, clause.start) if clause.speaks and clause.speakers else None
    person = next((mention.start for mention in clause.after if not mention.possessive), -1)
    return verb is not None and clause.text[verb.end() : person].strip() not in ("", "the")


def _does(sentence: str, lead: str, main: Sequence[Mention]) -> bool:
    """Tell whether a verb of its own stands behind the first one named, though more than an article stands before."""
    acting = [mention for mention in main if not mention.possessive and _VERB.match(sentence, mention.end)]
    if not acting or acting[0] is not main[0] or len(lead.split()) > 5 or _GOVERNED.search(lead):
        return False
    return len(acting) == 1 or not _SUBORDINATE.match(lead)


def _main_begins(sentence: str, mentions: Sequence[Mention]) -> int:
    """Where the main clause begins: behind the comma of what is told first, if somebody stands there."""
    if _opens(mentions, sentence, 0):
        return 0
    leading = bool(_LEADING.match(sentence))
    for comma in re.finditer(r",\s+", sentence if leading else sentence[: mentions[0].start]):
        if _opens(mentions, sentence, comma.end()) and (leading or _VERB.match(sentence, mentions[0].end)):
            return comma.end()
    return 0


def _opens(mentions: Sequence[Mention], sentence: str, at: int) -> bool:
    """Tell whether somebody stands first from there on."""
    later = next((mention for mention in mentions if mention.start >= at), None)
    return bool(later and not later.possessive and _BEFORE_SUBJECT.fullmatch(sentence[at : later.start]))


def _joined(sentence: str, mentions: Sequence[Mention], by: re.Pattern[str] = _JOINED) -> tuple[Mention, ...]:
    """The first mention and those joined to it by commas and `and`."""
    group = [mentions[0]]
    for mention in mentions[1:]:
        if mention.possessive or not by.fullmatch(sentence[group[-1].end : mention.start]):
            break
        group.append(mention)
    return tuple(group)


def joined_after(clause: Clause) -> list[tuple[Mention, ...]]:
    """Those named after the speaker, each with those joined to it."""
    groups: list[tuple[Mention, ...]] = []
    later = clause.after
    while later:
        groups.append((later[0],) if later[0].possessive else _joined(clause.text, later, _JOINED_AFTER))
        later = later[len(groups[-1]) :]
    return groups


def doer(clause: Clause) -> Mention | None:
    """Who does it in a passive sentence: the first one behind `by` or `from`, near the verb."""
    for mention in clause.after:
        between = clause.text[clause.start : mention.start]
        if _BY.search(between) and len(between.split()) <= 8 and not re.search(r"\bto\b|,", between):
            return mention
    return None
