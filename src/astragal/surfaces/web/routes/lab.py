"""The lab: explore any rule of any game with sliders, in one setting or two, and duels. No seat or table is needed.

All state is in the URL. Inputs are made from the definitions of a rule's parameters, and read back from the URL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from astragal.chance import ChanceError
from astragal.chance.charts import curves
from astragal.chance.drawings import Drawing, svg
from astragal.chance.pictures import words
from astragal.lab import duels, rolls
from astragal.lab.explore import Answer, Explorer, Setting
from astragal.lab.rolls import BEST, DECLINE, BadQuestion, OddsOptions, Roll, find_roll, policies_of, rolls_of
from astragal.lab.solving import Fight
from astragal.surfaces.shared.context import cached
from astragal.surfaces.shared.words import value_words, without_clauses
from astragal.surfaces.web import errors, rendering, session
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.forms.form import Widget, WidgetBuilder, read_form
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import parts_of
from astragal.table.fields import definitions, shapes, validation
from astragal.table.fields.shapes import said
from astragal.table.refusals import Refusal
from astragal.wording import capitalised, in_words

WIDEST = 60
"""The most steps of a slider. A number with wider limits gets one over its usual range, extended to its value."""
LONGEST = 60
"""The longest text, such as damage in dice notation."""


class LabWidgets(WidgetBuilder):
    """Widgets of a rule's parameters: numbers are sliders, and every shape has an input."""

    def typed(self, field: definitions.Field, value: Any, name: str) -> Widget:
        shape = said(field.shape)
        if kind := rolls.record_in(shape):
            return Widget(kind="group", name=name, parts=tuple(self.inside(kind, value, f"{name}.")))
        if isinstance(shape, shapes.NumberShape):
            least, most = rolls.limits_of(field)
            if most - least > WIDEST:
                usual = rolls.number_range(field)
                least, most = min(usual[0], value or 0), max(usual[-1], value or 0)
            return Widget(kind="slider", name=name, value=value, least=least, most=most)
        if made := super().typed(field, value, name):
            return made
        if isinstance(shape, shapes.ListShape):
            return Widget(kind="several", name=name, value=value or (), takes_others=True)
        return Widget(kind="line", name=name, value="" if value is None else str(value), longest=LONGEST)

    def row(self, kind: type, values: Mapping[str, Any], prefix: str) -> Iterator[Widget]:
        """Replace sliders in a row by plain inputs: numbers and choices there can be left empty, and a slider can't."""
        for one in super().row(kind, values, prefix):
            widget, value = replace(one, doc=""), values.get(one.name.removeprefix(prefix))
            if widget.kind == "slider":
                widget = replace(widget, kind="number", value=value)
            elif widget.kind == "choice":
                text = "" if value is None else str(value)
                widget = replace(widget, value=text, options=(Option("", "—"), *widget.options))
            yield widget


def inputs_for(kind: type, values: Mapping[str, Any], prefix: str = "") -> tuple[Widget, ...]:
    """Build an input for each field of a value, with these values. The names of inputs begin with the prefix."""
    return tuple(LabWidgets().inside(kind, values, prefix))


def values_from(roll: Roll, sent: Sent) -> dict[str, Any]:
    """Read plain values of the parameters from a form's inputs, without validation."""
    values = read_form(roll.parameters, sent)
    for field in definitions.fields_of(roll.parameters):
        several = isinstance(field.shape, shapes.EitherShape) and len(field.shape.shapes) > 1
        if several and (kind := rolls.record_in(field.shape)):  # a record, or something else: inputs are the record's
            start = f"{field.name}."
            inner = read_form(kind, [(name.removeprefix(start), text) for name, text in sent if name.startswith(start)])
            values |= {field.name: inner} if inner else {}
    return values


AGAINST = ".against"
SECOND = "b-"
"""Prefix of the second setting's inputs. No parameter has a hyphen in its name."""
MOST_PATHS = 20_000
"""The most paths of one point. More is refused here, and left to the terminal."""
LONGEST_AXIS = 61
MOST_INPUTS = 400
LONGEST_INPUT = 200
MOST_GOALS = 40
"""The most outcomes to choose from."""
TOO_MUCH = "That is too much work for a web page. The terminal has no such limit: astragal lab explore."
IN_A_ROW = re.compile(r"\.\d+\.")
Sent = Sequence[tuple[str, str]]


