"""What a step's name says to a person: what the seat is doing, and what it means that nothing came of it."""

from __future__ import annotations

import re

_SAMPLE = r"(/topic/\d+/sample/\d+)?"
"""What follows in the key where a small model makes several samples of a text on one topic."""

_DOING: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"agenda/propose/", "proposes topics"),
        (r"agenda/refine/", "refines the topics"),
        (r"agenda/merge$", "merges both lists"),
        (r"agenda/review$", "reviews the agenda"),
        (r"agenda/approve$", "approves the agenda"),
        (r"(^|/)answer/(pro|con)$", "answers the question"),
        (rf"(^|/)opening/(pro|con){_SAMPLE}$", "opens"),
        (rf"(^|/)round/\d+/(pro|con){_SAMPLE}$", "refutes"),
        (rf"(^|/)closing/(pro|con){_SAMPLE}$", "closes"),
        (r"agenda/concerns/", "names concerns"),
        (r"^claim$", "puts the motion as a claim"),
        (r"round/\d+/done/", "says whether there is more to say"),
        (r"/reasons/(pro|con)/[^/]+$", "lists the reasons of a speech"),
        (r"/validate/.*score$|/score$", "weighs a reason"),
        (r"/analysis$", "explains the score"),
        (r"-claims/topic/\d+$", "rules on a topic"),
        (rf"conciliation/draft{_SAMPLE}$", "drafts the joint text"),
        (r"conciliation/review/", "signs or amends the joint text"),
        (r"plain-answer$", "answers without a debate"),
        (r"heat/[\d.]+/(pro|con)/\d+/speech$", "speaks"),
        (r"heat/[\d.]+/.*/(read|support)$", "reads a speech"),
        (r"-first/topic/\d+$", "compares debate and plain answer"),
        (r"/claim(/|$)", "looks for the claim"),
        (r"/unsaid(/|$)", "looks for what is left unsaid"),
        (r"/match/.*source$", "looks for the source of a reason"),
        (r"/credibility$", "weighs a source"),
        (r"/(reasons|rivals)(/|$)", "looks for reasons"),
        (r"^screen/", "looks for suspects"),
        (r"^check/", "checks a bias"),
        (r"^label/\d+$", "looks for the bias"),
        (r"-vs-.*/(introduction|argument|refutation|summary)/", "debates"),
        (r"-vs-.*/(analytical|intuitive|rational)/", "judges a debate"),
        (r"^talk/", "talks"),
        (r"(^|/)(choose|reason|conclude)$", "names the bias"),
        (r"^rule/.*/plan$", "thinks what to say"),
        (r"^rule/.*/answer/\d+$", "speaks"),
        (r"^rule/.*/check/\d+$", "compares words with the rule"),
        (r"^rule/.*/reflect$", "thinks about what was said"),
        (r"^rule/.*/memory/", "sums up what it remembers"),
        (r"^rule/.*/applies$", "says whether the rule applies"),
        (r"^unscripted/\d+/answer$", "answers a question that no rule foresees"),
        (r"^evaluation/subject/", "judges whether the bias is there"),
        (r"^(situation|cast|rules|debrief)$", "writes the scene"),
        (r"^mend$", "mends the scene"),
        (r"^twin$", "writes the neutral twin"),
    )
)


_AGAIN = "/again"
"""The end of a step's key where the seat is asked once more, with the fault of its first answer."""


def doing(step: str) -> str:
    """What a seat does in this step, as a verb after its name."""
    if step.endswith(_AGAIN):
        return f"{doing(step.removesuffix(_AGAIN))} once more"
    return next((words for pattern, words in _DOING if pattern.search(step)), f"works on {step}")


def unanswered(name: str, step: str, why: str) -> str:
    """A sentence on an answer that is lost: whose, to what, and why."""
    return f"{name} {doing(step)}: no answer that can be used ({why})"
