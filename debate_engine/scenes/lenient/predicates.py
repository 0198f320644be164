"""Finds in a rule's sentence who is spoken to: predicate by predicate, and how directly in each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from debate_engine.scenes.lenient.clauses import Clause, joined_after
from debate_engine.scenes.lenient.mentions import Mention
from debate_engine.scenes.lenient.told_of import only_told_of
from debate_engine.scenes.lenient.vocabulary import any_case, before_somebody, one_of, third_person

DIRECTLY = 3
"""The greatest rank of those who are spoken to directly."""
TOLD_OF = 8
"""The rank of those who are only told of."""

_SMALL = any_case(
    r"\b",
    one_of(
        r"""
        the a an both each then also again now once more first next further back out all either will can may should must
        would privately directly please every \w+ly
        """
    ),
    r"\b|[,()\[\]{}<>]",
)
_PREPOSITION = any_case(
    r"\b(?P<word>",
    one_of(
        "to towards? with for from by of about on in at as between than that whether if how why what which where when "
        "against regarding"
    ),
    r")\s+(?:(?:both|the|each|all|either)\s+)*[(\[{<]?$",
)
_NOT_TO = any_case(
    r"\b",
    one_of(r"according similar compared relative due related prior response reaction addition opposed belong\w*"),
    r"\s+to\s+",
)
_NOT_WITH = any_case(
    r"\b", one_of("discussion interaction conversation exchange debate negotiation meeting chat talk"), r"s?\s+with\s+"
)
_TARGETS = before_somebody(
    r"\b(?:target(?:ing|s)|address(?:ing|es)|persuad\w+|convinc\w+|aimed at|directed at|ask\w*|tell\w*|engag\w+"
    r"|in front of)"
)
_ADVERBS = r"(?:(?:then|also|afterwards?|finally|now|next|again|later|in turn|\w+ly)\s+)*"
_FINITE = rf"{_ADVERBS}(?!(?:as|this|its|his|always|yes|perhaps)\b)(?P<verb>[a-z]{{2,}}s)\b"
_GOES_ON = re.compile(rf",\s+{_FINITE}")
"""Where the sentence goes on behind an insertion: `Ada, after a look at Ben, tells …`."""
_NEXT_VERB = re.compile(
    rf"(?:,?\s+(?:and|but)(?P<then>\s+then)?|(?P<only>,?\s+then)|[,;])\s+{_FINITE}\s+(?P<next>[\w“\"]+)"
)
_AFTER_A_NOUN = re.compile(r"(?:to|with|on|about|from|for|of|in|at|and|or|that|as|by|are|is)$", re.IGNORECASE)
_SAYS = re.compile(
    third_person(
        """
        ask tell inform urge give send submit repl respond advise turn explain invite encourage remind warn thank share
        present announce speak talk say write describe propose suggest recommend instruct prompt listen agree disagree
        whisper read hand pass communicate convey appeal point reveal confide return reach provide reassure assure notif
        persuade
        """
    )
    + "$"
)
"""Verbs that may have a preposition behind them; other words like them are more likely plural nouns."""
_SAYS_TO = re.compile(
    third_person(
        """
        report answer request question challenge offer show call press motivate pressure convince compliment praise
        order direct guide brief update greet welcome congratulate correct contradict confront nudge push tempt beg
        message contact address nod wave concede admit demonstrate cop
        """
    )
    + "$"
)
"""More verbs of speaking to somebody."""
_HEARS = re.compile(
    third_person(
        """
        listen ignore obey quote cite observe watch hear follow await notice overhear consult review read consider side
        interrupt trust believe agree disagree wait look nod smile mention imitate cop
        """
    )
    + "$"
)
"""Verbs after which somebody is named without being told anything."""
_BRINGS = re.compile(third_person("introduce present describe recommend mention compare praise liken") + "$")
"""Verbs of speaking about one to another: `introduces Ada to Ben`."""


@dataclass(frozen=True)
class Spoken:
    """People named together after the speaker: how directly they are spoken to (`rank`, 0 the verb's own object, 7 the
    owner of something, 8 who is only told of), in which predicate (`part`, from 0; -1 for an insertion behind the
    speaker), by which `verb`.
    """

    mentions: tuple[Mention, ...]
    rank: int
    part: int = 0
    verb: str = ""

    @property
    def hears(self) -> bool:
        """Tell whether they are only listened to or spoken of."""
        return bool(_HEARS.match(self.verb))


def spoken_to(clause: Clause) -> list[Spoken]:
    """All who are named after the speaker, in order, people joined by `and` together."""
    begins = _parts(clause)
    found: list[Spoken] = []
    for group in joined_after(clause):
        part = sum(begin <= group[0].start for begin in begins) - 1
        begin = begins[part] if part >= 0 else clause.start
        verb = re.match(rf"\W*{_FINITE}", clause.text[begin:])
        between = clause.text[begin : group[0].start]
        rank = _rank(between, group[0])
        first = all(each.part != part for each in found)
        if rank > DIRECTLY and only_told_of(between, group[0].possessive, clause.text[group[-1].end :], first):
            rank = TOLD_OF
        does = verb["verb"] if verb else ""
        if part > 0 and not any(known.match(does) for known in (_SAYS, _SAYS_TO, _HEARS)):
            rank = max(rank, DIRECTLY + 1)
        found.append(Spoken(group, rank, part, does))
    return _brought(clause.text, found)


def _parts(clause: Clause) -> list[int]:
    """Where each predicate begins: the first behind the speaker and what is inserted there."""
    text, start = clause.text, clause.start
    if clause.speaks and re.match(r"\s*,", text[start:]) and (on := _GOES_ON.search(text, start + 1)):
        start = on.start("verb")
    later = (
        found.start("verb")
        for found in _NEXT_VERB.finditer(text, start)
        if found["then"] or found["only"] or _SAYS.match(found["verb"]) or not _AFTER_A_NOUN.match(found["next"])
    )
    return [start, *later]


def _brought(text: str, found: Sequence[Spoken]) -> list[Spoken]:
    """The same, whoever is introduced to another set behind that one."""
    told: list[Spoken] = []
    for each, after in zip_longest(found, found[1:]):
        between = text[each.mentions[-1].end : after.mentions[0].start] if after else ""
        to = bool(re.fullmatch(r"(?:\s+as(?:\s+[\w-]+){1,4})?\s+to\s+(?:the\s+)?", between))
        brought = to and each.rank in (0, 4) and _BRINGS.match(each.verb)
        told.append(replace(each, rank=6) if brought else each)
    return told


def _rank(between: str, mention: Mention) -> int:
    """How directly somebody is spoken to, from the words between the verb's place and the mention."""
    if mention.possessive:
        return 7
    words = _SMALL.sub(" ", between).split()
    if (
        len(words) == 1
        or (len(words) == 3 and words[1] in ("and", "to", "by", "or"))
        or words[1:] in (["for"], ["upon"])
    ):
        return 0 if words[-1] not in ("of", "about", "by", "from") else 6
    if found := _PREPOSITION.search(between):
        word = found["word"].lower()
        if _TARGETS.search(between):
            return 3
        if word in ("to", "toward", "towards"):
            return 4 if _NOT_TO.search(between[-30:]) else 1
        if word == "with":
            return 5 if _NOT_WITH.search(between[-40:]) else 2
        return 5 if word == "for" else 6
    return 3 if _TARGETS.search(between) else 4
