"""Forms generated from the definitions of commands; parsing of submitted forms. No single command is mentioned here."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared.words import says_more, without_clauses
from astragal.surfaces.web.forms.choices import (
    Option,
    named_things,
    options_from_sheets,
    options_of,
    people_in,
    present_values,
)
from astragal.surfaces.web.session import OWN, SeatSession
from astragal.table.declarations import Sight, kind_of_command
from astragal.table.fields import shapes
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import Shape, choices_in, said
from astragal.table.refusals import BadFields, Refusal
from astragal.table.visibility.redact import plain
from astragal.wording import capitalised, in_words

LONG = 120
"""Texts that may be longer than this get a text area."""
MOST_SEGMENTS = 4
WIDEST_SEGMENTS = 42
"""Choices are shown side by side if there are at most MOST_SEGMENTS, of WIDEST_SEGMENTS characters in all."""
FREE_ROWS = 2


class Widget(Struct, frozen=True, kw_only=True):
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
    """True if other words than the options may be given."""
    is_small: bool = False
    """True if it is one of several in a row, with little room."""
    is_said: bool = False
    """True if its value is not the default."""
    fault: str = ""
    """Validation error, in a sentence that names the input."""
    redraws: str = ""
    """Address of the form, which is loaded again after a choice if other inputs show values of the chosen character."""

    @property
    def id(self) -> str:
        return "f-" + self.name.translate({ord("."): "-", ord("%"): "-", ord(";"): None, ord("="): None})

    @property
    def is_wrong(self) -> bool:
        return bool(self.fault) or any(part.fault for part in self.parts)

    @property
    def is_segmented(self) -> bool:
        """True if its options are shown side by side."""
        if self.is_small or len(self.options) > MOST_SEGMENTS:
            return False
        return sum(len(option.words) for option in self.options) <= WIDEST_SEGMENTS

    @property
    def filled_rows(self) -> tuple[tuple[Widget, ...], ...]:
        return self.rows[:-FREE_ROWS]

    @property
    def free_rows(self) -> tuple[tuple[Widget, ...], ...]:
        return self.rows[-FREE_ROWS:]

    @property
    def chosen(self) -> tuple[str, ...]:
        """Values of a list, as texts."""
        return tuple(str(value) for value in self.value or ())

    @property
    def others(self) -> str:
        """Chosen words that are not among the options."""
        values = {option.value for option in self.options}
        return "; ".join(text for text in self.chosen if text not in values)


def plain_input(shape: Shape, value: Any, name: str) -> Widget | None:
    """Return the widget of a value whose definition alone determines its choices; None for other shapes."""
    match shape:
        case shapes.FlagShape():
            return Widget(kind="switch", name=name, value=bool(value))
        case shapes.NumberShape(least=least, most=most):
            return Widget(kind="number", name=name, value=value, least=least, most=most)
        case shapes.ChoiceShape(values=values):
            return Widget(kind="choice", name=name, value=str(value), options=options_of(values))
        case shapes.ListShape(item=shapes.ChoiceShape(values=values)):
            return Widget(kind="several", name=name, value=value or (), options=options_of(values))
        case _:
            return None


class Form(Struct, frozen=True, kw_only=True):
    """The form of a command."""

    command: str
    title: str
    doc: str
    first: tuple[Widget, ...]
    more: tuple[Widget, ...]
    """Inputs that are seldom changed, folded away."""
    spend: str
    """The field that pays for the roll. It is shown with the odds: a choice for each spend, with its chance."""
    id: str
    """The command's id: a form that is sent twice is done once."""
    may_hide: bool
    by_hand: bool
    sight: Sight = Sight.OPEN
    """Visibility of the dice. A form that comes back keeps it."""
    thrown: bool = False
    """True if the dice are thrown by hand this time."""
    faults: tuple[str, ...] = ()
    """Validation errors that belong to no single input."""

    @property
    def widgets(self) -> tuple[Widget, ...]:
        return (*self.first, *self.more)

    @property
    def refused(self) -> tuple[str, ...]:
        """All faults as sentences, to show beside the button."""
        faults_of_parts = []
        for widget in self.widgets:
            faults_of_parts += [part.fault for part in widget.parts if part.fault]
        return (*self.faults, *(widget.fault for widget in self.widgets if widget.fault), *faults_of_parts)

    @property
    def shows_more(self) -> bool:
        """True if a folded input has a fault or is not at its default."""
        return any(widget.fault or widget.is_said for widget in self.more)

    def refused_with(self, refusal: Refusal, in_skin: Callable[[str], str] = str) -> Form:
        """Return the same form with each problem beside its input, and those without an input beside the button."""
        problems_by_input = self._problems_by_input(refusal)

        def marked(widget: Widget) -> Widget:
            """Return an input with its problems, and with those of its parts."""
            widget = replace(widget, parts=tuple(map(marked, widget.parts)))
            name = widget.name.rstrip(";=")
            problems = problems_by_input.pop(name, [])
            if not problems:
                return widget
            sentences = [in_skin(_with_label(problem, name, widget.label)) for problem in problems]
            return replace(widget, fault=" ".join(sentences))

        first = tuple(map(marked, self.first))
        more = tuple(map(marked, self.more))
        problems_elsewhere = chain.from_iterable(problems_by_input.values())  # what is left has no input
        return replace(self, first=first, more=more, faults=tuple(map(in_skin, problems_elsewhere)))

    def _problems_by_input(self, refusal: Refusal) -> dict[str, list[str]]:
        """Return the problems by the name of the input that each is about."""
        if not isinstance(refusal, BadFields):
            return {refusal.field: [refusal.sentence]}
        names_of_parts = {part.name for widget in self.widgets for part in widget.parts}
        problems_by_input: dict[str, list[str]] = {}
        for problem, path in zip(refusal.problems, refusal.paths, strict=True):
            name = ".".join(key_in_name(str(step)) for step in path)
            if path and name not in names_of_parts:
                name = str(path[0])
            problems_by_input.setdefault(name, []).append(problem)
        return problems_by_input


