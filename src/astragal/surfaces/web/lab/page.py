"""The lab's page: one setting or two from its address, their inputs, and the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from astragal.chance import ChanceError
from astragal.chance.drawings import svg
from astragal.chance.pictures import words
from astragal.lab.explore import Answer, Explorer, Setting
from astragal.lab.reading import BEST, DECLINE, BadQuestion, Reading, Roll, find_roll, policies_of, rolls_of
from astragal.lab.settings import varying
from astragal.surfaces.shared.seat_view import lazily
from astragal.surfaces.web.errors import sentences_of
from astragal.surfaces.web.forms.choices import Option, in_words
from astragal.surfaces.web.forms.form import CLAUSE, Widget
from astragal.surfaces.web.lab.inputs import inputs_for, values_from
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.definitions import fields_of
from astragal.table.refusals import Refusal

AGAINST = ".against"
SECOND = "b-"
"""Before the names of the second setting's inputs; no parameter has a hyphen in its name."""
MOST_PATHS = 20_000
"""Of one point: more is refused here, and left to the terminal."""
LONGEST_AXIS = 61
MOST_INPUTS = 400
LONGEST_INPUT = 200
MOST_GOALS = 40
"""Outcomes to choose from."""
TOO_MUCH = "That is too much work for a web page. The terminal has no such limit: astragal lab explore."
IN_A_ROW = re.compile(r"\.\d+\.")
Sent = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Side:
    """One of the settings: its roll, its inputs, and what can be chosen about it."""

    game: Ruleset
    roll: Roll
    prefix: str
    sent: Sent
    """Its own inputs, without the prefix."""

    @property
    def own(self) -> dict[str, str]:
        return {name: text for name, text in self.sent if name.startswith(".")}

    @property
    def values(self) -> dict[str, Any]:
        return values_from(self.roll, self.sent)

    @property
    def inputs(self) -> tuple[Widget, ...]:
        return inputs_for(self.roll.parameters, Setting(self.game, self.roll, self.values).values, self.prefix)

    @property
    def about(self) -> str:
        """The first paragraph of what the rule says of itself."""
        told = CLAUSE.sub("", " ".join(self.roll.doc.strip().split("\n\n")[0].split()))
        return told[:1].upper() + told[1:]

    @property
    def rolls(self) -> list[Roll]:
        return list(rolls_of(self.game).values())

    @property
    def axes(self) -> list[Option]:
        return [Option(path, in_words(path.replace(".", ": "))) for path in varying(self.roll)]

    @property
    def policies(self) -> list[Option]:
        return [
            Option(name, in_words(name.replace("-", " ")))
            for name in (*policies_of(self.game), BEST)
            if name != DECLINE
        ]

    def setting(self) -> Setting:
        """The setting that the inputs describe. Raises a refusal with all that is wrong with them."""
        own = self.own
        reading = Reading(**{name: own.get(f".{name}") or None for name in ("of", "policy", "goal")})
        found = Setting(self.game, self.roll, self.values, reading)
        paths = [path for path in dict.fromkeys((own.get(".over", ""), own.get(".and", ""))) if path]
        return found.over(dict(self._axes(paths)))

    def _axes(self, paths: Sequence[str]) -> Iterator[tuple[str, Sequence[Any]]]:
        known = varying(self.roll)
        for path in paths:
            if path not in known:
                raise BadQuestion(f"{path[:40]!r} can't vary here; {', '.join(known) or 'nothing'} can.")
            yield path, self._bounded(known[path]) if path == paths[0] else known[path]

    def _bounded(self, values: Sequence[Any]) -> Sequence[Any]:
        """The first axis from and to where it is wanted."""
        ends = [self.own.get(name, "").strip().replace("−", "-") for name in (".from", ".to")]
        if not any(ends) or isinstance(values[0], bool) or not isinstance(values[0], int):
            return values
        try:
            first = int(ends[0][:9]) if ends[0] else values[0]
            last = int(ends[1][:9]) if ends[1] else values[-1]
        except ValueError:
            raise BadQuestion("From and to are whole numbers.") from None
        if not 0 <= last - first < LONGEST_AXIS:
            raise BadQuestion(f"From {first} to {last} is not 1 to {LONGEST_AXIS} numbers, going up.")
        return range(first, last + 1)


