"""Checks of heroes on paper, a book's tables and skins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from astragal.chance import SeededDice
from astragal.table.authoring.hero_book import BookTable, HeroBook, Plain, SkinShelf
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.findings import told
from astragal.table.contract.manifest import actions_of
from astragal.table.fields.validation import read
from astragal.table.refusals import Refusal

RANDOM_HEROES = range(5)


def sample_heroes(ruleset: Ruleset, options: Any) -> list[Plain]:
    """The heroes that the game has ready, and some that chance makes, as fields of the command that brings them in."""
    heroes = ruleset.heroes
    if heroes is None:
        return []
    made = list(heroes.samples(options).values())
    if heroes.random is not None:
        made += [heroes.random(_draw(seed), {}, options) for seed in RANDOM_HEROES]
    return made


def _draw(seed: int) -> Callable[[int], int]:
    dice = SeededDice(seed)
    return lambda size: dice.face(size) - 1


def faults_in_creation(ruleset: Ruleset, options: Any) -> Iterator[str]:
    """Faults in heroes on paper, tables and skins."""
    try:
        if ruleset.heroes is not None:
            yield from _of_heroes(ruleset, ruleset.heroes, options)
        for name, table in ruleset.tables.items():
            yield from _of_table(name, table())
        if ruleset.skins is not None:
            yield from _of_skins(ruleset, ruleset.skins)
    except Exception as broken:  # noqa: BLE001 - whatever a stranger's ruleset raises is what is to be told
        yield f"Heroes, tables or skins can't be had: {told(broken)}"


def _of_heroes(ruleset: Ruleset, heroes: HeroBook, options: Any) -> Iterator[str]:
    commands = {action.name: action.command for action in actions_of(ruleset)}
    for name in (heroes.make, *heroes.advance):
        if name not in commands:
            yield f"Heroes are made with {name!r}, which is no command of the game"
    if heroes.make not in commands:
        return
    for hero in sample_heroes(ruleset, options):
        try:
            read(commands[heroes.make], hero)
        except Refusal as refusal:
            yield f"A hero on paper does not fit {heroes.make!r}: {refusal.sentence.rstrip('.')}"
        if not all(isinstance(line, str) for line in heroes.accounts(hero, options)):
            yield "The accounts of a hero on paper are not lines of text"


def _of_table(name: str, table: BookTable) -> Iterator[str]:
    if not table.rows or any(len(row) != len(table.head) for row in table.rows):
        yield f"The table {name!r} has no rows, or rows that do not fit its head"


def _of_skins(ruleset: Ruleset, skins: SkinShelf) -> Iterator[str]:
    for name, text in skins.shipped().items():
        if faults := skins.faults(text, name):
            yield f"The skin {name!r} that comes with the game is faulty: {faults[0]}"
            continue
        worn = skins.wear(text)
        try:
            read(ruleset.options, worn.options)
        except Refusal as refusal:
            yield f"The skin {name!r} fills in options that the game does not take: {refusal.sentence.rstrip('.')}"