def _with_label(problem: str, name: str, label: str) -> str:
    """Make a problem name its input: “Points must be at most 99.”, “Stakes: say what is at stake.”"""
    if problem.startswith(f"{name} "):
        problem = f"{label} {problem.removeprefix(f'{name} ')}"
    elif problem[:1].isupper() and not problem.startswith(label):
        problem = f"{label}: {problem}"
    return problem if problem.endswith((".", "!", "?", "…")) else f"{problem}."


class _FieldInput(NamedTuple):
    """A field of a command, and its input."""

    field: Field
    widget: Widget


def form_of(session: SeatSession, command: str, given: Mapping[str, Any], *, opened: bool = False) -> Form:
    """Return the form of a command, with these fields filled in.

    With `opened`, a button has opened it: a special case that the button chose comes first, and can't be changed.
    """
    kind = session.book.command(command)
    action = session.book.actions.get(command)
    title = session.in_skin(kind_of_command(kind).title)
    is_roll = action is not None and action.gather is not None
    spend = action.spend.field if action and action.spend else ""
    inputs = [pair for pair in _inputs(session, kind, given, title, is_roll=is_roll) if pair.field.name != spend]
    if any(_shows_values_of_actor(pair.widget) for pair in inputs):
        inputs = _reloading_with_actor(inputs, kind, f"/t/{session.table}/form/{command}")
    usual = [pair.widget for pair in inputs if not pair.field.is_seldom]
    seldom = [pair.widget for pair in inputs if pair.field.is_seldom]
    settled = [widget for widget in seldom if opened and widget.is_said and widget.kind == "choice"]
    return Form(
        command=command,
        title=title,
        doc=session.in_skin((kind.__doc__ or "").strip()),
        first=(*map(_settled, settled), *usual),
        more=tuple(widget for widget in seldom if widget not in settled),
        spend=spend,
        id=secrets.token_hex(8),
        may_hide=is_roll and session.is_game_master,
        by_hand=is_roll and session.state.house.hand_dice and not session.own.ai,
    )


def _inputs(
    session: SeatSession, kind: type, given: Mapping[str, Any], title: str, *, is_roll: bool
) -> list[_FieldInput]:
    """Return an input for each field of a command that has one, in the order of the form."""
    actor = kind_of_command(kind).actor
    who = str(given.get(actor or "who") or "")
    people: list[Option] = []
    for field in fields_of(kind):
        if _names_actor(field, kind):
            people += people_in(session, kind, field)
    default_actor = people[0].value if people else ""
    builder = _CommandWidgets(session, kind, who or default_actor, is_roll and bool(who), title)

    def rank(field: Field) -> int:
        """Sort key that ignores what is filled in, so that inputs of a form that comes back stay where they were."""
        if field.name == actor:
            return 0
        return 1 if field.required or field.name == "name" else 2

    inputs = []
    for field in sorted(fields_of(kind), key=rank):
        is_replaced = bool(given.get(field.unless)) and not given.get(field.name)
        widget = None if is_replaced else builder.widget(field, given.get(field.name))
        if widget:
            inputs.append(_FieldInput(field, widget))
    return inputs


