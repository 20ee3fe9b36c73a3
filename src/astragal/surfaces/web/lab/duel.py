"""Duels on the lab's page: two fighters of a game with sliders, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from astragal.chance.charts import curves
from astragal.chance.drawings import Drawing, svg
from astragal.lab.duels import DuelResult, First, Play, duel, duel_of
from astragal.lab.solving import Fight
from astragal.surfaces.web.errors import sentences_of
from astragal.surfaces.web.forms.form import Widget
from astragal.surfaces.web.forms.read import read_form
from astragal.surfaces.web.lab.inputs import inputs_for
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.validation import read
from astragal.table.fields.values import parts_of
from astragal.table.refusals import Refusal

SECOND = "b-"
PLAYS, MANY, FIRSTS = ("best", "greedy", "decline"), ("1", "2", "3", "4"), ("either", "one", "two")
"""What can be chosen: how a side decides, how many it is, and who acts first."""
MOST_STATES = 12_000
"""Of a fight that is solved for a page; larger ones are left to the terminal."""
MOST_ROUNDS = 20
"""Rounds that are drawn."""
TOO_LONG = "Such a fight is too much work for a web page. The terminal has no such limit: astragal lab duel."


@dataclass(frozen=True)
class DuelShown:
    """Both fighters with their inputs, and how it ends or why that can't be said."""

    game: Ruleset
    sent: Sequence[tuple[str, str]]
    fighters: tuple[Any, Any]
    result: DuelResult | None = None
    faults: tuple[str, ...] = ()

    @property
    def own(self) -> dict[str, str]:
        return {name: text for name, text in self.sent if name.startswith(".")}

    @property
    def inputs(self) -> tuple[tuple[Widget, ...], ...]:
        kind = duel_of(self.game).fighter
        return tuple(
            inputs_for(kind, parts_of(one), start) for one, start in zip(self.fighters, ("", SECOND), strict=True)
        )

    @property
    def query(self) -> str:
        return urlencode([(name, text) for name, text in dict(self.sent).items() if text.strip()])

    @property
    def foes(self) -> dict[str, str]:
        """The game's usual foes, each with the query by which the first fights them."""
        own = [(name, text) for name, text in dict(self.sent).items() if text.strip() and not name.startswith(SECOND)]
        return {
            name: urlencode([*own, *((SECOND + part, _text(value)) for part, value in parts_of(foe).items())])
            for name, foe in duel_of(self.game).foes.items()
        }

    @property
    def chart(self) -> str:
        """The chance that it is over by each round."""
        over = accumulate(self.result.by_round[:MOST_ROUNDS] if self.result else ())
        lines = [("over", "round", {number: Fraction(min(chance, 1.0)) for number, chance in enumerate(over, 1)})]
        return _drawn(curves(lines, "Chance that it is over", are_chances=True))

    @property
    def plan(self) -> list[str]:
        """When to spend, drawn."""
        return [_drawn(chart) for chart in self.result.charts.values()] if self.result else []


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _drawn(drawing: Drawing) -> str:
    return Markup(svg(drawing, in_a_page=True, styled=False))  # noqa: S704 - every word in it is escaped by `svg`


def duel_shown(game: Ruleset, sent: Sequence[tuple[str, str]]) -> DuelShown:
    """Read two fighters from an address and let them fight. Who is not described is the game's first usual foe."""
    declared = duel_of(game)
    own = [pair for pair in sent if not pair[0].startswith(SECOND)]
    other = [(name.removeprefix(SECOND), text) for name, text in sent if name.startswith(SECOND)]
    first, foe = declared.fighter(), next(iter(declared.foes.values()), declared.fighter())
    said = dict(own)
    try:
        fighters: tuple[Any, Any] = (_read(declared.fighter, own), _read(declared.fighter, other) if other else foe)
        plays = [_one_of(PLAYS, said.get(".play")), _one_of(PLAYS, said.get(".theirs") or said.get(".play"))]
        many = [_one_of(MANY, said.get(name)) for name in (".many", ".foes")]
        sides = tuple((one,) * int(count) for one, count in zip(fighters, many, strict=True))
        begins = _one_of(FIRSTS, said.get(".first"))
        return DuelShown(game, sent, fighters, _fought(_Game(game), sides, tuple(map(Play, plays)), begins))
    except Refusal as refusal:
        return DuelShown(game, sent, (first, foe), faults=sentences_of(refusal))


def _one_of(options: Sequence[str], said: str | None) -> Any:
    """What was chosen; the first where nothing was."""
    if (said or options[0]) not in options:
        raise Refusal(f"{said!r:.40} is none of {', '.join(options)}.")
    return said or options[0]


def _read(kind: type, sent: Sequence[tuple[str, str]]) -> Any:
    return read(kind, read_form(kind, sent))


class _Game:
    """A game that is itself to the cache."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Game) and other.game is self.game

    def __hash__(self) -> int:
        return id(self.game)


@lru_cache(maxsize=256)
def _fought(game: _Game, sides: Any, plays: Any, first: First) -> DuelResult:
    if Fight(duel_of(game.game), game.game.options(), sides, plays).states > MOST_STATES:
        raise Refusal(TOO_LONG)
    return duel(game.game, *sides, play=plays, first=first)
