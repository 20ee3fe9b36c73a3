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
from astragal.surfaces.web.security.middleware import address_of
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
            return _slider(field, value, name)
        if widget := super().typed(field, value, name):
            return widget
        if isinstance(shape, shapes.ListShape):
            return Widget(kind="several", name=name, value=value or (), takes_others=True)
        return Widget(kind="line", name=name, value="" if value is None else str(value), longest=LONGEST)

    def row(self, kind: type, values: Mapping[str, Any], prefix: str) -> Iterator[Widget]:
        """Replace sliders in a row by plain inputs: numbers and choices there can be left empty, and a slider can't."""
        for widget in super().row(kind, values, prefix):
            plain_widget = replace(widget, doc="")
            value = values.get(widget.name.removeprefix(prefix))
            if widget.kind == "slider":
                yield replace(plain_widget, kind="number", value=value)
            elif widget.kind == "choice":
                text = "" if value is None else str(value)
                yield replace(plain_widget, value=text, options=(Option("", "—"), *widget.options))
            else:
                yield plain_widget


def _slider(field: definitions.Field, value: Any, name: str) -> Widget:
    """Build a slider over the limits of a number; if these are far apart, over its usual range and its value."""
    least, most = rolls.limits_of(field)
    if most - least > WIDEST:
        usual_range = rolls.number_range(field)
        least = min(usual_range[0], value or 0)
        most = max(usual_range[-1], value or 0)
    return Widget(kind="slider", name=name, value=value, least=least, most=most)


def inputs_for(kind: type, values: Mapping[str, Any], prefix: str = "") -> tuple[Widget, ...]:
    """Build an input for each field of a value, with these values. The names of inputs begin with the prefix."""
    return tuple(LabWidgets().inside(kind, values, prefix))


def values_from(roll: Roll, sent: Sent) -> dict[str, Any]:
    """Read plain values of the parameters from a form's inputs, without validation."""
    values = read_form(roll.parameters, sent)
    for field in definitions.fields_of(roll.parameters):
        has_alternatives = isinstance(field.shape, shapes.EitherShape) and len(field.shape.shapes) > 1
        if not has_alternatives:
            continue
        kind = rolls.record_in(field.shape)
        if kind:  # a record, or something else: inputs are the record's
            record = read_form(kind, _below(f"{field.name}.", sent))
            if record:
                values[field.name] = record
    return values


def _below(prefix: str, sent: Sent) -> Sent:
    """Return the inputs whose names begin with the prefix, without it."""
    return [(name.removeprefix(prefix), text) for name, text in sent if name.startswith(prefix)]


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
        paragraph = self.roll.doc.strip().split("\n\n")[0]
        in_one_line = " ".join(paragraph.split())
        return capitalised(without_clauses(in_one_line))

    @property
    def rolls(self) -> list[Roll]:
        return list(rolls_of(self.game).values())

    @property
    def axes(self) -> list[Option]:
        return [Option(path, in_words(path.replace(".", ": "))) for path in rolls.varying(self.roll)]

    @property
    def policies(self) -> list[Option]:
        names = [name for name in (*policies_of(self.game), BEST) if name != DECLINE]
        return [Option(name, in_words(name.replace("-", " "))) for name in names]

    def setting(self) -> Setting:
        """Build the setting that the inputs describe. Raises a refusal with everything that is wrong with them."""
        own_inputs = self.own
        reading = OddsOptions(
            of=own_inputs.get(".of") or None,
            policy=own_inputs.get(".policy") or None,
            goal=own_inputs.get(".goal") or None,
        )
        setting = Setting(self.game, self.roll, self.values, reading)
        values_by_path = rolls.varying(self.roll)
        axes: dict[str, Sequence[Any]] = {}
        for name in (".over", ".and"):
            path = own_inputs.get(name, "")
            if not path or path in axes:
                continue
            if path not in values_by_path:
                can_vary = ", ".join(values_by_path) or "nothing"
                raise BadQuestion(f"{path[:40]!r} can't vary here; {can_vary} can.")
            values = values_by_path[path]
            axes[path] = values if axes else self._bounded(values)
        return setting.over(axes)

    def _bounded(self, values: Sequence[Any]) -> Sequence[Any]:
        """Limit the first axis to the range that the user chose."""
        first_text = self._typed_number(".from")
        last_text = self._typed_number(".to")
        are_numbers = isinstance(values[0], int) and not isinstance(values[0], bool)
        if not are_numbers or not (first_text or last_text):
            return values
        try:
            first = int(first_text[:9]) if first_text else values[0]
            last = int(last_text[:9]) if last_text else values[-1]
        except ValueError:
            raise BadQuestion("From and to are whole numbers.") from None
        if not 0 <= last - first < LONGEST_AXIS:
            raise BadQuestion(f"From {first} to {last} is not 1 to {LONGEST_AXIS} numbers, going up.")
        return range(first, last + 1)

    def _typed_number(self, name: str) -> str:
        return self.own.get(name, "").strip().replace("−", "-")