@dataclass(frozen=True)
class Shown:
    """What the page shows: the settings, and their answer or why there is none."""

    sides: tuple[Side, ...]
    answer: Answer | None = None
    faults: tuple[str, ...] = ()
    chart: str = ""

    @lazily
    def query(self) -> str:
        """The address's query by which the same is shown again; defaults are left out."""
        first, *others = self.sides
        told = list(_said(first))
        for other in others:
            told += [(AGAINST, f"{other.game.id}/{other.roll.name}"), *_said(other)]
        return urlencode(told)

    @property
    def counts(self) -> list[Option]:
        parts = self.answer.found[0].parts if self.answer else ()
        return [Option(name, in_words(name.replace(".", ": "))) for name in parts]

    @property
    def usual(self) -> str:
        """What is drawn where nobody says."""
        if self.answer is None or self.sides[0].own.get(".goal"):
            return "what is usual"
        return self.answer.found[0].drawn

    @property
    def goals(self) -> list[str]:
        found = self.answer.found[0] if self.answer else None
        return [words(it) for it in found.outcomes] if found and len(found.outcomes) <= MOST_GOALS else []


def _said(side: Side) -> Iterator[tuple[str, str]]:
    """Inputs that say something: not those that are empty or as they would be anyway."""
    optional = [one.name for one in fields_of(side.roll.parameters) if not one.required]
    usual = dict(_texts(inputs_for(side.roll.parameters, {})))
    for name, text in dict(side.sent).items():
        is_usual = name.partition(".")[0] in optional and usual.get(IN_A_ROW.sub(".0.", name)) == text
        if text.strip() and name != AGAINST and not is_usual:
            yield side.prefix + name, text


def _texts(widgets: Sequence[Widget]) -> Iterator[tuple[str, str]]:
    for one in widgets:
        yield one.name, ("yes" if one.value else "no") if one.kind == "switch" else str(one.value)
        yield from _texts((*one.parts, *(part for row in one.rows[:1] for part in row)))


def shown(
    find: Callable[[str], Ruleset],
    named: tuple[str, str],
    sent: Sent,
    explorer: Explorer,
    enough: Callable[[], bool],
) -> Shown:
    """Read the settings from an address, of which the first is named by game and rule; answer, or say what is wrong."""
    if len(sent) > MOST_INPUTS or any(len(text) > LONGEST_INPUT for _, text in sent):
        raise Refusal("There is more in this address than the page has inputs.")
    game = find(named[0])
    first = Side(game, find_roll(game, named[1]), "", [pair for pair in sent if not pair[0].startswith(SECOND)])
    sides = (first, *_second(find, first, sent))
    try:
        answer = explorer.answer([side.setting() for side in sides], enough)
        chart = svg(answer.drawing(), in_a_page=True, styled=False)
    except ChanceError:
        return Shown(sides, faults=(TOO_MUCH,))
    except Refusal as refusal:
        return Shown(sides, faults=sentences_of(refusal))
    return Shown(sides, answer, chart=Markup(chart))  # noqa: S704 - every word in it is escaped by `svg`


def _second(find: Callable[[str], Ruleset], first: Side, sent: Sent) -> Iterator[Side]:
    said = dict(sent).get(AGAINST, "")
    if not said:
        return
    game, _, rule = said.partition("/")
    own = [(name.removeprefix(SECOND), text) for name, text in sent if name.startswith(SECOND)]
    ruleset = find(game)
    side = Side(ruleset, find_roll(ruleset, rule), SECOND, own)
    if side.roll.ask is first.roll.ask:  # the same is counted of both
        shared = [(name, first.own[name]) for name in (".of", ".goal") if name in first.own]
        side = replace(side, sent=[*side.sent, *shared])
    known = [one.value for one in side.axes]
    for name in (".over", ".and"):  # as many axes as the first has: the same ones, or the first that there are
        wanted = first.own.get(name, "")
        if wanted and side.own.get(name) not in known:
            free = [one for one in known if one != side.own.get(".over")]
            side = replace(side, sent=[*side.sent, (name, wanted if wanted in free else next(iter(free), ""))])
    yield side