def _names_actor(field: Field, kind: type) -> bool:
    """Return whether a field names the character who acts."""
    return field.name == (kind_of_command(kind).actor or "who") and field.names == "character"


def _shows_values_of_actor(widget: Widget) -> bool:
    """Return whether an input shows numbers of the character who acts beside its own."""
    return widget.kind == "pairs" and any(part.doc for part in widget.parts)


def _reloading_with_actor(inputs: Iterable[_FieldInput], kind: type, address: str) -> list[_FieldInput]:
    """Return the inputs, where a choice of the actor loads the form again."""
    return [
        _FieldInput(field, replace(widget, redraws=address) if _names_actor(field, kind) else widget)
        for field, widget in inputs
    ]


def _settled(choice: Widget) -> Widget:
    """Return a choice that can't be changed."""
    options = tuple(option for option in choice.options if option.value == choice.value)
    return replace(choice, kind="fixed", options=options)


class WidgetBuilder:
    """Builds the widgets of a value's fields, from their definitions."""

    title: str = ""
    """The heading above all of them."""

    def widget(self, field: Field, given: Any, prefix: str = "") -> Widget | None:
        """Return a field's widget; None if there is nothing to choose from, such as a clock when none is running."""
        value = plain(field.default if given is None else given)
        widget = self.typed(field, value, prefix + field.name)
        if widget is None:
            return None
        label = self.label(field)
        doc = self.in_skin(without_clauses(field.doc or ""))
        return replace(widget, label=label, doc=capitalised(doc) if says_more(doc, label, self.title) else "")

    def typed(self, field: Field, value: Any, name: str) -> Widget | None:
        """Return the widget for a field's shape, without label and doc."""
        match shape := said(field.shape):
            case shapes.RecordShape(kind=kind):
                return Widget(kind="group", name=name, parts=tuple(self.inside(kind, value, f"{name}.")))
            case shapes.ListShape(item=shapes.RecordShape(kind=kind)):
                records = [*(value or ()), *({} for _ in range(FREE_ROWS))]
                rows = [tuple(self.row(kind, record, f"{name}.{place}.")) for place, record in enumerate(records)]
                return Widget(kind="rows", name=name, rows=tuple(rows))
            case _:
                return plain_input(shape, value, name)

    def inside(self, kind: type, values: Any, prefix: str) -> Iterator[Widget]:
        """Yield an input for each field of a record."""
        value_by_name = values if isinstance(values, Mapping) else {}
        for field in fields_of(kind):
            widget = self.widget(replace(field, required=False), value_by_name.get(field.name), prefix)
            if widget:
                yield widget

    def row(self, kind: type, values: Mapping[str, Any], prefix: str) -> Iterator[Widget]:
        """Yield the inputs of one record in a list of records."""
        return (replace(widget, is_small=True) for widget in self.inside(kind, values, prefix))

    def label(self, field: Field) -> str:
        return in_words(field.label)

    def in_skin(self, text: str) -> str:
        return text