class Shown(Struct, frozen=True, dict=True):
    """Content of the page: the settings, and their answer or why there is none."""

    sides: Sequence[Side]
    answer: Answer | None = None
    faults: tuple[str, ...] = ()
    chart: str = ""

    @cached
    def query(self) -> str:
        """Query string that shows the same again, without defaults."""
        first, *compared = self.sides
        inputs = list(_inputs_beside_defaults(first))
        for side in compared:
            inputs.append((AGAINST, f"{side.game.id}/{side.roll.name}"))
            inputs += _inputs_beside_defaults(side)
        return urlencode(inputs)

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
        """The outcomes to aim for, in words; none if there are too many to choose from."""
        if self.answer is None:
            return []
        outcomes = self.answer.found[0].outcomes
        if len(outcomes) > MOST_GOALS:
            return []
        return [words(outcome) for outcome in outcomes]


def _inputs_beside_defaults(side: Side) -> Iterator[tuple[str, str]]:
    """Iterate over the inputs that are neither empty nor at their defaults."""
    optional = [field.name for field in definitions.fields_of(side.roll.parameters) if not field.required]
    defaults = dict(_texts(inputs_for(side.roll.parameters, {})))
    for name, text in dict(side.sent).items():
        if not text.strip() or name == AGAINST:
            continue
        name_of_default = IN_A_ROW.sub(".0.", name)
        is_default = name.partition(".")[0] in optional and defaults.get(name_of_default) == text
        if not is_default:
            yield side.prefix + name, text


def _texts(widgets: Sequence[Widget]) -> Iterator[tuple[str, str]]:
    """Iterate over the names of inputs and their values as a form sends them; of rows, only over the first."""
    for widget in widgets:
        if widget.kind == "switch":
            yield widget.name, "yes" if widget.value else "no"
        else:
            yield widget.name, str(widget.value)
        yield from _texts(widget.parts)
        for row in widget.rows[:1]:
            yield from _texts(row)


def _apart(sent: Sent) -> tuple[Sent, Sent]:
    """Split inputs into those of the first setting, and those of the second without their prefix."""
    first = [(name, text) for name, text in sent if not name.startswith(SECOND)]
    return first, _below(SECOND, sent)


def _alike(side: Side, first: Side) -> Side:
    """Match the second setting to the first as far as it can be: what is counted, and as many axes."""
    if side.roll.ask is first.roll.ask:
        shared = [(name, first.own[name]) for name in (".of", ".goal") if name in first.own]
        side = replace(side, sent=[*side.sent, *shared])
    for name in (".over", ".and"):
        if first.own.get(name):
            side = _with_axis(side, name, preferred=first.own[name])
    return side


def _with_axis(side: Side, name: str, preferred: str) -> Side:
    """Let one more value vary in a setting, unless the input of this name says which: the preferred one if it can."""
    axes = [axis.value for axis in side.axes]
    if side.own.get(name) in axes:
        return side
    free_axes = [axis for axis in axes if axis != side.own.get(".over")]
    if preferred in free_axes:
        axis = preferred
    else:
        axis = next(iter(free_axes), "")
    return replace(side, sent=[*side.sent, (name, axis)])


def _markup(drawing: Drawing) -> str:
    return Markup(svg(drawing, in_a_page=True, styled=False))  # noqa: S704 - every word in it is escaped by `svg`


# ---------------------------------------------------------------- duels


