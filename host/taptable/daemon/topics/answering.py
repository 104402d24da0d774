"""What came of something that people asked for, as the answer to who asked: sentences as in the log, in their language.
Must not know what was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from taptable.core.notices import CorrectionAsked
from taptable.core.verdicts import Accepted
from taptable.edges.cues.telling import told
from taptable.edges.page.annex import Unfit
from taptable.edges.page.correcting import WhyNot
from taptable.edges.page.topics import Asker
from taptable.edges.page.view import LogItem
from taptable.referee.session import Happening, Judged

Answer: TypeAlias = Mapping[str, Any]


def answer(happened: Sequence[Happening], asker: Asker) -> Answer:
    """`said` is what the table said to what was asked for; `waits` is None, or a sentence where it can't be written
    down yet and happens later. Unfit where the referee said no."""
    asked = next((at for at, each in enumerate(happened, 1) if isinstance(each, CorrectionAsked)), 0)
    said = happened[asked:]  # what was due before is none of it
    for happening in said:
        if isinstance(happening, Judged) and not isinstance(happening.verdict, Accepted):
            verdict = happening.verdict
            raise Unfit(WhyNot("verdict", verdict.code, verdict.facts).text(asker.words))
    items = [LogItem(each)(asker.words) for happening in said for each in told(happening)]
    return {"said": items, "waits": None if happened else asker.words.text("correcting", "waits")}