class _CommandWidgets(WidgetBuilder, Struct, frozen=True):
    """Builds the widgets of a command's fields: labelled in the skin's words, with choices from the table's state."""

    session: SeatSession
    kind: type
    who: str
    """Actor; by default, the first character who can act."""
    settled: bool
    """True if the actor can't change any more: a roll has no input for that once it is given."""
    title: str

    def widget(self, field: Field, given: Any, prefix: str = "") -> Widget | None:
        widget = super().widget(field, given, prefix)
        is_said = given is not None and plain(given) != plain(field.default)
        return widget and replace(widget, required=field.required, is_said=is_said)

    def label(self, field: Field) -> str:
        term = self.session.teller.term(field.name)
        return self.session.in_skin(in_words(field.label if term == field.name else term))

    def in_skin(self, text: str) -> str:
        return self.session.in_skin(text)

    def typed(self, field: Field, value: Any, name: str) -> Widget | None:
        match shape := said(field.shape):
            case shapes.RecordShape() | shapes.ListShape(item=shapes.RecordShape()):
                return super().typed(field, value, name)
            case shapes.FlagShape() | shapes.NumberShape():
                return super().typed(field, value, name)
            case shapes.ListShape(item=item):
                return self._list(field, said(item), value, name)
            case shapes.MappingShape(item=item):
                return self._pairs(field, said(item), value, name)
            case _:
                return self._words(field, shape, value, name)

    def _words(self, field: Field, shape: Shape, value: Any, name: str) -> Widget | None:
        """Return the input of a text: a choice if its values are known, else a line or a text area."""
        text = "" if value is None else str(value)
        if field.names:
            things = self._named(field)
            return _choice(field, name, text, things) if things or field.required else None
        if isinstance(shape, shapes.ChoiceShape):
            return _choice(field, name, text, self._options(shape.values))
        words: list[Option] = []
        if not field.is_free_text:  # free text is a person's own words
            exact, words = self._furnished(field)
            if exact:
                return _choice(field, name, text, [*exact, *words])
        words += self._options(choices_in(shape))
        if field.suggests:
            words += [Option(thing, thing) for thing in self.session.things(field.suggests) or {}]
        longest = _longest_text(shape)
        is_long = (longest is None or longest > LONG) and not words
        return Widget(kind="area" if is_long else "line", name=name, value=text, longest=longest, options=tuple(words))

    def _list(self, field: Field, item: Shape, value: Any, name: str) -> Widget | None:
        """Return the input of several values; None if there is nothing to choose from."""
        takes_others = False
        if isinstance(item, shapes.ChoiceShape):
            options = self._options(item.values)
        elif field.names or field.suggests:
            options = self._named(field)
            if not options and not field.required:
                return None
        else:
            exact, words = self._furnished(field)
            options = [*exact, *words]
            takes_others = isinstance(item, shapes.TextShape)
        takes_others = takes_others or not options
        return Widget(kind="several", name=name, value=value or (), options=tuple(options), takes_others=takes_others)

    def _pairs(self, field: Field, item: Shape, value: Any, name: str) -> Widget:
        """Return an input for each key that a mapping has or could have; a text area, too, if the keys aren't known."""
        name_by_key = self.session.things(field.names) or {} if field.names else {}
        value_by_key = {**dict.fromkeys(name_by_key), **(value or {})}
        present_by_name = present_values(self.session, self.who)
        parts = []
        for key, part_value in value_by_key.items():
            term = name_by_key.get(key) or self.session.teller.term(key)
            part = self._pair(item, part_value, f"{name}.{key_in_name(key)}")
            parts.append(replace(part, label=capitalised(term), doc=present_by_name.get(term.casefold(), "")))
        return Widget(kind="pairs", name=name, parts=tuple(parts), takes_others=not name_by_key)

    def _pair(self, item: Shape, value: Any, name: str) -> Widget:
        """Return the input of one value in a mapping, without label and doc."""
        match item:
            case shapes.NumberShape(least=least, most=most):
                return Widget(kind="number", name=name, value=value, least=least, most=most)
            case shapes.ChoiceShape(values=values):
                options = (Option("", "—"), *self._options(values))
                return Widget(kind="choice", name=name, value=str(value or ""), options=options)
            case _:
                return Widget(kind="line", name=name, value=value)

    def _named(self, field: Field) -> list[Option]:
        return named_things(self.session, self.kind, field, self.who)

    def _furnished(self, field: Field) -> tuple[list[Option], list[Option]]:
        return options_from_sheets(self.session, field, self.who if self.settled else "")

    def _options(self, values: Iterable[Any]) -> list[Option]:
        """Return values of a definition as options, in the skin's words."""
        options = []
        for value in values:
            text = str(value)
            term = self.session.teller.term(text)
            options.append(Option(text, term if term != text else self.session.in_skin(in_words(text))))
        return options


def _longest_text(shape: Shape) -> int | None:
    """Return the length that a text may have; None if it has no limit."""
    alternatives = shape.shapes if isinstance(shape, shapes.EitherShape) else (shape,)
    return next((text.most for text in alternatives if isinstance(text, shapes.TextShape)), None)


def _choice(field: Field, name: str, value: str, options: Sequence[Option]) -> Widget:
    """Return a choice among options; an optional one begins with an empty option."""
    if field.required and len(options) == 1:
        return Widget(kind="fixed", name=name, value=options[0].value, options=tuple(options))
    may_be_empty = not field.required and not (value and field.default is not None)
    if may_be_empty:
        return Widget(kind="choice", name=name, value=value, options=(Option("", "—"), *options))
    first = options[0].value if options else ""
    return Widget(kind="choice", name=name, value=value or first, options=tuple(options))


# ---------------------------------------------------------------- reading what was sent
#
# Names of inputs are paths to values: `who`, `rises.MGT`, `gear.0.name`. `advantage;` holds several texts, separated by
# semicolons or line breaks; `notes=` has a line for each pair of a mapping. Nothing is validated here: text that can't
# be parsed as its field's type stays text, and the table says what is wrong with it.

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")

