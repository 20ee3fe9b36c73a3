"""Odds of commands and answers: success first, spans where something is hidden, and the price of a chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.chance.odds import in_words
from astragal.chance.pictures import Row, rows, verdict_words
from astragal.table.preview import Rung, chance_words, span_words
from astragal.table.refusals import Refusal

if TYPE_CHECKING:
    from astragal.chance import Odds
    from astragal.table.preview import Case, Hoped, Preview, Span

SUCCESS = "success"
ANY_SUCCESS = "any success"
POINTS = "points"
"""Word for what is spent, in a game that has none of its own."""
IDLE = " (the last point adds nothing)"


def summary(odds: Odds[Any], hoped: Hoped, most: int) -> list[Row]:
    """Return the chance of success, if the game declares what is hoped for, and the `most` likeliest outcomes.

    A certain outcome has one row, and so has a success that consists of one outcome. If one of several successful
    outcomes is itself called success, all of them together are called any success.
    """
    likeliest = sorted(rows(in_words(odds)), key=lambda row: -row.chance)
    if hoped is None or len(likeliest) < 2:
        return likeliest[:most]
    successes = {row.words for row in likeliest} & set(map(verdict_words, hoped))
    other_rows = [row for row in likeliest if len(successes) > 1 or row.words not in successes]
    is_one_of_several = any(row.words == SUCCESS for row in other_rows)
    label = ANY_SUCCESS if is_one_of_several else SUCCESS
    return [Row(label, odds.chance(hoped.__contains__)), *other_rows[:most]]


def case_words(case: Case) -> str:
    """Describe a case of a preview: what is spent, how offers are answered, what is different."""
    parts: list[str] = []
    if case.spend is not None:
        parts.append(f"spend {case.spend}{IDLE}" if case.is_idle else f"spend {case.spend}")
    if case.otherwise:
        parts.append(case.otherwise)
    return ", ".join(parts) or "as it falls"


def exact(rows: list[Row]) -> list[dict[str, Any]]:
    """Return chances for programs: as exact fractions and in percent."""
    chances: list[dict[str, Any]] = []
    for row in rows:
        percent = round(float(row.chance) * 100, 6)
        chances.append({"outcome": row.words, "exactly": str(row.chance), "percent": percent})
    return chances


def exact_preview(
    preview: Preview, wanted_chance: Fraction | None, weighed: Callable[[Odds[Any]], Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a preview for programs: what would be rolled, and each case with its odds as `weighed` gives them.

    `wanted_chance` is a chance to find the price of. In the result its `points` are None if no spend reaches it.
    """
    priced = {}
    if wanted_chance is not None:
        reached = reach(preview, wanted_chance)
        priced["reach"] = {
            "wanted": str(wanted_chance),
            "points": reached.rung.points if reached.rung else None,
            "chance": str(reached.rung.chance) if reached.rung else None,
            "best": exact_rung(reached.best),
            "words": reach_words(preview, reached),
        }
    return {
        "question": preview.question,
        "rule": preview.rule,
        "arguments": preview.arguments,
        "cases": [{**_exact_case(case), **weighed(case.odds)} for case in preview.cases],
        "points": preview.points,
        "after": [exact_rung(rung) for rung in preview.after],
        "risks": preview.risks,
        **priced,
    }


def _exact_case(case: Case) -> dict[str, Any]:
    """Return a case of a preview for programs, without its odds."""
    return {
        "spend": case.spend,
        "bid": case.bid,
        "span": exact_span(case.span),
        "policy": case.policy,
        "variant": case.variant,
        "is_idle": case.is_idle,
        "success": None if case.success is None else str(case.success),
    }


def exact_span(span: Span | None) -> dict[str, Any] | None:
    """Return a span for programs: its chances as fractions, and the number that the likely chance is against."""
    if span is None:
        return None
    return {"low": str(span.low), "likely": str(span.likely), "high": str(span.high), "against": span.against}


def exact_rung(rung: Rung) -> dict[str, Any]:
    """Return a number of points and its chance, for programs."""
    return {"points": rung.points, "chance": str(rung.chance), "span": exact_span(rung.span)}


# ---------------------------------------------------------------- the price of a chance


class Reach(Struct, frozen=True):
    """The fewest points that reach a chance. `rung` is None if none do; `best` is the best that points can buy."""

    wanted: Fraction
    rung: Rung | None
    best: Rung
    spends: bool
    """True if anything can be spent at all."""


A_CHANCE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?) ?(%?)|(\d{1,9})/(\d{1,9})", re.ASCII)


def read_chance(text: str) -> Fraction:
    """Parse a chance as people write it: 75%, 75, 0.75 or 3/4. A number above 1 is in percent."""
    match = A_CHANCE.fullmatch(text.strip())
    chance: Fraction | None = None
    if match and match[1]:
        number = Fraction(match[1])
        chance = number / 100 if match[2] or number > 1 else number
    elif match and int(match[4]):
        chance = Fraction(int(match[3]), int(match[4]))
    if chance is None or chance > 1:
        raise Refusal("A chance is 0 to 100 %, written as 75% or 3/4.", code="chance")
    return chance


def ladder(preview: Preview) -> tuple[Rung, ...]:
    """Return the chance for each number of points, whether spent after the roll, before it, or as a sealed bid."""
    if preview.after:
        return preview.after
    bids = [case for case in preview.cases if isinstance(case.bid, int)]
    rungs: list[Rung] = []
    for case in bids or [case for case in preview.cases if case.otherwise is None]:
        points = case.bid if bids else case.spend or 0
        if case.success is not None and isinstance(points, int):
            rungs.append(Rung(points, case.success, case.span))
    return tuple(rungs)


def reach(preview: Preview, wanted_chance: Fraction) -> Reach:
    """Find the fewest points that reach a chance. If something is hidden, the likely chance counts."""
    rungs = ladder(preview)
    if not rungs:
        raise Refusal("This game does not say what would be a success there.", code="no_success")
    enough = (rung for rung in rungs if rung.chance >= wanted_chance)
    best = max(rungs, key=lambda rung: (rung.chance, -rung.points))
    return Reach(wanted_chance, next(enough, None), best, len(rungs) > 1)


def reach_words(preview: Preview, reached: Reach) -> str:
    """Describe the price of a chance in a sentence."""
    wanted_words = chance_words(reached.wanted, 1)
    rung = reached.rung or reached.best
    chance = chance_words(rung.chance, 1) if rung.span is None else span_words(rung.span)
    if not reached.spends:
        verdict = "reached" if reached.rung else "not reached"
        return f"{wanted_words} is {verdict}: {chance}, and there is nothing to spend."
    if reached.rung is None:
        return f"No spend reaches {wanted_words}: the best is {chance}, for {rung.points}."
    if rung.points == 0:
        return f"{wanted_words} is reached without spending anything: {chance}."
    if any(case.bid is not None for case in preview.cases):
        return f"To reach {wanted_words}, bid {rung.points}: {chance}."
    spend = f"spend {rung.points}" if preview.points == POINTS else f"spend {rung.points} {preview.points}"
    if not preview.after:
        return f"To reach {wanted_words}, {spend}: {chance}."
    most = preview.after[-1].chance
    is_answered = any(case.policy and case.success is not None and case.success < most for case in preview.cases)
    answered = ", unless the other side answers" if is_answered else ""  # it comes to less if the others spend too
    return f"To reach {wanted_words}, {spend.replace('spend', 'spend up to')} after the roll: {chance}{answered}."