PLAYS = ("best", "greedy", "decline")
"""Choices of how a side decides."""
FIGHTERS_OF_A_SIDE = ("1", "2", "3", "4")
FIRSTS = ("either", "one", "two")
"""Choices of which side acts first."""
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
        first, second = self.fighters
        return inputs_for(kind, parts_of(first)), inputs_for(kind, parts_of(second), SECOND)

    @property
    def query(self) -> str:
        return urlencode(self._filled_in())

    def _filled_in(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in dict(self.sent).items() if text.strip()]

    @property
    def foes(self) -> dict[str, str]:
        """The game's usual foes, each with the query by which the first fights them."""
        of_first = [(name, text) for name, text in self._filled_in() if not name.startswith(SECOND)]
        queries = {}
        for foe_name, foe in duels.duel_of(self.game).foes.items():
            of_foe = [(SECOND + part, value_words(value)) for part, value in parts_of(foe).items()]
            queries[foe_name] = urlencode([*of_first, *of_foe])
        return queries

    @property
    def chart(self) -> str:
        """Chart of the chance that it is over by each round."""
        chances = self.result.by_round[:MOST_ROUNDS] if self.result else ()
        over_by_round = {}
        for number, chance in enumerate(accumulate(chances), 1):
            over_by_round[number] = Fraction(min(chance, 1.0))
        drawing = curves([("over", "round", over_by_round)], "Chance that it is over", are_chances=True)
        return _markup(drawing)

    @property
    def plan(self) -> list[str]:
        """Charts of when to spend."""
        if self.result is None:
            return []
        return [_markup(chart) for chart in self.result.charts.values()]


def duel_shown(game: Ruleset, sent: Sent) -> DuelShown:
    """Let the two fighters of a URL fight. By default, the second is a usual foe of middling strength."""
    duel = duels.duel_of(game)
    kind = duel.fighter
    inputs_of_first, inputs_of_second = _apart(sent)
    options = dict(inputs_of_first)
    try:
        first: Any = validation.read(kind, read_form(kind, inputs_of_first))
        second: Any = duel.usual_foe
        if inputs_of_second:
            second = validation.read(kind, read_form(kind, inputs_of_second))
        plays = duels.Play(_option(options, PLAYS, ".play")), duels.Play(_option(options, PLAYS, ".theirs", ".play"))
        count_of_first = int(_option(options, FIGHTERS_OF_A_SIDE, ".many"))
        count_of_second = int(_option(options, FIGHTERS_OF_A_SIDE, ".foes"))
        sides = (first,) * count_of_first, (second,) * count_of_second
        result = _fought(_Game(game), sides, plays, _option(options, FIRSTS, ".first"))
        return DuelShown(game, sent, (first, second), result)
    except Refusal as refusal:
        return DuelShown(game, sent, (kind(), duel.usual_foe), faults=refusal.problems)


def _option(inputs: Mapping[str, str], choices: Sequence[str], *names: str) -> Any:
    """Return the choice in the first of these inputs that isn't empty, by default the first choice."""
    option = next((inputs[name] for name in names if inputs.get(name)), choices[0])
    if option not in choices:
        raise Refusal(f"{option!r:.40} is none of {', '.join(choices)}.")
    return option