Tree = dict[str, Any]
"""Inputs by the parts of their names. The leaves are lists of texts, in order."""


def key_in_name(key: str) -> str:
    """Escape a mapping's key as a part of an input's name."""
    return quote(key, safe="").replace(".", "%2E")


def read_form(kind: type, sent: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Parse the fields of a command from the names and texts of a form's inputs."""
    tree: Tree = {}
    for name, text in sent:
        if name.startswith(OWN):
            continue
        *path, last = name.split(".")
        node = tree
        for part in path:
            inner = node.setdefault(part, {})
            node = inner if isinstance(inner, dict) else {}
        texts = node.setdefault(last, [])
        if isinstance(texts, list):
            texts.append(text.replace("\r\n", "\n"))
    return _parts(kind, tree)


def _parts(kind: type, tree: Tree) -> dict[str, Any]:
    """Parse the fields of a record or command; inputs of no field stay texts, for the table to refuse."""
    fields = {field.name: field for field in fields_of(kind)}
    values: dict[str, Any] = {}
    for name, field in fields.items():
        value = _value(said(field.shape), name, tree)
        if value is not None:
            values[name] = value
    for name, texts in tree.items():
        if name.rstrip(";=") not in fields and isinstance(texts, list):
            values[name] = texts[-1]
    return values


def _value(shape: Shape, name: str, tree: Tree) -> Any:
    """Parse a field's value; None if the input is empty, so that the default applies."""
    node = tree.get(name)
    inner = node if isinstance(node, dict) else {}
    match shape:
        case shapes.RecordShape(kind=kind):
            return _record(kind, inner)
        case shapes.ListShape(item=shapes.RecordShape(kind=kind)):
            records = [_record(kind, row) for row in inner.values() if isinstance(row, dict)]
            return [record for record in records if record is not None] if inner else None
        case shapes.ListShape(item=item):
            return _list(said(item), name, tree)
        case shapes.MappingShape(item=item):
            return _mapping(said(item), name, tree)
        case _:
            return _single(shape, node[-1]) if isinstance(node, list) and node[-1].strip() else None


def _list(item: Shape, name: str, tree: Tree) -> list[Any] | None:
    """Parse a list: the options that were chosen, and texts that were typed, separated by semicolons or lines."""
    node = tree.get(name)
    typed = tree.get(f"{name};")
    if node is None and typed is None:
        return None
    texts = [text for text in node or () if isinstance(text, str)]
    for text in typed or ():
        if isinstance(text, str):
            texts += re.split(r"[;\n]", text)
    return [_single(item, text.strip()) for text in texts if text.strip()]


def _mapping(item: Shape, name: str, tree: Tree) -> dict[str, Any] | None:
    """Parse a mapping: an input for each key, and lines that were typed, as `key=value` or `key: value`."""
    node = tree.get(name)
    typed = tree.get(f"{name}=")
    if node is None and typed is None:
        return None
    text_by_key: dict[str, str] = {}
    if isinstance(node, dict):
        text_by_key = {unquote(key): texts[-1] for key, texts in node.items() if isinstance(texts, list)}
    for line in "\n".join(typed if isinstance(typed, list) else ()).splitlines():
        key, _, text = line.partition("=" if "=" in line else ":")
        text_by_key[key.strip()] = text.strip()
    return {key: _single(item, text) for key, text in text_by_key.items() if key and text.strip()}


def _record(kind: type, node: Tree) -> dict[str, Any] | None:
    """Parse a record from several inputs; None if all are empty or at their defaults."""
    values = _parts(kind, node)
    defaults = {field.name: plain(field.default) for field in fields_of(kind)}
    is_filled_in = any(value != defaults.get(name) and value != [] for name, value in values.items())
    return values if is_filled_in else None


def _single(shape: Shape, text: str) -> Any:
    """Parse one text by its shape; it stays text if it doesn't fit."""
    match shape:
        case shapes.EitherShape(shapes=alternatives):
            texts_last = sorted(alternatives, key=lambda alternative: isinstance(alternative, shapes.TextShape))
            values = (_single(alternative, text) for alternative in texts_last)
            return next((value for value in values if value != text), text)
        case shapes.ChoiceShape(values=values_of_choice):
            return next((value for value in values_of_choice if str(value) == text), text)
        case shapes.NumberShape() if NUMBER.fullmatch(text.strip().replace("−", "-")):
            return int(text.strip().replace("−", "-"))
        case shapes.FlagShape() if text in ("yes", "no"):
            return text == "yes"
        case _:
            return text
