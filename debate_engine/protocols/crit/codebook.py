"""The columns of the table of scores that CRIT, judges and comparisons share, and what they mean."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import Column

COLUMNS = (
    Column("session", "the session's id", "text"),
    Column("simulated", "whether every model of the session was a script", "yes, no"),
    Column("source", "who gave the score", "crit, judge, comparison"),
    Column("stage", "crit: the stage that the score is about; a reason's row: the speech that gave the reason",
           "opening, round 1, round 2 …, closing", "judge, comparison; sums of a plain document"),
    Column("round", "the same as a number", "0 (opening), 1, 2 …", "the closings; judge, comparison"),
    Column("topic", "the topic's number on the agenda", "1 to 10; crit: 0 for reasons that belong to no topic",
           "a score of the whole debate"),
    Column("topic_title", "the topic's title, pro's concern first", "text",
           "topic is empty, 0 or not on the agenda"),
    Column("side", "whose words are scored", "pro, con; comparison: debate, plain answer",
           "argument_quality, claim_standing, noise, document_credibility, winner, preferred"),
    Column("judge", "the seat that scored", "crit, judge-1, judge-2 …"),
    Column("model", "the model on that seat, as it was asked for", "provider:model, or human", "the seat is not known"),
    Column("configuration", "judge: which side claims; comparison: which text was shown first",
           "pro claims, con claims; debate first, plain answer first", "crit"),
    Column("item", "crit: the reason's number in its document, the same in its two rows and in the report", "1, 2 …",
           "argument_quality, claim_standing, noise, document_credibility; judge, comparison"),
    Column("document", "crit: the examined text, and behind an arrow each text at hand that was consulted on the way",
           "text → text", "a debate"),
    Column("scored_by", "crit: the text at hand whose claim the reason is: that claim's standing there is the "
           "validity, and the text's credibility the credibility", "text",
           "the crit seat scored the reason; all other rows"),
    Column("criterion", "what is scored (see below)", "see below"),
    Column("value", "the score, a number with a point as decimal mark", "1 to 10; noise: 0 and more",
           "there is no readable score (missing says why), or the row is a choice"),
    Column("choice", "what was chosen, for the criteria winner and preferred",
           "pro, con, tie; debate, plain answer, tie", "any other criterion, or not readable"),
    Column("missing", "why there is no score", "text", "there is one"),
    Column("reason", "crit: the reason that is scored, in the scorer's words", "text", "all other rows"),
    Column("quote", "crit: the words of the speech that it is traced to", "text", "none was given; all other rows"),
    Column("quotes_not_found", "crit: quotes of the scorer that do not stand in the speech", "text, divided by ¦",
           "all were found; all other rows"),
    Column("source_named", "crit: the source that the debater named: claimed, not checked", "text",
           "none; all other rows"),
    Column("justification", "why the scorer gave this score", "text",
           "no score; argument_quality, claim_standing, noise, document_credibility"),
)  # fmt: skip

CRITERIA = (
    (
        "crit",
        "validity",
        "γ: suppose the reason is true, how strongly does it bear on the claim?",
        "whole 1 to 10; 1 to 10 where scored_by names a text",
    ),
    ("crit", "credibility", "θ: how far can the reason's source be trusted?", "whole 1 to 10"),
    ("crit", "document_credibility", "how far can a consulted text be trusted?", "whole 1 to 10"),
    ("crit", "argument_quality", "Γ = Σθγ / Σθ over the reasons of both sides up to this stage", "1 to 10"),
    ("crit", "claim_standing", "how the claim stands with con's reasons counted against it; 5.5 is even", "1 to 10"),
    ("crit", "noise", "how far Γ may fall by chance in this round: 1.645 standard errors of independent reasons",
     "0 and more"),
)  # fmt: skip

CRITERIA_HEAD = ("source", "criterion", "meaning", "values")

INTRODUCTION = """One row is one score, or one choice.

**Missing scores.** A score that could not be read has an empty `value` and a `missing`; it is never 0 and stands in no
sum. A judge or a topic without any readable score has rows all the same.

**Units.** All scores are ordinal judgements of a model or a person on a scale of 1 to 10, without a unit.
`argument_quality` and `claim_standing` are computed from `validity` and `credibility`, and unrounded; so is a
`validity` that is the standing of a claim in another text (`scored_by`)."""