class Side(Struct, frozen=True):
    """One of the settings: its roll, its inputs, and what can be chosen about it."""

    game: Ruleset
    roll: Roll
    prefix: str
    sent: Sent
    """Its own inputs, without the prefix."""

    @property
    def own(self) -> dict[str, str]:
        return session.own_inputs(self.sent)

    @property
    def values(self) -> dict[str, Any]:
        return values_from(self.roll, self.sent)

    @property
    def inputs(self) -> tuple[Widget, ...]:
        return inputs_for(self.roll.parameters, Setting(self.game, self.roll, self.values).values, self.prefix)

    @property
    def about(self) -> str:
        """The first paragraph of the rule's docstring."""
        return capitalised(without_clauses(" ".join(self.roll.doc.strip().split("\n\n")[0].split())))

    @property
    def rolls(self) -> list[Roll]:
        return list(rolls_of(self.game).values())

    @property
    def axes(self) -> list[Option]:
        return [Option(path, in_words(path.replace(".", ": "))) for path in rolls.varying(self.roll)]

    @property
    def policies(self) -> list[Option]:
        return [
            Option(name, in_words(name.replace("-", " ")))
            for name in (*policies_of(self.game), BEST)
            if name != DECLINE
        ]

    def setting(self) -> Setting:
        """Build the setting that the inputs describe. Raises a refusal with everything that is wrong with them."""
        own = self.own
        reading = OddsOptions(**{name: own.get(f".{name}") or None for name in ("of", "policy", "goal")})
        found = Setting(self.game, self.roll, self.values, reading)
        paths = [path for path in dict.fromkeys((own.get(".over", ""), own.get(".and", ""))) if path]
        known, axes = rolls.varying(self.roll), {}
        for path in paths:
            if path not in known:
                raise BadQuestion(f"{path[:40]!r} can't vary here; {', '.join(known) or 'nothing'} can.")
            axes[path] = self._bounded(known[path]) if path == paths[0] else known[path]
        return found.over(axes)

    def _bounded(self, values: Sequence[Any]) -> Sequence[Any]:
        """Limit the first axis to the range that the user chose."""
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


class Shown(Struct, frozen=True, dict=True):
    """Content of the page: the settings, and their answer or why there is none."""

    sides: Sequence[Side]
    answer: Answer | None = None
    faults: tuple[str, ...] = ()
    chart: str = ""

    @cached
    def query(self) -> str:
        """Query string that shows the same again, without defaults."""
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
        """The outcome that is drawn by default."""
        if self.answer is None or self.sides[0].own.get(".goal"):
            return "what is usual"
        return self.answer.found[0].drawn

    @property
    def goals(self) -> list[str]:
        found = self.answer.found[0] if self.answer else None
        return [words(it) for it in found.outcomes] if found and len(found.outcomes) <= MOST_GOALS else []


def _said(side: Side) -> Iterator[tuple[str, str]]:
    """Iterate over the inputs that are neither empty nor at their defaults."""
    optional = [one.name for one in definitions.fields_of(side.roll.parameters) if not one.required]
    usual = dict(_texts(inputs_for(side.roll.parameters, {})))
    for name, text in dict(side.sent).items():
        is_usual = name.partition(".")[0] in optional and usual.get(IN_A_ROW.sub(".0.", name)) == text
        if text.strip() and name != AGAINST and not is_usual:
            yield side.prefix + name, text


def _texts(widgets: Sequence[Widget]) -> Iterator[tuple[str, str]]:
    for one in widgets:
        yield one.name, ("yes" if one.value else "no") if one.kind == "switch" else str(one.value)
        yield from _texts((*one.parts, *(part for row in one.rows[:1] for part in row)))


def _apart(sent: Sent) -> tuple[Sent, Sent]:
    """Split inputs into those of the first setting, and those of the second without their prefix."""
    second = [(name.removeprefix(SECOND), text) for name, text in sent if name.startswith(SECOND)]
    return [pair for pair in sent if not pair[0].startswith(SECOND)], second


def _alike(side: Side, first: Side) -> Side:
    """Match the second setting to the first as far as it can be: what is counted, and as many axes."""
    if side.roll.ask is first.roll.ask:
        shared = [(name, first.own[name]) for name in (".of", ".goal") if name in first.own]
        side = replace(side, sent=[*side.sent, *shared])
    known = [one.value for one in side.axes]
    for name in (".over", ".and"):  # the same axes, or the first that are free
        wanted = first.own.get(name, "")
        if wanted and side.own.get(name) not in known:
            free = [one for one in known if one != side.own.get(".over")]
            side = replace(side, sent=[*side.sent, (name, wanted if wanted in free else next(iter(free), ""))])
    return side


