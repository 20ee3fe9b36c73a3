"""Heroes on paper: what surfaces make heroes with. SS-12 to SS-16."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.table.creation import Draw, HeroBook, Plain, Repair

from .accounts import STAMINA, Accounts, accounts, baseline, why_illegal
from .building import LEAST_GEAR, Draft, Habits, open_steps, why_unfinished
from .building_words import accounts_words, reason_words, repair_words, step_words
from .circumstances import known_key
from .options import Options, Sample
from .random_heroes import random_hero
from .repairs import nearest_legal


def _scores(hero: Plain, options: Options) -> dict[str, int]:
    """What is not said is at baseline, and what is no number yet is not said."""
    said = hero.get("scores")
    given = said if isinstance(said, Mapping) else {}
    return {**baseline(options.attributes), **{str(key): score for key, score in given.items() if type(score) is int}}


def _draft(hero: Plain, options: Options) -> Draft:
    """SS-15: a hero in the making, whatever steps were taken. The signature is the highest above baseline."""
    scores = _scores(hero, options)
    known = {key: score for key, score in scores.items() if key in options.attributes}
    highest = max(known, key=lambda key: known[key])
    carried = [*_listed(hero.get("gear")), *_listed(hero.get("kit"))]
    return Draft(
        skin="",
        attributes=options.attributes,
        luck=options.luck,
        scores=scores,
        budget=options.build_points,
        signature=highest if known[highest] > baseline(options.attributes)[highest] else None,
        gear=tuple(str(item) for item in carried),
        advantage=str(hero.get("advantage", "")),
        habits=Habits(),
    )


def _listed(said: Any) -> Sequence[Any]:
    return said if isinstance(said, (list, tuple)) else ()


def _accounts(hero: Plain, options: Options) -> list[str]:
    """SS-12, SS-14, SS-15: the ledger, every reason why it does not close, and the steps still to be taken."""
    draft, labels = _draft(hero, options), _labels(options)
    known: Accounts = accounts({key: draft.scores[key] for key in (*options.attributes, STAMINA)}, draft.budget)
    lacks = [reason_words(reason, labels) for reason in why_unfinished(draft)]
    return [*accounts_words(known, labels), *lacks, *map(step_words, open_steps(draft))]


def _repairs(hero: Plain, options: Options) -> list[Repair]:
    """SS-14: nothing to repair in a legal build."""
    scores, keys = _scores(hero, options), (*options.attributes, STAMINA)
    if not why_illegal(scores, options.build_points, options.attributes):
        return []
    found = nearest_legal({key: scores[key] for key in keys}, options.build_points)
    return [
        Repair(repair_words(one, _labels(options)) or "leave out what is no score", {**hero, "scores": one.build})
        for one in found
    ]


def _labels(options: Options) -> dict[str, str]:
    """The plain skin's labels, where its keys are used; keys speak for themselves elsewhere."""
    from .skins import default_skin

    plain = default_skin()
    return plain.labels if options.attributes == plain.keys else {}


def _samples(options: Options) -> dict[str, Plain]:
    """SS-70: the skin's heroes; those of the plain skin where a table has none and its keys."""
    from .skins import default_skin

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
    theme = known_key(options, wishes["theme"]) if wishes.get("theme") else None
    scores = random_hero(options.attributes, options.build_points, draw, theme)
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
