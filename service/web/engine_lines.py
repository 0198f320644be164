"""What the engine says of a session, line by line, in the words of a page: before it begins, to whoever is asked, of
scores, of the end.

Programs, files and the terminal have it as it was said.

A line is known by its form; what has no form here, such as whatever a person or a model has written, is left as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from elenchus.service.web.findings import numbers

if TYPE_CHECKING:
    from elenchus.service.web.strings import Words

FORMS: dict[str, re.Pattern[str]] = {
    name: re.compile(form)
    for name, form in {
        "motion": r"The motion: (?P<motion>.+)",
        "question": r"The question: (?P<motion>.+)",
        "proponent": r"You are the proponent: you argue for the motion\.",
        "opponent": r"You are the opponent: you argue against the motion\.",
        "claim-proponent": r"You are the proponent: you argue for the claim that stands for this question in the "
        r"debate\.",
        "claim-opponent": r"You are the opponent: you argue against the claim that stands for this question in "
        r"the debate\.",
        "defends": r"You hold the answer that is shown below as yours, and defend it\.",
        "has-none": r"You gave no answer that could be read\. Argue for the answer that you find best "
        r"supported\.",
        "conceded": r"You have conceded: your opponent's answer is better than the one that you gave at "
        r"first\. You hold it now, take over the reasons for it, and defend your first answer "
        r"no longer\.",
        "has-won": r"You hold the answer that is shown below as yours\. Your opponent has conceded and "
        r"holds it too\.",
        "agrees": r"You and your opponent now give the same answer\. You hold it together\.",
        "opening": r'This is your opening speech: argue your side, about (?P<words>\d+) words on each '
        r'topic\. Put a line such as "# 1" before the part on a topic, or leave these lines '
        r'out and speak of all at once\. Say where your facts come from, and where you are '
        r'unsure\.',
        "rebuttal": r"This is your rebuttal: answer your opponent's last speech, strongest points first, "
        r"about (?P<words>\d+) words on each topic\. Put a line such as \x22# 1\x22 before "
        r"the part on a topic, or leave these lines out and speak of all at once\. Say where "
        r"your facts come from, and which of your opponent's you doubt\.",
        "closing": r'This is your closing speech: what the debate has shown, and what you grant to the '
        r'other side, about (?P<words>\d+) words on each topic\. Put a line such as "# 1" '
        r'before the part on a topic, or leave these lines out and speak of all at once\. '
        r'Bring no new evidence\.',
        "anything-more": r"Have you anything new to say, an argument or an answer to your opponent\?",
        "approve": r"Which topics are to be debated, and in which order\? Give their numbers\.",
        "claim": r"The motion is put as a question\. Put it as one declarative sentence that somebody "
        r"can argue for or against, and add nothing to it\.",
        "draft-proposal": r"The debate is over\. For each topic write one or two sentences that both sides "
        r"could sign: steps, or safeguards\.",
        "draft-recommendation": r"The debate is over\. Write one recommendation that both of you could sign: the best "
        r"answer, what to ask and to test next, and what doubts remain\.",
        "merge": r"Make one fair agenda of the two lists: exactly (?P<count>\d+) topics?, with "
        r"concerns from both\.",
        "open-answer": r"Your answer in a few words, your reasons, what you would ask or test to be surer, "
        r"and how sure you are in percent\.",
        "position": r"Do you keep your answer, do both of you now give the same one, or is your "
        r"opponent's better\? Which answer do you hold now, and have you anything new to say\?",
        "propose": r"Name (?P<count>\d+) topics to debate\. Each sets a concern of those who are for the "
        r"motion against a concern of those who are against it, a few words each, and a "
        r"sentence says what belongs to it\.",
        "refine": r"Now that you have seen the other side's topics: your list of (?P<count>\d+) once "
        r"more\. Join what overlaps, take over what is good, and drop what one side could say "
        r"little about\.",
        "review-agenda": r"Is each topic of the agenda fair, and could you speak about it\? Agree, or give "
        r"your own wording\.",
        "review-proposal": r"The debate is over\. Can your side sign the joint proposal on each topic\? If not, "
        r"write what it would sign\. You can do so only this once\.",
        "review-recommendation": r"The debate is over\. Can you sign the joint recommendation\? If not, write the "
        r"whole of what you would sign\.",
        "heat": r"Contentiousness is (?P<heat>[\d.]+) on a scale from 0 \(complete agreement\) to 1 "
        r"\(devil's advocate\)\.",
        "ruling": r"How well did side A and side B argue on this topic\? First your reasons, .+? to 10 "
        r"\([^)]+\): (?P<criteria>.+)\. Then who argued better: A, B or a tie\.",
        "preference": r"Which text informs a reader better about this topic\? Neither length nor which text "
        r"is shown first counts\. First your reasons, .+? to 10 \([^)]+\): (?P<criteria>.+)\. "
        r"Then which .+",
        "verdict": r"(?P<a>The side (?:for|against) the motion|The answer of (?:pro|con)|the side "
        r"(?:for|against) the motion|the answer of (?:pro|con)) (?P<b>wins|is ahead.*)",
        "rulings": r"(?P<count>\d+) of (?P<most>\d+) rulings",
        "gamma": r"gamma (?P<gamma>\S+?)(?P<moved> \([+−][\d.]+\))?, standing (?P<standing>[\d.–]+), "
        r"(?P<count>\d+) reasons(?P<unreadable>, \d+ unreadable)?(?P<topics>; gamma by topic "
        r".+)?",
        "unreadable": r", (?P<count>\d+) unreadable",
        "by-topic": r"; gamma by topic (?P<list>(?:\d+: \S+(?:, )?)+?)(?P<rest>(?:, )?none: \S+)?",
        "no-topic": r"(?P<comma>, )?none: (?P<gamma>\S+)",
        "score-even": r"gamma (?P<gamma>\S+), standing (?P<standing>\S+) \(1–10; a standing of 5\.5 is "
        r"even\)",
        "score": r"gamma (?P<gamma>\S+), standing (?P<standing>\S+)",
        "ended": r"(?P<count>\d+) rounds?: (?P<why>.+)",
        "rounds-over": r"the rounds are over: (?P<why>.+)",
        "floor": r"contentiousness reached the floor of (?P<floor>\S+)",
        "limit": r"the limit of (?P<count>\d+) rounds? was reached",
        "weakest": r"crit → moderator: (?P<side>pro|con)'s weakest reason \(validity (?P<gamma>\S+), "
        r"source (?P<theta>\S+)\): (?P<reason>.+)",
        "by-majority": r"by majority (?P<side>.+?), by points (?P<other>.+?) \((?P<points>.+)\)",
        "swapped": r"swapping the roles moved the margin by (?P<points>\S+) points on average",
        "read": r"(?P<count>\d+) of (?P<most>\d+) read",
        "signed": r"(?P<number>\d+)\. (?P<title>.+) \(signed by (?P<who>[\w, -]+)\): (?P<text>.+)",
        "unsaid": r"(?P<reason>.+) \(left unsaid\)",
        "consulted": r"consulted: (?P<name>.+), its claim stands at (?P<standing>\S+), credibility "
        r"(?P<theta>\S+)",
        "unscored": r"(?P<count>\d+) reasons could not be scored; they count for nothing",
        "small-judges": r"very small models scored and judged \((?P<who>.+)\): their numbers show the form, "
        r"and say nothing of the arguments",
        "not-counted": r"(?P<judge>\S+) could not be counted: (?P<why>.+)",
        "short-who": r"The motion was “(?P<motion>.+)”\. (?P<pro>.+) argued for it; (?P<con>.+) argued "
        r"against it\.",
        "short-question": r"Two sides each answered the question “(?P<motion>.+)” and defended their answer: "
        r"(?P<pro>.+), and (?P<con>.+)\.",
        "player": r"(?P<who>.+) \((?P<kind>a script|a person|the weak embedded model \S+)\)",
        "quoted": r"“(?P<side>pro|con)”",
        "weak": r"the weak embedded model (?P<name>\S+)",
        "short-topics": r"They debated (?P<count>\d+) topics?: (?P<titles>.+)\.",
        "short-heat": r"They began at a heat of (?P<heat>[\d.]+), where 0 is full agreement and 1 is "
        r"devil's advocate, and closed at (?P<last>\S+) after (?P<count>\d+) rounds? of "
        r"refutation(?P<because>; the rounds ended because .+)?\.",
        "because": r"; the rounds ended because (?P<why>.+)",
        "short-heat-now": r"They began at a heat of (?P<heat>[\d.]+), where 0 is full agreement and 1 is "
        r"devil's advocate; (?P<count>\d+) rounds? of refutation so far, now at (?P<last>\S+)\.",
        "short-quality": r"A model scored the quality of all arguments so far from 1 to 10 \(CRIT\): "
        r"(?P<course>.+?)\.(?P<stands> With the reasons against counted as well, .+)?",
        "after-round": r"(?P<gamma>\S+) after round (?P<count>\d+)",
        "after-closings": r"(?P<gamma>\S+) after the closings",
        "stands": r" With the reasons against counted as well, the claim stands at (?P<standing>[\d.]+) of 10 "
        r"\((?P<lean>.+)\)\.",
        "short-verdict": r"(?P<count>\d+) judges? read every topic twice, once with each side claiming"
        r"(?P<seen>: .+?)?\. The judges' verdict: (?P<verdict>.+?)(?P<points> \(\S+ points .+?\))?\."
        r"(?P<unread> \d+ judges? could not be read .+?\.)?(?P<turned> Changing who claims .+)?",
        "votes": r": (?P<votes>.+)",
        "it-saw": r"it saw (?P<what>.+)",
        "all-saw": r"(?:both|all) saw (?P<what>.+)",
        "some-saw": r"(?P<count>\d+) saw (?P<what>.+)",
        "points": r" \((?P<a>\S+) points for(?: pro)?, (?P<b>\S+) (?:against|for con)\)",
        "unread": r" (?P<count>\d+) judges? could not be read and counts? in no sum\.",
        "turned": r" Changing who claims turned (?P<count>\d+) of (?P<most>\d+) named winners\.",
        "short-signed": r"At the end both sides signed a joint proposal on (?P<both>\d+) of (?P<count>\d+) "
        r"topics?\.",
        "short-unsigned": r"At the end both sides signed a joint proposal on no topic\.",
        "short-no-proposal": r"There is no joint proposal: (?P<why>.+)\.",
        "no-draft": r"no draft could be read: (?P<why>.+)",
        "short-open": r"The question ended (?P<how>.+?); the joint recommendation, signed by (?P<who>[\w -]+): "
        r"(?P<text>.+)\.",
        "both-sides": r"(?P<one>pro|con) and (?P<other>pro|con)",
        "signed-by": r"(?P<text>.+) \(signed by (?P<who>[\w -]+)\)",
        "ask-next": r"ask next: (?P<text>.+)",
        "test-next": r"test next: (?P<text>.+)",
        "reservations": r"reservations: (?P<text>.+)",
        "compared": r"better information: (?P<better>.+?) \((?P<points>.+)\); words: debate (?P<count>\d+), plain "
        r"answer (?P<most>\d+)",
        "no-plain": r"there is no plain answer: (?P<why>.+)",
        "short-compared": r"Asked which informs better, the debate or one model's plain answer, the judges said: "
        r"(?P<better>.+) \((?P<count>\d+) words of debate, (?P<most>\d+) of plain answer\)\.",
        "short-no-plain": r"The debate could not be compared with a plain answer: (?P<why>.+)\.",
        "short-sources": r"The debaters named (?P<count>\d+) sources?; nobody has checked them\.",
        "short-before": r"(?P<count>\d+) members? of the audience voted before the debate, none after it yet\.",
        "short-once": r"(?P<count>\d+) members? of the audience voted only once, so the room's vote is undecided\.",
        "short-swing": r"(?P<count>\d+) members? of the audience voted before and after: for (?P<pro>\S+) "
        r"votes?, against (?P<con>\S+) votes?; (?P<who>.+) won the room\.",
        "short-stood-in": r"A model stood in (?P<turns>for .+)\.",
        "stood-for": r"for (?P<name>.+) in (?P<count>\d+) turns?",
        "short-drafted": r"A model drafted (?P<count>\d+) forms? for people on seats, who sent (?P<most>\d+) of them "
        r"unchanged\.",
        "short-troubles": r"Not everything worked: (?P<troubles>.+)\.",
        "failed": r"(?P<count>\d+) failed calls?",
        "unusable": r"(?P<count>\d+) questions? without a usable answer",
        "unscorable": r"(?P<count>\d+) reasons? without a readable score",
        "shortened": r"(?P<count>\d+) prompts? shortened to fit the model",
        "by-default": r"(?P<seats>.+): (?P<spec>\S+) \(default: (?P<why>.+)\)",
        "is-set": r"(?P<variable>[A-Z_]+) is set",
        "as-seat": r"as (?P<seat>\S+)",
        "only-model": r"the only model of (?P<name>\S+)",
        "first-model": r"the first of (?P<count>\d+) models of (?P<name>\S+)",
        "judges-itself": r"(?P<seats>.+?) judges? with a model that debates too: models tend to favour their own words",
        "judges-own": r"(?P<seats>.+): a person judges a debate in which they speak themselves",
        "toy": r"(?P<spec>\S+), a toy, sits on (?P<seats>.+) beside (?P<others>.+): name other models there, or one "
        r"for all seats that are not named, with .+",
    }.items()
}  # fmt: skip
"""The special before the general."""

_FIGURES = re.compile(r"[\d.,–−+/% ]+")
_WORDS_OF_OTHERS = frozenset({"motion", "reason", "title", "titles", "text", "name", "spec", "seat", "seats", "others"})
"""Parts of a line that somebody has written, or types: they are left as they are."""
_LISTS = frozenset({"course", "votes", "turns", "troubles"})
"""Parts of a line that list something."""


def lines_in_words(text: str, t: Words) -> str:
    """A text of the engine, each of its lines in the words of the page. Pure."""
    return text if t.language == "en" else "\n".join(line_in_words(line, t) for line in text.split("\n"))


def line_in_words(line: str, t: Words) -> str:
    """One line in the words of the page."""
    if (whole := t.of("labels", line)) != line or t.language == "en":
        return whole
    for name, form in FORMS.items():
        if found := form.fullmatch(line):
            parts = {part: _part(part, text or "", t) for part, text in found.groupdict().items()}
            return t(f"line.{name}", **parts)
    return numbers(line, t) if _FIGURES.fullmatch(line) else line


def _part(part: str, text: str, t: Words) -> str:
    if part in _WORDS_OF_OTHERS or not text:
        return text
    if part in _LISTS and len(listed := re.split(r", | and ", text)) > 1:
        return ", ".join(line_in_words(one, t) for one in listed)
    if part == "criteria":
        return "; ".join(line_in_words(one, t) for one in text.split("; "))
    told = line_in_words(text, t)
    return numbers(text, t) if told == text else told