def _drawn(drawing: Drawing) -> str:
    return Markup(svg(drawing, in_a_page=True, styled=False))  # noqa: S704 - every word in it is escaped by `svg`


# ---------------------------------------------------------------- duels


PLAYS, MANY, FIRSTS = ("best", "greedy", "decline"), ("1", "2", "3", "4"), ("either", "one", "two")
"""Choices: how a side decides, how many fighters it has, and who acts first."""
MOST_STATES = 12_000
"""The most states of a fight that is solved for a page. Larger ones are left to the terminal."""
MOST_ROUNDS = 20
"""The most rounds that are drawn."""
TOO_LONG = "Such a fight is too much work for a web page. The terminal has no such limit: astragal lab duel."


class DuelShown(Struct, frozen=True):
    """Both fighters with their inputs, and how their duel ends or why that can't be calculated."""

    game: Ruleset
    sent: Sent
    fighters: tuple[Any, Any]
    result: duels.DuelResult | None = None
    faults: tuple[str, ...] = ()

    @property
    def own(self) -> dict[str, str]:
        return session.own_inputs(self.sent)

    @property
    def inputs(self) -> tuple[tuple[Widget, ...], ...]:
        kind = duels.duel_of(self.game).fighter
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
            name: urlencode([*own, *((SECOND + part, value_words(value)) for part, value in parts_of(foe).items())])
            for name, foe in duels.duel_of(self.game).foes.items()
        }

    @property
    def chart(self) -> str:
        """Chart of the chance that it is over by each round."""
        over = accumulate(self.result.by_round[:MOST_ROUNDS] if self.result else ())
        lines = [("over", "round", {number: Fraction(min(chance, 1.0)) for number, chance in enumerate(over, 1)})]
        return _drawn(curves(lines, "Chance that it is over", are_chances=True))

    @property
    def plan(self) -> list[str]:
        """Charts of when to spend."""
        return [_drawn(chart) for chart in self.result.charts.values()] if self.result else []


def duel_shown(game: Ruleset, sent: Sent) -> DuelShown:
    """Let the two fighters of a URL fight. By default, the second is a usual foe of middling strength."""
    declared = duels.duel_of(game)
    kind = declared.fighter
    own, other = _apart(sent)
    first, foe = kind(), declared.usual_foe
    said = dict(own)

    def chosen(options: Sequence[str], *names: str) -> Any:
        """Return the chosen option, by default the first."""
        option = next((said[name] for name in names if said.get(name)), options[0])
        if option not in options:
            raise Refusal(f"{option!r:.40} is none of {', '.join(options)}.")
        return option

    try:
        mine: Any = validation.read(kind, read_form(kind, own))
        fighters = mine, validation.read(kind, read_form(kind, other)) if other else foe
        plays = duels.Play(chosen(PLAYS, ".play")), duels.Play(chosen(PLAYS, ".theirs", ".play"))
        many = chosen(MANY, ".many"), chosen(MANY, ".foes")
        sides = tuple((one,) * int(count) for one, count in zip(fighters, many, strict=True))
        return DuelShown(game, sent, fighters, _fought(_Game(game), sides, plays, chosen(FIRSTS, ".first")))
    except Refusal as refusal:
        return DuelShown(game, sent, (first, foe), faults=refusal.problems)


