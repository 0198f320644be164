"""A class debate: two halves of a class give their side's speaker arguments, and upvote one another's. Pure.

Rules, by the order of the log:
1. Somebody belongs to the half that they took first, until they leave it.
2. An argument counts from who is in a half, up to `MOST_OF_ONE` of theirs, and where the half does not have it already.
3. An upvote counts from who is or was in the same half, for another's argument; each once, until it is taken back.
4. What was struck, or is forgotten, is shown to nobody and given to nobody.
5. Before a turn its speaker is given what has most upvotes, the older first; nothing twice.
6. An argument is credited in each speech of its side that holds its number in brackets, such as [17].

Upvotes are counted up to `MOST_PRESSED` presses of one person. Whatever else somebody appends is left out: that two
front ends do not know of each other changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.events import (
    Argued,
    ArgumentStruck,
    HalfLeft,
    HalfTaken,
    Recorded,
    Said,
    StepDone,
    Upvoted,
)
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.speech import SIDES, Side

LONGEST_ARGUMENT = 400
"""Characters."""
MOST_WAITING, MOST_OF_ONE, MOST_PRESSED = 3, 60, 300
"""Of one person: arguments that wait for a speaker, arguments in all, upvotes given and taken back. The first is for
front ends to see to: whether one was given on is not told by what people send alone, which is all that a debate goes
by.
"""

GIVEN = "argument"
"""What words are about in which a speaker is given an argument."""
_GIVEN_KEY = re.compile(r"(.+)/half/(pro|con)/(\d+)")
_WINDOW = re.compile(r"(.+)/half/(pro|con)/(opened|closed)")
_SPOKEN = re.compile(r"(.+)/(pro|con)/said")
_MARK = re.compile(r"\[#?(\d{1,9})\]")
_MARKS = re.compile(r"\[(#?\d{1,9}(?:\s*[,;]\s*#?\d{1,9})+)\]")


@dataclass(slots=True)
class HalfArgument:
    """An argument for `side`. `given` is the turn before which its speaker had it, "" before that; `used` are the turns
    whose speech names it.
    """

    number: int
    side: Side
    by: str
    text: str
    upvotes: set[str] = field(default_factory=set)
    struck: bool = False
    given: str = ""
    used: list[str] = field(default_factory=list)

    @property
    def there(self) -> bool:
        """Whether it is shown to its half."""
        return not self.struck and self.by != REDACTED

    @property
    def waits(self) -> bool:
        """Whether a speaker may still be given it."""
        return self.there and not self.given


@dataclass(slots=True)
class Halves:
    """Both halves. `sides` are of all who came, also those who have `left`; `windows` the turns before which arguments
    are awaited, with when that was begun; `spoken` their last ones.
    """

    sides: dict[str, Side] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    arguments: dict[int, HalfArgument] = field(default_factory=dict)
    windows: dict[Side, tuple[str, datetime]] = field(default_factory=dict)
    spoken: dict[Side, str] = field(default_factory=dict)
    pressed: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, events: Iterable[Recorded]) -> Halves:
        """As they stand by these events."""
        found = cls()
        for r in events:
            found.take(r)
        return found

    def take(self, r: Recorded) -> None:
        """Take in the next event, of any kind."""
        match r.event:
            case HalfTaken(by=by, side=side) if by != REDACTED:
                self.sides.setdefault(by, side)
            case HalfLeft(by=by):
                self.left.add(by)
            case Argued(by=by, text=text):
                self._argued(r.seq, by, text)
            case Upvoted(by=by, argument=number, up=up):
                self._upvoted(by, number, up=up)
            case ArgumentStruck(argument=number) if number in self.arguments:
                self.arguments[number].struck = True
            case Said(step=step, about=about, speaker=speaker, text=text):
                self._said(step, about, speaker, text)
            case StepDone(step=step, result=result) if known := _WINDOW.fullmatch(step):
                of: Side = "pro" if known[2] == "pro" else "con"
                self.windows.pop(of, None)
                if known[3] == "opened":
                    self.windows[of] = (known[1], datetime.fromisoformat(result))

    def _argued(self, seq: int, by: str, text: str) -> None:
        side = self.side_of(by)
        if side is not None and not self._unfit(by, side, text):
            self.arguments[seq] = HalfArgument(seq, side, by, text)

    def _upvoted(self, by: str, number: int, *, up: bool) -> None:
        found = self.arguments.get(number)
        self.pressed[by] += 1
        if found is None or found.by == by or self.sides.get(by) != found.side or self.pressed[by] > MOST_PRESSED:
            return
        if up:
            found.upvotes.add(by)
        else:
            found.upvotes.discard(by)

    def _said(self, step: str, about: str, speaker: str, text: str) -> None:
        if about == GIVEN and (known := _GIVEN_KEY.fullmatch(step)):
            if given := self.arguments.get(int(known[3])):
                given.given = known[1]
        elif (known := _SPOKEN.fullmatch(step)) and speaker in SIDES:
            self.spoken["pro" if speaker == "pro" else "con"] = known[1]
            for number in marked(text):
                used = self.arguments.get(number)
                if used and used.side == speaker and used.given and known[1] not in used.used:
                    used.used.append(known[1])

    # ── read from it ─────────────────────────────────────────────────────────────────────────────────────────────

    def side_of(self, by: str) -> Side | None:
        """The half that somebody is in now; None for nobody of the class, and who has left."""
        return None if by in self.left else self.sides.get(by)

    def there(self, side: Side) -> list[str]:
        """Who is in a half now."""
        return [by for by, of in self.sides.items() if of == side and by not in self.left]

    def smaller(self, by_lot: Side) -> Side:
        """The half that whoever comes now belongs to: the smaller one, `by_lot` of two that are alike."""
        pro, con = len(self.there("pro")), len(self.there("con"))
        return by_lot if pro == con else "pro" if pro < con else "con"

    def of_side(self, side: Side) -> list[HalfArgument]:
        """What a half is shown: most upvotes first, of as many the older one."""
        found = (one for one in self.arguments.values() if one.side == side and one.there)
        return sorted(found, key=lambda one: (-len(one.upvotes), one.number))

    def to_give(self, side: Side, most: int, known: Collection[int] = ()) -> list[HalfArgument]:
        """What its speaker is given next, who has the `known` ones."""
        return [one for one in self.of_side(side) if one.waits and one.number not in known][:most]

    def waiting_of(self, by: str) -> int:
        """How many arguments of somebody wait."""
        return sum(one.by == by and one.waits for one in self.arguments.values())

    def refused(self, by: str, text: str) -> str:
        """Why an argument is not taken, a sentence; "" where it is."""
        if (side := self.side_of(by)) is None:
            return "Only who is in a half of the class gives its speaker arguments."
        return self.full(by) or self._unfit(by, side, text)

    def full(self, by: str) -> str:
        """Why somebody may give no more now, a sentence; "" where they may."""
        if self.waiting_of(by) >= MOST_WAITING:
            return f"{MOST_WAITING} arguments of yours wait for the speaker: send more when one was given on."
        if sum(one.by == by for one in self.arguments.values()) >= MOST_OF_ONE:
            return f"You have given {MOST_OF_ONE} arguments: vote for those of others."
        return ""

    def _unfit(self, by: str, side: Side, text: str) -> str:
        if not text.strip() or len(text) > LONGEST_ARGUMENT:
            return f"An argument has up to {LONGEST_ARGUMENT} characters, and not none: say it shortly."
        if sum(one.by == by for one in self.arguments.values()) >= MOST_OF_ONE:
            return f"You have given {MOST_OF_ONE} arguments: vote for those of others."
        same = _plain(text)
        if any(_plain(one.text) == same for one in self.arguments.values() if one.side == side and one.there):
            return "Your half has this argument already: give it your vote."
        return ""

    def refused_vote(self, by: str, number: int) -> str:
        """Why an upvote does not count, a sentence; "" where it does. What others have is told to nobody."""
        found = self.arguments.get(number)
        if found is None or not found.there or self.side_of(by) != found.side:
            return "There is no such argument in your half (any more)."
        if self.pressed[by] >= MOST_PRESSED:
            return f"You have pressed {MOST_PRESSED} times: your votes stand as they are."
        return "Your own argument has your word already: vote for those of others." if found.by == by else ""


def marked(text: str) -> list[int]:
    """The numbers that stand in brackets in a speech, each once, in their order."""
    single = _MARKS.sub(lambda row: "".join(f"[{one.strip()}]" for one in re.split("[,;]", row[1])), text)
    return list(dict.fromkeys(int(number) for number in _MARK.findall(single)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
