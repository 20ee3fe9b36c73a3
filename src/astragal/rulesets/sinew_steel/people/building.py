"""Heroes on paper: what surfaces make heroes with. SS-12 to SS-16."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.game import BoughtHeroes, Build, Draw, Nearest, Plain, PointBuy, highest, pick, pick_some
from astragal.rulesets.sinew_steel.options import Options, plain_skin
from astragal.rulesets.sinew_steel.scores import STAMINA, build_points
from astragal.rulesets.sinew_steel.state import known_key

NAMES = (
    *(
        "Aino Marsh",
        "Bel Corrigan",
        "Cato Finch",
        "Dara Okafor",
        "Edda Holm",
        "Faro Lindt",
        "Gil Ashdown",
        "Hana Reyes",
    ),
    *(
        "Ivo Sand",
        "Juna Pell",
        "Kester Vane",
        "Lio Marchetti",
        "Mina Thorne",
        "Nils Auber",
        "Oksana Reed",
        "Piet Draper",
    ),
    *(
        "Runa Castell",
        "Sef Adeyemi",
        "Tilda Rook",
        "Ulla Brandt",
        "Viggo Hale",
        "Wren Tamsin",
        "Yara Quist",
        "Zeno Black",
    ),
)
"""Of random heroes."""
LEAST_GEAR, MOST_GEAR = 3, 6
"""SS-15: items that are written down."""


class HeroesOfBuildPoints(BoughtHeroes[Plain, PointBuy]):
    """SS-12 to SS-14: heroes on paper, held against what build points buy at their table."""

    def law(self, options: Options) -> PointBuy:
        """With the plain skin's labels, where its keys are used; keys speak for themselves elsewhere."""
        plain = plain_skin()
        labels = plain.labels if options.attributes == plain.keys else None
        return build_points(options.attributes, options.build_points, labels)

    def points(self, _: Plain, buying: PointBuy) -> PointBuy:
        return buying

    def numbers(self, hero: Plain, buying: PointBuy) -> Build:
        """What is not said is at baseline, and what is no number yet is not said."""
        said = hero.get("scores")
        given = said.items() if isinstance(said, Mapping) else ()
        scores = {str(key): score for key, score in given if type(score) is int}
        return {number.key: number.start for number in buying.numbers} | scores

    def rebuilt(self, hero: Plain, near: Nearest, buying: PointBuy) -> tuple[list[str], Plain]:
        left_out = [f"leave out {key!r}" for key in self.numbers(hero, buying) if key not in near.build]
        return [*(change.words for change in near.changes), *left_out], {**hero, "scores": near.build}

    def accounts(self, hero: Plain, buying: PointBuy) -> list[str]:
        """SS-12, SS-14, SS-15: the ledger, every reason why it does not close, and the steps still to be taken."""
        scores, faults = self.numbers(hero, buying), [f"{fault.words}." for fault in self.faults(hero, buying)]
        gear = [item for field in ("gear", "kit") for item in _listed(hero.get(field)) if str(item).strip()]
        fits, is_named = LEAST_GEAR <= len(gear) <= MOST_GEAR, bool(str(hero.get("advantage", "")).strip())
        attributes = [number for number in buying.numbers if number.key != STAMINA]
        steps = {
            "signature strength": all(scores[one.key] <= one.start for one in attributes),
            "trade-offs or points": bool(faults),
            "gear": not fits,
            "small advantage": not is_named,
        }
        return [
            *(f"{score.name} {scores[score.key]}{_entry(score.cost(scores[score.key]))}" for score in buying.numbers),
            *buying.accounts(scores),
            *faults,
            *([] if fits else [f"{len(gear)} items of gear: write down {LEAST_GEAR} to {MOST_GEAR}."]),
            *([] if is_named else ["One small advantage is still to be named."]),
            *(f"still open: {step}" for step, is_open in steps.items() if is_open),
        ]


HEROES_OF_BUILD_POINTS = HeroesOfBuildPoints()


def _entry(price: int) -> str:
    if not price:
        return ""
    return f": costs {price}" if price == abs(price) else f": gives {-price}"


def _listed(said: Any) -> Sequence[Any]:
    return said if isinstance(said, (list, tuple)) else ()


def _samples(options: Options) -> dict[str, Plain]:
    return {
        hero.name: {
            "name": hero.name,
            "concept": hero.concept,
            "scores": dict(hero.scores),
            "kit": list(hero.gear),
            "advantage": hero.advantage,
        }
        for hero in options.ready
    }


def _random(draw: Draw, wishes: Mapping[str, str], options: Options) -> Plain:
    """SS-16: uniform over the legal builds, or over those of a theme; with three things that the skin knows."""
    (budget,) = build_points(options.attributes, options.build_points).budgets
    attributes = [score for score in budget.numbers if score.key != STAMINA]
    theme = wishes.get("theme")
    scores = budget.random(draw, highest(known_key(options, theme), attributes) if theme else ())
    items = [item.name for item in options.known_items]
    kit = pick_some(draw, items, min(LEAST_GEAR, len(items)))
    return {"name": wishes.get("name") or pick(draw, NAMES), "scores": scores, "kit": kit}


HERO_BOOK = HEROES_OF_BUILD_POINTS.book(
    make="make_hero",
    advance=("advance",),
    samples=_samples,
    random=_random,
    wishes={"theme": "the key of the attribute that is to be the highest", "name": "what the hero is called"},
)