class _Game:
    """Cache key of a game, compared by identity."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game

    def __eq__(self, key: object) -> bool:
        return isinstance(key, _Game) and key.game is self.game

    def __hash__(self) -> int:
        return id(self.game)


@lru_cache(maxsize=256)
def _fought(game: _Game, sides: Any, plays: Any, first: duels.First) -> duels.DuelResult:
    """Solve a duel. The 256 newest are cached: a page asks again with the same fighters, and solving takes longest."""
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
_turn = BoundedSemaphore(1)
_fight = BoundedSemaphore(1)


@router.get("")
def start(request: Request, game: str = "") -> Response:
    """Redirect to the first roll of a game, over its first parameter."""
    context = session.context_of(request)
    book = context.book(game) if game else next(iter(context.books.values()))
    roll = next(iter(rolls_of(book.ruleset).values()))
    first_parameter = next(iter(rolls.varying(roll)), "")
    address = f"/lab/{book.ruleset.id}/{roll.name}"
    if first_parameter:
        address += f"?.over={first_parameter}"
    return session.go_to(request, address)


@router.get("/duel")
def choose_fight(request: Request, game: str = "") -> Response:
    """Redirect to the duels of the chosen game, or of the first game that has any."""
    books = session.context_of(request).books.values()
    duellable = {book.ruleset.id: book.ruleset for book in books if book.ruleset.duel}
    ruleset = duellable.get(game) or next(iter(duellable.values()), None)
    return session.go_to(request, f"/lab/{ruleset.id}/duel" if ruleset else "/lab")


@router.get("/{game}/duel")
def fight(request: Request, game: str) -> HTMLResponse:
    """Two fighters of a game, and how their duel ends."""
    context = session.context_of(request)
    with _in_turn(request, _fight):
        duel = duel_shown(context.book(game).ruleset, request.query_params.multi_items())
    template = "lab/duel_answer.html" if rendering.is_part(request) else "lab/duel.html"
    games = [book.ruleset for book in context.books.values()]
    return rendering.page(request, template, errors.REFUSED if duel.faults else 200, shown=duel, games=games)


@router.get("/{game}/{rule}")
def explore(request: Request, game: str, rule: str) -> HTMLResponse:
    """The page, or only its answer after a slider was moved."""
    content = _shown(request, game, rule)
    template = "lab/answer.html" if rendering.is_part(request) else "lab/lab.html"
    games = [book.ruleset for book in session.context_of(request).books.values()]
    return rendering.page(
        request,
        template,
        errors.REFUSED if content.faults else 200,
        shown=content,
        games=games,
        against=AGAINST,
        rolls_of=rolls_of,
    )


@router.get("/{game}/{rule}/odds.{kind}")
def download(request: Request, game: str, rule: str, kind: str) -> Response:
    """The whole answer as a file."""
    content = _shown(request, game, rule)
    if content.faults:
        return errors.problem(request, errors.REFUSED, " ".join(content.faults))
    if content.answer is None or kind not in FILES:
        return errors.problem(request, 404, "There is no such format.")
    if content.answer.missing:
        return errors.problem(request, 503, "This is still being calculated. Try again.", headers={"Retry-After": "1"})
    media_type, write_file = FILES[kind]
    headers = {"Content-Disposition": f'attachment; filename="{content.sides[0].roll.name}.{kind}"'}
    return Response(write_file(content.answer), media_type=media_type, headers=headers)


@contextmanager
def _in_turn(request: Request, turn: BoundedSemaphore) -> Iterator[None]:
    """Answer one question at a time, with a rate limit that people at one address share."""
    context = session.context_of(request)
    if seconds := context.paces.wait(("lab", address_of(request))):
        raise errors.TooFast(seconds)
    if not turn.acquire(timeout=PATIENCE):
        raise errors.TooFast(1.0)
    try:
        yield
    finally:
        turn.release()


def _shown(request: Request, game: str, rule: str) -> Shown:
    """Read the settings from the URL, the first one of this rule. Return their answer, or what is wrong with them."""
    context = session.context_of(request)
    sent = request.query_params.multi_items()
    if len(sent) > MOST_INPUTS or any(len(text) > LONGEST_INPUT for _, text in sent):
        raise Refusal("There is more in this address than the page has inputs.")
    inputs_of_first, inputs_of_second = _apart(sent)
    with _in_turn(request, _turn):
        end = context.ticks() + WORK
        ruleset = context.book(game).ruleset
        first = Side(ruleset, find_roll(ruleset, rule), "", inputs_of_first)
        sides = [first]
        if against := dict(sent).get(AGAINST, ""):
            second_game, _, second_rule = against.partition("/")
            ruleset = context.book(second_game).ruleset
            second = Side(ruleset, find_roll(ruleset, second_rule), SECOND, inputs_of_second)
            sides.append(_alike(second, first))
        try:
            settings = [side.setting() for side in sides]
            answer = _explorer.answer(settings, lambda: context.ticks() > end)
            return Shown(sides, answer, chart=_markup(answer.drawing()))
        except ChanceError:
            return Shown(sides, faults=(TOO_MUCH,))
        except Refusal as refusal:
            return Shown(sides, faults=refusal.problems)
