"""What raters are told, people and models: how well a reason fits, and how to answer in a persona's place."""

from __future__ import annotations

from typing import Literal

What = Literal["rationality", "ratings"]

RUBRIC = """\
5  follows from who this is and from what was read, without a mistake
4  fits both, with a small flaw
3  to the point, but vague: many others could say it
2  weak: a forced link, a comparison that does not hold, or the statement said once more
1  beside the point, makes no sense, or shows that a program answered
"""
"""How well a reason fits, for people and for models that judge."""

GUIDE: dict[What, str] = {
    "rationality": f"""\
# How well does the reason fit?

Each row of your sheet is a statement, how far somebody agreed with it (1 not at all … 5 fully), and the reason that was
given. `material.md` says who that somebody is, and what had been read up to that iteration. Write into the column
`score`:

{RUBRIC}
Rate the reason, and not whether you agree. Leave the cell empty where you cannot tell. Rate alone, in the order of your
sheet, and change nothing but `score` and `remark`.
""",
    "ratings": """\
# How far would you agree, if you were this person?

`material.md` says who the person is, and what the person reads in each iteration. Go through your sheet row by row.
Before you answer an iteration, read what belongs to it, and note in `remark` what it would change about the person, if
anything. Then write into the column `score` how far the person agrees with the statement:

5  it fits strongly with something that has left a deep impression
4  it fits to a degree
3  no clear leaning
2  it is at odds with it to a degree
1  it is strongly at odds with something that has left a deep impression

Leave the cell empty where you cannot tell. Rate alone, and change nothing but `score` and `remark`.
""",
}
