"""Heroes on paper: what surfaces make heroes with. SS-12 to SS-16."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.game import Draw, HeroBook, Plain, PointBuy, Repair, highest
from astragal.rulesets.sinew_steel.options import Options, Sample
from astragal.rulesets.sinew_steel.scores import STAMINA, baseline, build_points, frame_of
from astragal.rulesets.sinew_steel.state import known_key

LEAST_GEAR, MOST_GEAR = 3, 6
"""SS-15: items that are written down."""


def _buying(options: Options) -> PointBuy:
    """With the plain skin's labels, where its keys are used; keys speak for themselves elsewhere."""

    from astragal.rulesets.sinew_steel.skins import default_skin

    plain = default_skin()
    return build_points(
        options.attributes, options.build_points, plain.labels if options.attributes == plain.keys else None
    )


def _scores(hero: Plain, options: Options) -> dict[str, int]:
    """What is not said is at baseline, and what is no number yet is not said."""
    said = hero.get("scores")
    given = said if isinstance(said, Mapping) else {}
    return {**baseline(options.attributes), **{str(key): score for key, score in given.items() if type(score) is int}}


def _accounts(hero: Plain, options: Options) -> list[str]:
    """SS-12, SS-14, SS-15: the ledger, every reason why it does not close, and the steps still to be taken."""
    buying, scores = _buying(options), _scores(hero, options)
    faults = [f"{fault.words}." for fault in buying.faults(scores)]
    gear = [item for field in ("gear", "kit") for item in _listed(hero.get(field)) if str(item).strip()]
    fits, is_named = LEAST_GEAR <= len(gear) <= MOST_GEAR, bool(str(hero.get("advantage", "")).strip())
    steps = {
        "signature strength": all(scores[key] <= frame_of(key).start for key in options.attributes),
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


def _entry(price: int) -> str:
    if price > 0:
        return f": costs {price}"
    return f": gives {-price}" if price else ""


def _listed(said: Any) -> Sequence[Any]:
    return said if isinstance(said, (list, tuple)) else ()


def _repairs(hero: Plain, options: Options) -> list[Repair]:
    """SS-14: nothing to repair in a legal build."""
    buying, scores = _buying(options), _scores(hero, options)
    if not buying.faults(scores):
        return []
    return [
        Repair(one.words or "leave out what is no score", {**hero, "scores": one.build})
        for one in buying.nearest(scores)
    ]


def _samples(options: Options) -> dict[str, Plain]:
    """SS-70: the skin's heroes; those of the plain skin where a table has none and its keys."""

    from astragal.rulesets.sinew_steel.skins import default_skin

    plain = default_skin()
    ready: Sequence[Any] = options.samples
    if not ready and options.attributes == plain.keys:
        ready = plain.heroes
    return {hero.name: _on_paper(hero) for hero in ready}


def _on_paper(hero: Sample | Any) -> Plain:
    return {
        "name": hero.name,
        "concept": hero.concept,
        "scores": dict(hero.scores),
        "kit": list(hero.gear),
        "advantage": hero.advantage,
    }


def _random(draw: Draw, wishes: Mapping[str, str], options: Options) -> Plain:
    """SS-16: uniform over the legal builds, or over those of a theme; with three things that the skin knows."""
    (budget,) = build_points(options.attributes, options.build_points).budgets
    attributes = [score for score in budget.numbers if score.key != STAMINA]
    theme = wishes.get("theme")
    scores = budget.random(draw, highest(known_key(options, theme), attributes) if theme else ())
    return {"name": wishes.get("name") or "A stranger", "scores": scores, "kit": list(_drawn(draw, options))}


def _drawn(draw: Draw, options: Options) -> Iterator[str]:
    left = [item.name for item in options.known_items]
    for _ in range(min(LEAST_GEAR, len(left))):
        yield left.pop(draw(len(left)) if len(left) > 1 else 0)


HERO_BOOK = HeroBook(
    make="make_hero",
    advance=("advance",),
    samples=_samples,
    accounts=_accounts,
    repairs=_repairs,
    random=_random,
    wishes={"theme": "the key of the attribute that is to be the highest", "name": "what the hero is called"},
)
