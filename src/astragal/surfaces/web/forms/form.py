"""A form for a command, from the command's own definition: nothing about any command is written here.

Choices come from the people and things at the table, and from what the furniture of sheets names.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, NamedTuple

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.surfaces.shared.words import capitalised, in_words
from astragal.surfaces.web.forms.read import key_in_name
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.display import Choices, Tags
from astragal.table.declarations import Scope, Sight, kind_of_command
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import (
    ChoiceShape,
    EitherShape,
    FlagShape,
    ListShape,
    MappingShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
    choices_in,
    said,
)
from astragal.table.refusals import BadFields, Refusal
from astragal.table.state.table import Character
from astragal.table.visibility.redact import plain

OF_THE_BOOK = frozenset({"number", "price"})
"""Kinds of things that the game names, and the skin perhaps otherwise; all others are named by people."""


class Option(NamedTuple):
    """A value that can be chosen, in words."""

    value: str
    words: str
    doc: str = ""


def options_of(values: Iterable[Any]) -> tuple[Option, ...]:
    """Values of a definition, in words."""
    return tuple(Option(str(one), in_words(str(one))) for one in values)


def named_things(session: SeatSession, command: type, field: Field) -> list[Option]:
    """Those that a field of this kind can name; who acts is one of the seat's own, where that is the rule."""
    found: list[Option] = []
    for kind in (field.names or "").split(" or "):
        if kind == "character":
            found += [Option(one.id, one.name) for one in _characters(session, command, field)]
        elif kind == "request" and not session.is_game_master:
            own = (one for one in session.state.requests.values() if one.who in session.viewer.characters)
            found += [Option(one.id, one.what_for or one.id) for one in own]
        else:
            is_of_the_book = kind in OF_THE_BOOK
            for key, words in (session.things(kind) or {}).items():
                said = session.in_skin(in_words(session.teller.term(words))) if is_of_the_book else words
                found.append(Option(key, said))
    return found