class _Game:
    """Cache key of a game, compared by identity."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Game) and other.game is self.game

    def __hash__(self) -> int:
        return id(self.game)


@lru_cache(maxsize=256)
def _fought(game: _Game, sides: Any, plays: Any, first: duels.First) -> duels.DuelResult:
    if Fight(duels.duel_of(game.game), game.game.options(), sides, plays).states > MOST_STATES:
        raise Refusal(TOO_LONG)
    return duels.duel(game.game, *sides, play=plays, first=first)


# ---------------------------------------------------------------- routes

router = APIRouter(prefix="/lab")

WORK = 0.03
"""Seconds in which one request starts further points. The page asks again for the rest."""
PATIENCE = 2.0
"""Seconds to wait for another question. Only one is answered at a time, so that tables are not held up."""
FILES: Mapping[str, tuple[str, Callable[[Answer], str | bytes]]] = {
    "csv": ("text/csv; charset=utf-8", Answer.csv),
    "json": ("application/json", Answer.json),
    "svg": ("image/svg+xml", Answer.svg),
    "png": ("image/png", Answer.png),
}

_explorer = Explorer(MOST_PATHS)
_turn, _fight = BoundedSemaphore(1), BoundedSemaphore(1)


@router.get("")
def start(request: Request, game: str = "") -> Response:
    """Redirect to the first roll of a game, over its first parameter."""
    context = session.context_of(request)
    ruleset = (context.book(game) if game else next(iter(context.books.values()))).ruleset
    roll = next(iter(rolls_of(ruleset).values()))
    over = next(iter(rolls.varying(roll)), "")
    return session.go_to(request, f"/lab/{ruleset.id}/{roll.name}" + (f"?.over={over}" if over else ""))


@router.get("/duel")
def choose_fight(request: Request, game: str = "") -> Response:
    """Redirect to the duels of the chosen game, or of the first game that has any."""
    rulesets = {one.ruleset.id: one.ruleset for one in session.context_of(request).books.values() if one.ruleset.duel}
    found = rulesets.get(game) or next(iter(rulesets.values()), None)
    return session.go_to(request, f"/lab/{found.id}/duel" if found else "/lab")


@router.get("/{game}/duel")
def fight(request: Request, game: str) -> HTMLResponse:
    """Two fighters of a game, and how their duel ends."""
    context = session.context_of(request)
    with _in_turn(request, _fight):
        found = duel_shown(context.book(game).ruleset, request.query_params.multi_items())
    template = "lab/duel_answer.html" if rendering.is_part(request) else "lab/duel.html"
    games = [book.ruleset for book in context.books.values()]
    return rendering.page(request, template, errors.REFUSED if found.faults else 200, shown=found, games=games)


@router.get("/{game}/{rule}")
def explore(request: Request, game: str, rule: str) -> HTMLResponse:
    """The page, or only its answer after a slider was moved."""
    found = _shown(request, game, rule)
    template = "lab/answer.html" if rendering.is_part(request) else "lab/lab.html"
    games = [book.ruleset for book in session.context_of(request).books.values()]
    return rendering.page(
        request,
        template,
        errors.REFUSED if found.faults else 200,
        shown=found,
        games=games,
        against=AGAINST,
        rolls_of=rolls_of,
    )


@router.get("/{game}/{rule}/odds.{kind}")
def download(request: Request, game: str, rule: str, kind: str) -> Response:
    """The whole answer as a file."""
    found = _shown(request, game, rule)
    if found.answer is None or kind not in FILES:
        return errors.problem(
            request, errors.REFUSED if found.faults else 404, " ".join(found.faults) or "There is no such format."
        )
    if found.answer.missing:
        return errors.problem(request, 503, "This is still being calculated. Try again.", headers={"Retry-After": "1"})
    headers = {"Content-Disposition": f'attachment; filename="{found.sides[0].roll.name}.{kind}"'}
    media_type, made = FILES[kind]
    return Response(made(found.answer), media_type=media_type, headers=headers)


@contextmanager
def _in_turn(request: Request, turn: BoundedSemaphore) -> Iterator[None]:
    """Answer one question at a time, with a rate limit that people at one address share."""
    if seconds := session.context_of(request).paces.wait(("lab", request.client.host if request.client else "")):
        raise errors.TooFast(seconds)
    if not turn.acquire(timeout=PATIENCE):
        raise errors.TooFast(1.0)
    try:
        yield
    finally:
        turn.release()


def _shown(request: Request, game: str, rule: str) -> Shown:
    """Read the settings from the URL, the first one of this rule. Return their answer, or what is wrong with them."""
    context, sent = session.context_of(request), request.query_params.multi_items()
    if len(sent) > MOST_INPUTS or any(len(text) > LONGEST_INPUT for _, text in sent):
        raise Refusal("There is more in this address than the page has inputs.")
    own, other = _apart(sent)
    with _in_turn(request, _turn):
        end = context.ticks() + WORK
        ruleset = context.book(game).ruleset
        sides = [Side(ruleset, find_roll(ruleset, rule), "", own)]
        if against := dict(sent).get(AGAINST, ""):
            name, _, second = against.partition("/")
            ruleset = context.book(name).ruleset
            sides.append(_alike(Side(ruleset, find_roll(ruleset, second), SECOND, other), sides[0]))
        try:
            answer = _explorer.answer([side.setting() for side in sides], lambda: context.ticks() > end)
            return Shown(sides, answer, chart=_drawn(answer.drawing()))
        except ChanceError:
            return Shown(sides, faults=(TOO_MUCH,))
        except Refusal as refusal:
            return Shown(sides, faults=refusal.problems)
