"""A study as Markdown, to be read from beginning to end: pure rendering."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.protocols.rulegen.study import tables, words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS
from elenchus.debate_engine.protocols.rulegen.study.contrasts import THESE, Compared
from elenchus.debate_engine.protocols.rulegen.study.in_short import in_short
from elenchus.debate_engine.protocols.rulegen.study.methods import KEPT_ALONE, METHODS
from elenchus.debate_engine.protocols.rulegen.study.notices import notices
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.participant_flow import Attrition
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.spending import CallUsage
from elenchus.debate_engine.reports.words import count, listed

_BESIDE = (
    "A size stands beside ours only where the source has the same task or paradigm and the same metric. Another "
    "task's size says nothing of this one."
)
_DETECTABLE = (
    "So large a difference would have been found in 80 of 100 studies with as many subjects. A smaller one may be "
    "there, and not be seen. What hangs together counts as the independent observations that it is worth. Holm's "
    "correction is taken in at its first level."
)


def study_markdown(study: Study, picture: str = "frequency.png", alt: str = "", use: CallUsage | None = None) -> str:
    """The whole report; `picture` is the file it points to, with `alt` beside it ("" leaves it out), `use` what its
    sessions have used together.
    """
    judges = study.instrument == "judges"
    parts = [
        f"# {inline(study.title)}: {'how often the bias is seen' if judges else 'what came out'}",
        _opening(study),
        *notices(study),
        *_section("In short", ["\n".join(f"- {inline(line)}" for line in lines)] if (lines := in_short(study)) else []),
        *_section("How far everybody came", [str(tables.flow(study)), *attrition(study)] if study.flow else []),
        *_section("What came out", [_by_what(study), str(tables.judged(study) if judges else tables.outcomes(study))]),
        *([f"![{inline(alt)}]({picture})"] if alt else []),
        *_comparisons(study),
        *_section("What is known from elsewhere", _literature(study)),
        *_section("What judges saw", _judged(study)),
        *_section("What so many can find", _detectable(study)),
        *_section("What was registered", _registered(study)),
        *_section("What it cost", [f"{use}."] if use else []),
        *_section("How it was counted", METHODS),
    ]
    return "\n\n".join(parts) + "\n"


def _section(title: str, parts: Sequence[str]) -> list[str]:
    return [f"## {title}", *parts] if parts else []


def _opening(study: Study) -> str:
    people = sum(run.cell.subject == PEOPLE for run in study.observed)
    models = len({run.cell.subject for run in study.observed} - {PEOPLE})
    who = [f"{people} by people"] if people else []
    who += [f"{len(study.observed) - people} by {count(models, 'model')}"] if models else []
    by = f" ({listed(who)})" if people and models else ""
    return (
        f"{inline(study.bias) or 'No bias is named'}. {count(len(study.observed), 'run')} of the scene "
        f"`{study.name}`{by}."
    )


def _by_what(study: Study) -> str:
    if study.instrument == "judges":
        return "The scene has no rule for what came out; here stands what most judges saw, among yes and no."
    kind = f"a number{f', in {inline(study.unit)}' if study.unit else ''}" if study.has_numbers else "a share of yes"
    return f"By the scene's own rule over what was stated, `{study.outcome}`: {kind}."


def attrition(study: Study) -> list[str]:
    """Whether as many went in every version, and which checks were failed."""
    told = [_attrition(one) for one in study.attrition if one.stage == "finished" or not study.kept_alone]
    if study.kept_alone:
        told.insert(0, KEPT_ALONE)
    failed: dict[str, list[str]] = {}
    for row in study.rows:
        for check, number in row.failed.items():
            failed.setdefault(check, []).append(
                f"{number} of {row.played} in {row.cell.condition} ({row.cell.subject})"
            )
    told += [f"Failed {check} check: {inline(listed(places))}." for check, places in failed.items()]
    return told


def _attrition(one: Attrition) -> str:
    who = inline(one.subject[:1].upper() + one.subject[1:] if one.subject == PEOPLE else one.subject)
    what = "did not finish"
    if one.stage == "finished":
        by_version = listed([f"{lost} in {inline(version)}" for version, lost in one.by_version.items()])
        what = f"{'was' if one.lost == 1 else 'were'} excluded ({by_version})"
    how = "exact" if len(one.by_version) < 3 else "Fisher, Freeman and Halton's, by drawn tables"
    alike = "" if one.p is None else f"; of the versions being alike in that p {_equal(one.p)} ({how})"
    return f"{who}: {one.lost} of {one.among} who {one.stage} {what}{alike}."


def _equal(p: float) -> str:
    text = words.p_value(p)
    return text if text.startswith("<") else f"= {text}"


def _comparisons(study: Study) -> list[str]:
    versions = [one for one in study.contrasts if one.over == "versions"]
    others = {
        "People and models": [one for one in study.contrasts if one.over == "subjects"],
        "Styles": [one for one in study.contrasts if one.over == "styles"],
    }
    planned = "as its file names them" if study.plan.contrasts else "each with the last, as its file names no contrasts"
    parts = [f"The versions of the scene, {planned}.", *_compared(versions, study.unit)]
    if any(one.by_model for one in versions):
        parts.append(_OF_MODELS)
    if any(one.kind != "between" for one in versions):
        parts.append(_OF_KINDS)
    if (orders := tables.by_order(study)).rows:
        parts += [_OF_ORDERS, str(orders)]
    if tables.over_all(study).rows:
        parts += ["Over all versions at once, each subject by itself (not corrected):", str(tables.over_all(study))]
    sections: list[str] = []
    for title, found in others.items():
        sections += _section(title, [_OTHERS[title], *_compared(found, study.unit)] if found else [])
    return _section("What was compared", parts if versions else []) + _strata(study) + sections


_OF_MODELS = (
    f"*{MODELS}* (of fewer than ten: *these*, and nothing is said of models as such): one difference a model, and "
    "Student's t on these, which supposes that models' differences are about normal. "
    f"*{THESE}*: these models alone, supposing the same effect in each; it says nothing of other models."
)
_OF_KINDS = (
    "*With both*: subjects compared with themselves; the effect size d_z is in the standard deviation of their "
    "differences, and no size for other subjects on each side. In brackets: a difference of two differences (an "
    "interaction), in the outcome's own unit; with a factor within subjects its g is in the standard deviation of "
    "their differences."
)
_OF_ORDERS = (
    "By what was met first (a check beside the result; no analysis was chosen by it). *p*: of the difference being "
    "the same in both orders; *p (carry-over)*: of the sum of the two being the same, which it is not where what came "
    "first changes what comes after, or where by chance other people had the other order. With few subjects neither "
    "is found."
)
_OTHERS = {
    "People and models": "People against each model, within versions: how far levels differ. A family of its own.",
    "Styles": "Each two styles of one subject, within versions. Families of their own.",
}


def _strata(study: Study) -> list[str]:
    """What was compared within the strata of the plan, and pooled over them."""
    if not study.plan.strata:
        return []
    title = f"Within strata ({inline(listed(study.plan.strata))})"
    found = [one for one in study.contrasts if one.over in ("pooled", "strata")]
    if not found:
        return _section(title, ["All who count gave the same answers there: nothing is compared within them."])
    return _section(title, [_OF_STRATA, *_compared(found, study.unit)])


_OF_STRATA = (
    "Versions were balanced within these answers. What was planned is the comparison over all, above. Beside it: "
    "*pooled*, the same within strata, so that nothing the strata differ in enters (it supposes the same effect in all "
    "of them, or tells their mean); and each stratum by itself, where five or more are in each group. That one is told "
    "apart and the other is not does not show that they differ. The pooled ones are a family of Holm's, all single "
    "strata are another. Subjects compared with themselves are not pooled: each is its own control."
)


def _compared(found: Sequence[Compared], unit: str) -> list[str]:
    missing = "\n".join(f"- {inline(line)}" for line in tables.not_compared(found))
    return [str(tables.comparisons(found, unit)), *([missing] if missing else [])]


def _literature(study: Study) -> list[str]:
    return [_BESIDE, str(tables.literature(study))] if study.plan.literature else []


def _detectable(study: Study) -> list[str]:
    shares = any(row.share for row in study.rows)
    found = tables.detectable(study, shares=shares)
    return [_DETECTABLE, str(found)] if found.rows else []


def _registered(study: Study) -> list[str]:
    if not study.registered:
        return ["The study was not registered beforehand: what is found here asks for another study that confirms it."]
    if not study.departures:
        return [f"Registered {study.registered}; it was done as registered."]
    return [f"Registered {study.registered}. It was done otherwise in this:", "\n".join(
        f"- {inline(one)}" for one in study.departures
    )]  # fmt: skip


# ── what judges saw ──────────────────────────────────────────────────────────────────────────────────────────────────


def _judged(study: Study) -> list[str]:
    if study.instrument == "judges":
        return _among_judges(study)
    if not study.second:
        return []
    among = _among_judges(study) if any(len(run.opinions) > 1 for run in study.observed) else []
    agrees = _AGREES if any(one.agreement for one in study.second) else _BESIDE_A_NUMBER
    return [_SECOND, str(tables.judged(study)), agrees, str(tables.second_readings(study)), *among]


_SECOND = "A second instrument: judges read the record and say whether they see the bias. It decides nothing above."
_AGREES = (
    "How far they agree with what came out, subject by subject: the share in which they say the same, and Cohen's κ. "
    "Over versions κ is the mean of those of each, by their numbers. There is no κ where one of the two says the same "
    "of all, and no interval where runs say the same, word for word."
)
_BESIDE_A_NUMBER = "What came out is a number, which a yes or no cannot agree with; its mean by what judges saw:"


_AMONG = (
    "How far judges agree with one another, by their yes and no on the runs that two of them or more could be counted "
    "of. Over versions α is the mean of those of each, by their runs."
)


def _among_judges(study: Study) -> list[str]:
    found = tables.judge_agreements(study)
    return [_AMONG, str(found)] if found.rows else [agreement_untold(study)]


def agreement_untold(study: Study) -> str:
    """Why it is told of no version how far judges agree with one another, "" where it is of one."""
    if any(one.alpha is not None for one in study.judges_agree):
        return ""
    reasons = dict.fromkeys(one.reason for one in study.judges_agree if one.version)
    return f"Krippendorff's α cannot be told: {'; '.join(reasons) or 'nobody was judged'}."
