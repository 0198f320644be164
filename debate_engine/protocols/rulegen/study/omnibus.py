"""Whether anything differs over all versions at once, subject by subject. Pure; slow at first."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.cases import Case, CellTable, Key
from elenchus.debate_engine.protocols.rulegen.study.contrasts import whole_groups
from elenchus.debate_engine.protocols.rulegen.study.means import Variance, analysis_of_variance
from elenchus.debate_engine.protocols.rulegen.study.shares import same_shares
from elenchus.debate_engine.scenes.design import Design


class Arms(FrozenModel):
    """Whether anything differs over all `versions` of one subject and style: `p` for shares, `variance` for numbers."""

    subject: str
    style: str
    versions: int
    p: float | None = None
    variance: Variance | None = None


def arms_of(cases: Sequence[Case], design: Design) -> tuple[Arms, ...]:
    """Of each subject and style that played three versions or more; whoever met several levels by their mean."""
    table, found = CellTable(cases, design), []
    for subject in table.subjects:
        for style in table.styles(subject):
            keys = [Key(subject, style, group) for group in whole_groups(design)]
            samples = [sample for key in keys if (sample := table.of(key)).n]
            if len(samples) < 3:
                continue
            arms = Arms(subject=subject, style=style, versions=len(samples))
            tested: dict[str, object] = (
                {"p": same_shares([sample.share for sample in samples])}
                if table.has_shares and not design.has_within
                else {"variance": analysis_of_variance([sample.numbers for sample in samples])}
            )
            found.append(arms.model_copy(update=tested))
    return tuple(found)
