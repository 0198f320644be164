"""Finds in a rule's sentence who speaks: past what is said first about time and circumstance, before the verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from debate_engine.scenes.lenient.mentions import Cast, Mention
from debate_engine.scenes.lenient.vocabulary import before_somebody

_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)\s+(?=[A-Z\"“(])"
)
_LEADING = re.compile(
    r"^(?:after|before|following|once|when|whenever|while|as|if|in|on|at|during|upon|with|without|having|since|because|to|by"
    r"|throughout|based|given|depending|using|through|for|from|under|over|until|unless|despite|later|next|then|finally|\w+ing"
    r"|\w+ly|\w+ed|told|shown|given|sent|instead|rather|contrary|thanks|unlike|like|besides|first|second|third|lastly"
    r"|meanwhile|afterwards?|subsequently|now|again|should|had|were|where(?:ver)?|which(?:ever)?|what(?:ever)?|who(?:m?ever)"
    r"|however|whether|even|only|no matter|regardless|irrespective|(?:al)?though|together)\b",
    re.IGNORECASE,
)
_BEFORE_SUBJECT = re.compile(
    r"(?:\s|[,(\"“\[{<]|\(\w+\)|\b(?:the|a|an|each|both|two(?: of)?|(?:pair|couple) of"
    r"|then|next|finally|also|again|now|first|second|third|meanwhile|later|here|only|our|so|and"
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
_DONE_BY = before_somebody(
    r"\b(?:is|are|was|were|be|been|being|gets?)\s+(?:(?:then|also|now|\w+ly)\s+)?(?:\w{2,}(?:ed|en|wn)|told|sent|made|read|put|brought"
    r"|led|held|said|paid|sold|set|kept)"
    r"(?:\s+(?!to\b|for\b)[\w-]+)?\s+by"
)
"""`A last answer is given by`: who stands behind it speaks."""
_BY = before_somebody(r"\b(?:by|from)")


_TASK = "task|job|goal|role|aim|turn|duty|objective|part|assignment|mission|responsibility"
_DUTY = re.compile(
    rf"^(?:(?:it is|it's|then|now|next)\s+)*(?:(?P<whose>[^.,;:’']{{1,60}}?)(?:[’']s|(?<=s)[’'])\s+(?:{_TASK})"
    rf"|the\s+(?:{_TASK})\s+(?:of|for)\s+(?P<of>[^.,;:]{{1,60}}?))"
    r"\s+(?:here\s+|now\s+|then\s+)?(?:(?:is|was|will be)\s+)?(?:now\s+|then\s+)?to\s+(?=[a-z])",
    re.IGNORECASE,
)
"""`Ben's task is to tell Ada …`, `it is Ben's turn to …`: Ben is who does it."""
_ADVICE = "advice|message|suggestion|question|answer|reply|request|offer|remark|hint|warning|proposal|order|instruction"
_WORD_TO = re.compile(
    rf"^(?P<who>[^.,;:’']{{1,60}}?)(?:[’']s|(?<=s)[’'])\s+(?:\w+\s+)?(?:{_ADVICE})\s+(?:to|for)\s+(?P<whom>[^.,;:]{{1,60}}?)"
    r"(?:\s+(?:is|will be|reads)\b|:)\s*",
    re.IGNORECASE,
)
"""`Ben's advice to Ada is to …`: Ben tells Ada."""
_VERB = re.compile(
    r"[)\]}>]?\s+(?:(?:then|also|now|again|\w+ly)\s+)?(?!(?:as|this|its|his|always|is|was|has|does)\b)[a-z]{2,}s\b"
)
_GOVERNED = re.compile(
    r"\b(?:to|with|for|by|of|from|on|about|that|which|who|what|how|why|when|while|after|before|if|as|once|because|since"
    r"|until|than|between|into|at|in|let|have)\s+(?:(?:the|a|an)\s+)?$|,",
    re.IGNORECASE,
)
"""What keeps somebody who is named behind it from being who speaks."""
_SUBORDINATE = re.compile(
    r"\s*(?:when|while|as|if|since|because|until|unless|after|before|once|should|had|were|where(?:ver)?|whichever|whatever|whether|even|only"
    r"|(?:al)?though|no matter|regardless)\b",
    re.IGNORECASE,
)
_MOST = 40
"""More mentions than any rule's sentence has: behind them nobody is looked for."""