def targets(session: SeatSession, who: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Foes before friends, and never the one who acts: a foe is played from the other side of the screen."""
    characters = session.state.characters
    is_hero = who not in characters or characters[who].seat is not None

    def is_friend(option: Option) -> bool:
        other = characters.get(option.value)
        return other is not None and (other.seat is not None) is is_hero

    return tuple(sorted((one for one in options if one.value and one.value != who), key=is_friend))


def _characters(session: SeatSession, command: type, field: Field) -> Iterator[Character[Any]]:
    """Who acts is one's own where it can be; whom it is done to is rather somebody else."""
    about = kind_of_command(command)
    acts = field.name == about.actor
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    others = [one for one in session.state.characters.values() if one.id not in session.viewer.characters]
    if acts and about.may.get(session.viewer.role) is Scope.OWN:
        others = []
    yield from (*own, *others) if acts or about.actor is None else (*others, *own)


def furnished(session: SeatSession, field: Field) -> tuple[list[Option], list[Option]]:
    """What furniture names for a field: what its scores fill in, and further words to choose from."""
    characters = list(session.state.characters.values())
    seen = [one for one in characters if one.id in session.viewer.characters] or characters
    wanted = field.name.rpartition("_")[2]
    exact: dict[str, Option] = {}
    words: dict[str, Option] = {}
    for piece in chain.from_iterable(pieces_of(session, one) or () for one in seen):
        if isinstance(piece, Choices) and piece.label.casefold() in (wanted, f"{wanted}s"):
            words |= {word: Option(word, word, doc) for word, doc in piece.rows}
        if isinstance(piece, Tags) and field.name in piece.fills:
            exact |= {name: Option(name, said) for name, said in zip(piece.names, piece.words, strict=True)}
    for label, name, value in fillings(session, seen):
        if name == field.name:
            exact.setdefault(str(value), Option(str(value), session.teller.label(label)))
    return list(exact.values()), [one for word, one in words.items() if word not in exact]


LONG = 120
"""Texts that may be longer get more than a line."""
MOST_SEGMENTS = 4
WIDEST_SEGMENTS = 42
"""So few and so short choices lie side by side."""
FREE_ROWS = 2
CLAUSE = re.compile(r"^[A-Z]{2}[-+]\d+( to [A-Z]{2}[-+]\d+)?: ")
"""The book's clause at the head of a field's documentation: players need it least."""


@dataclass(frozen=True, kw_only=True)
class Widget:
    """One input of a form, or several that belong together."""

    kind: Literal["fixed", "choice", "number", "slider", "switch", "line", "area", "several", "pairs", "group", "rows"]
    name: str
    label: str = ""
    doc: str = ""
    value: Any = None
    required: bool = False
    options: tuple[Option, ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    parts: tuple[Widget, ...] = ()
    rows: tuple[tuple[Widget, ...], ...] = ()
    takes_others: bool = False
    """May words be given that are not among the options?"""
    is_small: bool = False
    """Is it one of several in a row, with little room?"""
    is_said: bool = False
    """Has it another value than its default?"""
    fault: str = ""
    """What is wrong with it, in a sentence that names it."""

    @property
    def id(self) -> str:
        return "f-" + self.name.translate({ord("."): "-", ord("%"): "-", ord(";"): None, ord("="): None})

    @property
    def is_segmented(self) -> bool:
        words = [option.words for option in self.options]
        return not self.is_small and len(words) <= MOST_SEGMENTS and sum(map(len, words)) <= WIDEST_SEGMENTS

    @property
    def filled_rows(self) -> tuple[tuple[Widget, ...], ...]:
        return self.rows[:-FREE_ROWS]

    @property
    def free_rows(self) -> tuple[tuple[Widget, ...], ...]:
        return self.rows[-FREE_ROWS:]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values of a list, as texts."""
        return tuple(str(one) for one in self.value or ())

    @property
    def others(self) -> str:
        """The chosen words that are not among the options."""
        known = {option.value for option in self.options}
        return "; ".join(one for one in self.chosen if one not in known)


def plain_input(shape: Shape, value: Any, name: str) -> Widget | None:
    """The widget of a value whose definition says all there is to choose; None for other shapes."""
    match shape:
        case FlagShape():
            return Widget(kind="switch", name=name, value=bool(value))
        case NumberShape(least=least, most=most):
            return Widget(kind="number", name=name, value=value, least=least, most=most)
        case ChoiceShape(values=values):
            return Widget(kind="choice", name=name, value=str(value), options=options_of(values))
        case ListShape(item=ChoiceShape(values=values)):
            return Widget(kind="several", name=name, value=value or (), options=options_of(values))
        case _:
            return None


@dataclass(frozen=True, kw_only=True)
class Form:
    """The form of a command."""

    command: str
    title: str
    doc: str
    first: tuple[Widget, ...]
    more: tuple[Widget, ...]
    """What may be left as it is, folded away."""
    spend: Widget | None
    """What pays for the roll: it lies among the odds, a choice for each spend with its chance."""
    id: str
    """The command's id: sent twice, it is done once."""
    rolls: bool
    may_hide: bool
    by_hand: bool
    sight: Sight = Sight.OPEN
    """Who shall see the dice; a form that comes back has it as it was."""
    thrown: bool = False
    """Are the dice thrown by hand this time?"""
    faults: tuple[str, ...] = ()
    """What is wrong that belongs to no single input."""

    @property
    def refused(self) -> tuple[str, ...]:
        """All faults in sentences, for the place beside the button."""
        widgets = (*self.first, *self.more)
        inner = (part.fault for one in widgets for part in one.parts if part.fault)
        return (*self.faults, *(one.fault for one in widgets if one.fault), *inner)

    @property
    def shows_more(self) -> bool:
        """Is something of what is folded away said, or wrong?"""
        return any(one.fault or one.is_said for one in self.more)

    def refused_with(self, refusal: Refusal, in_skin: Callable[[str], str] = str) -> Form:
        """The same form, each problem beside its input; those without one beside the button."""
        faults: dict[str, list[str]] = {}
        if isinstance(refusal, BadFields):
            parts = {part.name for one in (*self.first, *self.more) for part in one.parts}
            for problem, path in zip(refusal.problems, refusal.paths, strict=True):
                inner = ".".join(key_in_name(str(part)) for part in path)
                faults.setdefault(inner if inner in parts or not path else str(path[0]), []).append(problem)
        else:
            faults[refusal.field] = [refusal.sentence]

        def marked(widget: Widget) -> Widget:
            name = widget.name.rstrip(";=")
            widget = replace(widget, parts=tuple(map(marked, widget.parts)))
            own = [in_skin(_sentence(widget, name, one)) for one in faults.pop(name, ())]
            return replace(widget, fault=" ".join(own)) if own else widget

        first, more = tuple(map(marked, self.first)), tuple(map(marked, self.more))
        return replace(
            self, first=first, more=more, faults=tuple(in_skin(one) for some in faults.values() for one in some)
        )


def form_of(session: SeatSession, command: str, given: Mapping[str, Any]) -> Form:
    """The form of a command, with these fields filled in."""
    kind = session.book.command(command)
    action = session.book.actions.get(command)
    builder = _WidgetBuilder(session, kind, command, action.spend.field if action and action.spend else None)
    actor = kind_of_command(kind).actor

    def rank(field: Field) -> int:
        """Never by what is filled in: a form that comes back has its inputs where they were."""
        return 0 if field.name == actor else 1 if field.required else 2 if field.is_free_text else 3

    ordered = sorted(fields_of(kind), key=rank)
    widgets = {field.name: builder.widget(field, given.get(field.name)) for field in ordered}
    shown = {name: widget for name, widget in widgets.items() if widget is not None}
    seldom = {field.name for field in fields_of(kind) if field.is_seldom}
    spend = shown.pop(builder.spend, None) if builder.spend else None
    first = [widget for name, widget in shown.items() if name not in seldom]
    more = [widget for name, widget in shown.items() if name in seldom]
    rolls = action is not None and action.gather is not None
    return Form(
        command=command,
        title=session.in_skin(in_words(command)),
        doc=session.in_skin((kind.__doc__ or "").strip()),
        first=tuple(first),
        more=tuple(more),
        spend=spend,
        id=secrets.token_hex(8),
        rolls=rolls,
        may_hide=rolls and session.is_game_master,
        by_hand=rolls and session.state.house.hand_dice and not session.own.ai,
    )


def _sentence(widget: Widget, name: str, problem: str) -> str:
    """A problem as a sentence that names its input: “Points must be at most 99.”, “Stakes: say what is at stake.”"""
    if problem.startswith(f"{name} "):
        problem = f"{widget.label} {problem.removeprefix(f'{name} ')}"
    elif problem[:1].isupper() and not problem.startswith(widget.label):
        problem = f"{widget.label}: {problem}"
    return problem if problem.endswith((".", "!", "?", "…")) else f"{problem}."


@dataclass(frozen=True)
class _WidgetBuilder:
    """Builds the widgets of a command's fields."""

    session: SeatSession
    kind: type
    command: str
    spend: str | None

    def widget(self, field: Field, given: Any, prefix: str = "") -> Widget | None:
        """The widget of a field; None if there is nothing to choose from, as with a clock where no clock is running."""
        value = plain(field.default if given is None else given)
        made = self._typed(field, said(field.shape), value, prefix + field.name)
        if made is None:
            return None
        doc = self.session.in_skin(CLAUSE.sub("", field.doc or ""))
        return replace(
            made,
            label=self.session.in_skin(in_words(self.session.teller.term(field.name))),
            doc=capitalised(doc),
            required=field.required,
            is_said=value != plain(field.default),
        )

    def _typed(self, field: Field, shape: Shape, value: Any, name: str) -> Widget | None:
        match shape:
            case ListShape(item=item):
                return self._list(field, said(item), value, name)
            case MappingShape(item=item):
                return self._pairs(said(item), value, name)
            case RecordShape(kind=kind):
                return Widget(kind="group", name=name, parts=tuple(self._inside(kind, value, f"{name}.")))
            case FlagShape() | NumberShape():
                return plain_input(shape, value, name)
            case _:
                return self._words(field, shape, value, name)

    def _words(self, field: Field, shape: Shape, value: Any, name: str) -> Widget | None:
        text = "" if value is None else str(value)
        if field.names:
            named = named_things(self.session, self.kind, field)
            return _choice(field, name, text, named) if named or field.required else None
        if isinstance(shape, ChoiceShape):
            return _choice(field, name, text, [self._option(one) for one in shape.values])
        exact, words = furnished(self.session, field)
        if exact:
            return _choice(field, name, text, [*exact, *words])
        words += [self._option(one) for one in choices_in(shape)]
        words += [Option(one, one) for one in (self.session.things(field.suggests) or {} if field.suggests else ())]
        shapes = shape.shapes if isinstance(shape, EitherShape) else (shape,)
        longest = next((one.most for one in shapes if isinstance(one, TextShape)), None)
        long = longest is None or longest > LONG
        area: Literal["area", "line"] = "area" if long and not words else "line"
        return Widget(kind=area, name=name, value=text, longest=longest, options=tuple(words))

    def _list(self, field: Field, item: Shape, value: Any, name: str) -> Widget | None:
        if isinstance(item, RecordShape):
            given = [*(value or ()), *({} for _ in range(FREE_ROWS))]
            rows = (self._inside(item.kind, one, f"{name}.{place}.") for place, one in enumerate(given))
            small = tuple(tuple(replace(one, is_small=True) for one in row) for row in rows)
            return Widget(kind="rows", name=name, rows=small)
        if isinstance(item, ChoiceShape):
            options, others = [self._option(one) for one in item.values], False
        elif field.names:
            options, others = named_things(self.session, self.kind, field), False
            if not options and not field.required:
                return None
        else:
            exact, words = furnished(self.session, field)
            options, others = [*exact, *words], isinstance(item, TextShape)
        return Widget(
            kind="several",
            name=name,
            value=value or (),
            options=tuple(options),
            takes_others=others or not options,
        )

    def _pairs(self, item: Shape, value: Any, name: str) -> Widget:
        """An input for each key of a mapping; further pairs go into a text area."""
        parts: list[Widget] = []
        for key, one in (value or {}).items():
            about: dict[str, Any] = {"name": f"{name}.{key_in_name(key)}", "label": self.session.teller.term(key)}
            if isinstance(item, ChoiceShape):
                options = (Option("", "—"), *(self._option(each) for each in item.values))
                parts.append(Widget(kind="choice", value=str(one), options=options, **about))
            else:
                parts.append(Widget(kind="number" if isinstance(item, NumberShape) else "line", value=one, **about))
        return Widget(kind="pairs", name=name, parts=tuple(parts))

    def _inside(self, kind: type, value: Any, prefix: str) -> Iterator[Widget]:
        values = value if isinstance(value, Mapping) else {}
        for field in fields_of(kind):
            made = self.widget(replace(field, required=False), values.get(field.name), prefix)
            if made is not None:
                yield made

    def _option(self, value: Any) -> Option:
        text = str(value)
        words = self.session.teller.term(text)
        return Option(text, words if words != text else self.session.in_skin(in_words(text)))


def _choice(field: Field, name: str, value: str, options: Sequence[Option]) -> Widget:
    """A choice among options; an optional one begins with an empty option."""
    if field.required and len(options) == 1:
        return Widget(kind="fixed", name=name, value=options[0].value, options=tuple(options))
    free = () if field.required or (value and field.default is not None) else (Option("", "—"),)
    listed = (*free, *options)
    chosen = value if value or free or not options else options[0].value
    return Widget(kind="choice", name=name, value=chosen, options=listed)
