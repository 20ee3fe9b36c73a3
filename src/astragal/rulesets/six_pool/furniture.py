"""A character as a surface shows it: pools, scores to roll with, hit points, what may be named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astragal.table.furniture import Choices, Piece, Pips, Score, Tags
from astragal.table.state import Character

from .checks import THREATS
from .circumstances import ADVANTAGES, DISADVANTAGES
from .contest_presets import CONTESTS
from .difficulty import Circumstance, Rung
from .pools import Pool, effort_limit
from .proficiency import proficiency, trained_bonus
from .sheet import Numbers, Sheet
from .skills import SKILLS

PASSIVES = ("perception", "insight", "investigation")


def furniture(character: Character[Sheet]) -> Sequence[Piece]:
    """Of somebody whose numbers a viewer may not know, only what everyone sees."""
    sheet = character.sheet
    numbers = sheet.open if sheet.open is not None else sheet.closed
    pieces: list[Piece] = [Pips("Inspiration", sheet.inspiration, 1)]
    if isinstance(numbers, Numbers):
        pieces += _numbered(character.id, sheet, numbers)
    if sheet.abilities:
        used = (f"{one.name} {sheet.uses_left(one)}/{one.uses} per {one.per.value}" for one in sheet.abilities)
        pieces.append(Tags("Abilities", tuple(used)))
    return pieces


def _numbered(who: str, sheet: Sheet, numbers: Numbers) -> Iterator[Piece]:
    yield Pips("Hit points", numbers.hit_points, numbers.hit_points_most)
    yield Score("Armour Class", numbers.armour_class)
    for pool, points in numbers.pools.items():
        limit = effort_limit(numbers.level, primary=pool is sheet.primary)
        doc, fields = f"Edge {points.edge}, Effort limit {limit}", (("who", who), ("pool", pool.value))
        yield Pips(pool.value, points.now, points.most, doc, command="check", fields=fields)
    for name, training in numbers.training.items():
        bonus = trained_bonus(numbers.level, training)
        yield Score(name, bonus, training.value, command="check", fields=(("who", who), ("skill", name)))
    for pool in Pool:
        if pool in numbers.saves:
            saved = proficiency(numbers.level)
            yield Score(f"{pool} save", saved, command="save", fields=(("who", who), ("pool", pool.value)))
    for name in PASSIVES:
        skill = SKILLS[name]
        bonus = trained_bonus(numbers.level, numbers.trained(name))
        yield Score(f"Passive {name}", 10 + bonus, f"and Edge in {skill.pool}, where Edge is a bonus")
    yield Choices("Advantage", tuple((word, "helps") for word in ADVANTAGES))
    yield Choices("Disadvantage", tuple((word, "hinders") for word in DISADVANTAGES))
    yield Choices("Saves", tuple((pool.value, ", ".join(threats)) for pool, threats in THREATS.items()))
    yield Choices(
        "Contests", tuple((one.name, f"{_or(one.actor)} against {_or(one.holder)}") for one in CONTESTS.values())
    )
    yield Choices("Skill", tuple((name, skill.pool.value) for name, skill in SKILLS.items()))
    yield Choices("Difficulty", tuple((rung.value, str(rung.dc)) for rung in Rung))
    yield Choices("Circumstances", tuple((one.value, f"{one.shift:+}") for one in Circumstance))


def _or(rolls: tuple[str, ...]) -> str:
    return " or ".join(rolls)