_IF = r"(?:only\s+|even\s+)?(?:if|when|whenever|once|after|unless|in case|should|as soon as|where|provided|assuming)\b"
_IN_BRACKETS = re.compile(rf"^[(\[]\s*({_IF}[^()\[\]]{{3,120}}?)\s*[:.,]?\s*[)\]]\s*[:,–-]?\s*", re.IGNORECASE)
_BEFORE_COLON = re.compile(rf"^({_IF}[^,:;.\"]{{3,100}}?)\s*:\s+", re.IGNORECASE)
_BEFORE_ARROW = re.compile(r"^((?:the\s+)?\w+\s+[a-z]{2,}s\s[^:;,.→>]{2,80}?)\s*(?:→|⇒|->|=>)\s*")


@dataclass(frozen=True)
class Clause:
    """A rule's main sentence: who speaks (several mentions where several do), and who is named after them.

    `before` are those of the circumstances told first. `speaks` is false where a sentence has nobody in its subject's
    place, and `passive` true where what stands there is spoken to. `called` are those whom a speech calls by name.
    """

    text: str
    speakers: tuple[Mention, ...] = ()
    after: tuple[Mention, ...] = ()
    before: tuple[Mention, ...] = ()
    speaks: bool = True
    passive: bool = False
    called: tuple[Mention, ...] = ()

    @property
    def start(self) -> int:
        """Where the predicate begins."""
        return self.speakers[-1].end if self.speakers else 0


def clause_of(content: str, cast: Cast) -> Clause:
    """The first sentence that names somebody, taken apart."""
    content = _with_a_comma(content)
    for sentence in _SENTENCE.split(content):
        if cast.mentions(sentence):
            told = _WORD_TO.sub(lambda word: f"{word['who']} tells {word['whom']} ", sentence)
            return _clause(_DUTY.sub(lambda duty: f"{duty['whose'] or duty['of']} ", told), cast)
    return Clause(content, speaks=False)


def _with_a_comma(content: str) -> str:
    """The content, a condition that stands in brackets, before a colon or before an arrow set before a comma."""
    if found := _IN_BRACKETS.match(content) or _BEFORE_COLON.match(content):
        return f"{found[1]}, {content[found.end() :]}"
    if (found := _BEFORE_ARROW.match(content)) and not _LEADING.match(content):
        return f"If {found[1]}, {content[found.end() :]}"
    return content


def _clause(sentence: str, cast: Cast) -> Clause:
    mentions = cast.mentions(sentence)[:_MOST]
    begin = _main_begins(sentence, mentions)
    before = tuple(mention for mention in mentions if mention.start < begin)
    main = [mention for mention in mentions if mention.start >= begin]
    first = main[0]
    lead = sentence[begin : first.start]
    speaks = not first.possessive and bool(
        _BEFORE_SUBJECT.fullmatch(lead) or _DONE_BY.search(lead) or _does(sentence, lead, main)
    )
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
    commas = [found.end() for found in re.finditer(r",\s+", sentence if leading else sentence[: mentions[0].start])]
    begins = [comma for comma in commas if _opens(mentions, sentence, comma)]
    if begins and (leading or _VERB.match(sentence, mentions[0].end)):
        return begins[_listed(mentions, sentence, begins)]
    if leading and not commas and len(mentions) > 1 and _GOVERNED.search(sentence[: mentions[0].start]):
        beside = sentence[mentions[0].end : mentions[1].start].strip() in ("", "the")
        if beside and not mentions[0].possessive and _VERB.match(sentence, mentions[1].end):
            return mentions[1].start
    if not commas and _SUBORDINATE.match(sentence):
        acting = [mention.start for mention in mentions[1:] if _VERB.match(sentence, mention.end)]
        return next((at for at in acting if not _GOVERNED.search(sentence[:at])), 0)
    return 0


def _listed(mentions: Sequence[Mention], sentence: str, begins: Sequence[int]) -> int:
    """Which of the commas the main clause stands behind: behind a list (`To Ada, Ben, and Dan, Cleo says`) the last."""
    if not re.match(r"(?:to|for|with)\s+(?:the\s+)?$", sentence[: mentions[0].start], re.IGNORECASE):
        return 0
    group = _joined(sentence, mentions)
    return max(sum(begin <= group[-1].start for begin in begins) - 1, 0)


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


def joined_before(clause: Clause) -> bool:
    """Tell whether all who are named before the speaker are named together."""
    return bool(clause.before) and len(_joined(clause.text, clause.before, _JOINED_AFTER)) == len(clause.before)


def doer(clause: Clause) -> Mention | None:
    """Who does it in a passive sentence: the first one behind `by` or `from`, near the verb."""
    for mention in clause.after:
        between = clause.text[clause.start : mention.start]
        if _BY.search(between) and len(between.split()) <= 8 and not re.search(r"\bto\b|,", between):
            return mention
    return None
