"""Charts of odds: for a roll on its card, with a bar for each spend; for dice in notation."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from astragal.chance import ChanceError
from astragal.chance.odds import in_words
from astragal.chance.pictures import Row, percent_words, rows
from astragal.surfaces.shared.odds import ladder, reach, reach_words, read_chance
from astragal.table.chapters.chat import dice_written
from astragal.table.preview import Preview, Span, against_words
from astragal.table.refusals import Refusal

MOST_OUTCOMES = 12
MOST_SPENDS = 8
"""If there are more spends, only the first ones and the chosen one are drawn."""


class Bar(Struct, frozen=True):
    """One case among several: a spend, or a way to answer offers."""

    words: str
    chance: Fraction
    now: bool = False
    is_idle: bool = False

    @property
    def percent(self) -> str:
        return percent(self.chance)

    @property
    def height(self) -> float:
        """Height out of a hundred."""
        return round(float(self.chance) * 100, 2)


class Picture(Struct, frozen=True):
    """The odds of a roll as they are shown."""

    question: str
    chance: Bar | None = None
    """The actor's chance of success; the likely one if a number is hidden."""
    span: Span | None = None
    spends: tuple[Bar, ...] = ()
    """Chances by what is spent before the roll, to choose from."""
    ahead: tuple[Bar, ...] = ()
    """Chances by what could be spent after the roll."""
    otherwise: tuple[Bar, ...] = ()
    """Chances if something were different."""
    outcomes: tuple[Row, ...] = ()
    has_price: bool = False
    """True if points can be spent, so that a chance has a price."""
    wanted: str = ""
    price: str = ""

    @property
    def between(self) -> str:
        return between(self.span) if self.span else ""

    @property
    def best(self) -> Bar | None:
        return self.ahead[-1] if self.ahead else None


def percent(chance: Fraction) -> str:
    """Round to whole percents. A chance just above 0 is “<1”, one just below 100 is “>99”."""
    if 0 < chance < Fraction(1, 100):
        return "<1"
    if Fraction(99, 100) < chance < 1:
        return ">99"
    return str(int(chance * 100 + Fraction(1, 2)))


def between(span: Span) -> str:
    """Return the range of a chance in words, and what the likely one is against."""
    return f"{percent(span.low)}–{percent(span.high)} %, likely {against_words(span)}"


def picture(preview: Preview, spent: int | None, wanted: str = "") -> Picture:
    """Return the odds of a command with this spend; if something is hidden, the likely chance and the span around it.

    `wanted` is a chance, as the user chose it, whose price is asked for.
    """
    plain = [case for case in preview.cases if case.otherwise is None]
    now = next((case for case in plain if case.spend == spent), plain[0])
    spends = [
        Bar(str(case.spend), case.success, now=case is now, is_idle=case.is_idle)
        for case in plain
        if case.spend is not None and case.success is not None
    ]
    price = ""
    if wanted.strip():
        try:
            price = reach_words(preview, reach(preview, read_chance(wanted)))
        except Refusal as refusal:
            price = refusal.sentence
    ahead = [Bar(str(rung.points), rung.chance, now=not rung.points) for rung in preview.after]
    return Picture(
        preview.question,
        chance=Bar("", now.success) if now.success is not None else None,
        span=now.span,
        spends=tuple(_few(spends)) if len(spends) > 1 else (),
        ahead=tuple(_few(ahead)) if len(ahead) > 1 else (),
        otherwise=tuple(Bar(case.variant, case.success) for case in preview.cases if case.variant and case.success),
        outcomes=tuple(rows(in_words(now.odds))[:MOST_OUTCOMES]),
        has_price=len(ladder(preview)) > 1,
        wanted=wanted,
        price=price,
    )


def _few(bars: Sequence[Bar]) -> Sequence[Bar]:
    """Return the first bars and the chosen one: of very many spends, not all are drawn."""
    return [bar for number, bar in enumerate(bars) if number < MOST_SPENDS or bar.now]


# ---------------------------------------------------------------- written dice

DICE = (4, 6, 8, 10, 12, 20, 100)
MOST_BARS = 31
"""If there are more outcomes, several share a bar."""
LONGEST_NOTATION = 200


class WrittenOdds(Struct, frozen=True):
    """The odds of a notation, or what is wrong with it."""

    notation: str = ""
    explained: str = ""
    mean: str = ""
    half: str = ""
    bars: tuple[tuple[str, str, float], ...] = ()
    """One for each outcome or range of outcomes: words, percent, and height out of a hundred."""
    fault: str = ""


def written_odds(notation: str) -> WrittenOdds:
    try:
        expression = dice_written(notation[:LONGEST_NOTATION])
    except Refusal as refusal:
        return WrittenOdds(fault=refusal.sentence)
    said = WrittenOdds(str(expression), expression.explained())
    try:
        found = expression.odds()
        weights: Mapping[int, int] = found.weights
        low, high = (found.quantile(Fraction(part, 4)) for part in (1, 3))
        mean = f"{float(expression.mean()):.3g}"
    except ChanceError:  # too much to calculate, or dice that never end
        return said
    first, last = min(weights), max(weights)
    step = -(-(last - first + 1) // MOST_BARS)
    starts = range(first, last + 1, step)
    sums = [sum(weights.get(value, 0) for value in range(start, start + step)) for start in starts]
    bars = tuple(
        (
            str(start) if step == 1 else f"{start}–{min(start + step - 1, last)}",
            percent_words(Fraction(weight, found.total), 1),
            round(100 * weight / max(sums), 2),
        )
        for start, weight in zip(starts, sums, strict=True)
    )
    half = f"half of all rolls {low} to {high}" if low != high else ""
    return replace(said, mean=mean, half=half, bars=bars)
