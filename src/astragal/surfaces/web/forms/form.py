"""Forms generated from the definitions of commands; parsing of submitted forms. No single command is mentioned here."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal
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
        return bool(self.fault) or any(one.fault for one in self.parts)

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
        """Values of a list, as texts."""
        return tuple(str(one) for one in self.value or ())

    @property
    def others(self) -> str:
        """Chosen words that are not among the options."""
        known = {option.value for option in self.options}
        return "; ".join(one for one in self.chosen if one not in known)


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
        inner = (part.fault for one in self.widgets for part in one.parts if part.fault)
        return (*self.faults, *(one.fault for one in self.widgets if one.fault), *inner)

    @property
    def shows_more(self) -> bool:
        """True if a folded input has a fault or is not at its default."""
        return any(one.fault or one.is_said for one in self.more)

    def refused_with(self, refusal: Refusal, in_skin: Callable[[str], str] = str) -> Form:
        """Return the same form with each problem beside its input, and those without an input beside the button."""
        faults: dict[str, list[str]] = {}
        if isinstance(refusal, BadFields):
            parts = {part.name for one in self.widgets for part in one.parts}
            for problem, path in zip(refusal.problems, refusal.paths, strict=True):
                inner = ".".join(key_in_name(str(part)) for part in path)
                faults.setdefault(inner if inner in parts or not path else str(path[0]), []).append(problem)
        else:
            faults[refusal.field] = [refusal.sentence]

        def sentence(label: str, name: str, problem: str) -> str:
            """Make a problem name its input: “Points must be at most 99.”, “Stakes: say what is at stake.”"""
            if problem.startswith(f"{name} "):
                problem = f"{label} {problem.removeprefix(f'{name} ')}"
            elif problem[:1].isupper() and not problem.startswith(label):
                problem = f"{label}: {problem}"
            return in_skin(problem if problem.endswith((".", "!", "?", "…")) else f"{problem}.")

        def marked(widget: Widget) -> Widget:
            name = widget.name.rstrip(";=")
            widget = replace(widget, parts=tuple(map(marked, widget.parts)))
            own = [sentence(widget.label, name, one) for one in faults.pop(name, ())]
            return replace(widget, fault=" ".join(own)) if own else widget

        first, more = tuple(map(marked, self.first)), tuple(map(marked, self.more))
        rest = tuple(in_skin(one) for some in faults.values() for one in some)
        return replace(self, first=first, more=more, faults=rest)


def form_of(session: SeatSession, command: str, given: Mapping[str, Any], *, opened: bool = False) -> Form:
    """Return the form of a command, with these fields filled in.

    With `opened`, a button has opened it: a special case that the button chose comes first, and can't be changed.
    """
    kind = session.book.command(command)
    action = session.book.actions.get(command)
    title = session.in_skin(kind_of_command(kind).title)
    rolls, actor = action is not None and action.gather is not None, kind_of_command(kind).actor
    acting = [one for one in fields_of(kind) if one.name == (actor or "who") and one.names == "character"]
    who = str(given.get(actor or "who") or "")
    usual = [option.value for field in acting for option in people_in(session, kind, field)]
    builder = _CommandWidgets(session, kind, who or next(iter(usual), ""), rolls and bool(who), title)

    def rank(field: Field) -> int:
        """Sort key that ignores what is filled in, so that inputs of a form that comes back stay where they were."""
        if field.name == actor:
            return 0
        return 1 if field.required or field.name == "name" else 2

    asked = (one for one in fields_of(kind) if given.get(one.name) or not given.get(one.unless))
    ordered = sorted(asked, key=rank)
    widgets = [(field, builder.widget(field, given.get(field.name))) for field in ordered]
    spend = action.spend.field if action and action.spend else ""
    shown = [(field, widget) for field, widget in widgets if widget and field.name != spend]
    if any(part.doc for _, widget in shown if widget.kind == "pairs" for part in widget.parts):
        again = f"/t/{session.table}/form/{command}"
        shown = [(one, replace(widget, redraws=again) if one in acting else widget) for one, widget in shown]
    seldom = [widget for field, widget in shown if field.is_seldom]
    settled = [one for one in seldom if opened and one.is_said and one.kind == "choice"]
    return Form(
        command=command,
        title=title,
        doc=session.in_skin((kind.__doc__ or "").strip()),
        first=(*map(_settled, settled), *(widget for field, widget in shown if not field.is_seldom)),
        more=tuple(one for one in seldom if one not in settled),
        spend=spend,
        id=secrets.token_hex(8),
        may_hide=rolls and session.is_game_master,
        by_hand=rolls and session.state.house.hand_dice and not session.own.ai,
    )


def _settled(choice: Widget) -> Widget:
    return replace(choice, kind="fixed", options=tuple(one for one in choice.options if one.value == choice.value))


class WidgetBuilder:
    """Builds the widgets of a value's fields, from their definitions."""

    title: str = ""
    """The heading above all of them."""

    def widget(self, field: Field, given: Any, prefix: str = "") -> Widget | None:
        """Return a field's widget; None if there is nothing to choose from, such as a clock when none is running."""
        value = plain(field.default if given is None else given)
        made = self.typed(field, value, prefix + field.name)
        label, doc = self.label(field), self.in_skin(without_clauses(field.doc or ""))
        return made and replace(made, label=label, doc=capitalised(doc) if says_more(doc, label, self.title) else "")

    def typed(self, field: Field, value: Any, name: str) -> Widget | None:
        """Return the widget for a field's shape, without label and doc."""
        match shape := said(field.shape):
            case shapes.RecordShape(kind=kind):
                return Widget(kind="group", name=name, parts=tuple(self.inside(kind, value, f"{name}.")))
            case shapes.ListShape(item=shapes.RecordShape(kind=kind)):
                rows = enumerate([*(value or ()), *({} for _ in range(FREE_ROWS))])
                made = (tuple(self.row(kind, values, f"{name}.{place}.")) for place, values in rows)
                return Widget(kind="rows", name=name, rows=tuple(made))
            case _:
                return plain_input(shape, value, name)

    def inside(self, kind: type, values: Any, prefix: str) -> Iterator[Widget]:
        """Yield an input for each field of a record."""
        known = values if isinstance(values, Mapping) else {}
        made = (self.widget(replace(one, required=False), known.get(one.name), prefix) for one in fields_of(kind))
        return filter(None, made)

    def row(self, kind: type, values: Mapping[str, Any], prefix: str) -> Iterator[Widget]:
        """Yield the inputs of one record in a list of records."""
        return (replace(one, is_small=True) for one in self.inside(kind, values, prefix))

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
        made = super().widget(field, given, prefix)
        is_said = given is not None and plain(given) != plain(field.default)
        return made and replace(made, required=field.required, is_said=is_said)

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
        text = "" if value is None else str(value)
        if field.names:
            named = self._named(field)
            return _choice(field, name, text, named) if named or field.required else None
        if isinstance(shape, shapes.ChoiceShape):
            return _choice(field, name, text, [self._option(one) for one in shape.values])
        exact, words = ([], []) if field.is_free_text else self._furnished(field)  # free text is a person's own words
        if exact:
            return _choice(field, name, text, [*exact, *words])
        words += [self._option(one) for one in choices_in(shape)]
        words += [Option(one, one) for one in (self.session.things(field.suggests) or {} if field.suggests else ())]
        ways = shape.shapes if isinstance(shape, shapes.EitherShape) else (shape,)
        longest = next((one.most for one in ways if isinstance(one, shapes.TextShape)), None)
        is_long = (longest is None or longest > LONG) and not words
        return Widget(kind="area" if is_long else "line", name=name, value=text, longest=longest, options=tuple(words))

    def _list(self, field: Field, item: Shape, value: Any, name: str) -> Widget | None:
        takes_others = False
        if isinstance(item, shapes.ChoiceShape):
            options = [self._option(one) for one in item.values]
        elif field.names or field.suggests:
            options = self._named(field)
            if not options and not field.required:
                return None
        else:
            exact, words = self._furnished(field)
            options, takes_others = [*exact, *words], isinstance(item, shapes.TextShape)
        others = takes_others or not options
        return Widget(kind="several", name=name, value=value or (), options=tuple(options), takes_others=others)

    def _pairs(self, field: Field, item: Shape, value: Any, name: str) -> Widget:
        """Return an input for each key that a mapping has or could have; a text area, too, if the keys aren't known."""
        named = self.session.things(field.names) or {} if field.names else {}
        kind: Literal["choice", "number", "line"] = "number" if isinstance(item, shapes.NumberShape) else "line"
        options: tuple[Option, ...] = ()
        least, most = (item.least, item.most) if isinstance(item, shapes.NumberShape) else (None, None)
        if isinstance(item, shapes.ChoiceShape):
            kind, options = "choice", (Option("", "—"), *map(self._option, item.values))
        stands = present_values(self.session, self.who)

        def part(key: str, one: Any) -> Widget:
            called = named.get(key) or self.session.teller.term(key)
            return Widget(
                kind=kind,
                name=f"{name}.{key_in_name(key)}",
                label=capitalised(called),
                doc=stands.get(called.casefold(), ""),
                value=str(one or "") if options else one,
                options=options,
                least=least,
                most=most,
            )

        parts = [part(key, one) for key, one in {**dict.fromkeys(named), **(value or {})}.items()]
        return Widget(kind="pairs", name=name, parts=tuple(parts), takes_others=not named)

    def _named(self, field: Field) -> list[Option]:
        return named_things(self.session, self.kind, field, self.who)

    def _furnished(self, field: Field) -> tuple[list[Option], list[Option]]:
        return options_from_sheets(self.session, field, self.who if self.settled else "")

    def _option(self, value: Any) -> Option:
        text = str(value)
        words = self.session.teller.term(text)
        return Option(text, words if words != text else self.session.in_skin(in_words(text)))


def _choice(field: Field, name: str, value: str, options: Sequence[Option]) -> Widget:
    """Return a choice among options; an optional one begins with an empty option."""
    if field.required and len(options) == 1:
        return Widget(kind="fixed", name=name, value=options[0].value, options=tuple(options))
    free = () if field.required or (value and field.default is not None) else (Option("", "—"),)
    chosen = value if value or free or not options else options[0].value
    return Widget(kind="choice", name=name, value=chosen, options=(*free, *options))


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
    fields = {field.name: field for field in fields_of(kind)}
    values = {name: _value(said(field.shape), name, tree) for name, field in fields.items()}
    strangers = {
        name: texts[-1] for name, texts in tree.items() if name.rstrip(";=") not in fields and isinstance(texts, list)
    }
    return {name: value for name, value in values.items() if value is not None} | strangers


def _value(shape: Shape, name: str, tree: Tree) -> Any:
    """Parse a field's value; None if the input is empty, so that the default applies."""
    node = tree.get(name)
    inner = node if isinstance(node, dict) else {}
    match shape:
        case shapes.RecordShape(kind=kind):
            return _record(kind, inner)
        case shapes.ListShape(item=shapes.RecordShape(kind=kind)):
            rows = (_record(kind, row) for row in inner.values() if isinstance(row, dict))
            return [row for row in rows if row is not None] if inner else None
        case shapes.ListShape(item=item):
            typed = tree.get(f"{name};")
            texts = [text for text in node or () if isinstance(text, str)]
            texts += [part for text in typed or () if isinstance(text, str) for part in re.split(r"[;\n]", text)]
            found = [_single(said(item), text.strip()) for text in texts if text.strip()]
            return None if node is None and typed is None else found
        case shapes.MappingShape(item=item):
            typed = tree.get(f"{name}=")
            pairs = {unquote(key): texts[-1] for key, texts in inner.items() if isinstance(texts, list)}
            for line in "\n".join(typed if isinstance(typed, list) else ()).splitlines():
                key, _, text = line.partition("=" if "=" in line else ":")
                pairs[key.strip()] = text.strip()
            found_pairs = {key: _single(said(item), text) for key, text in pairs.items() if key and text.strip()}
            return None if node is None and typed is None else found_pairs
        case _:
            return _single(shape, node[-1]) if isinstance(node, list) and node[-1].strip() else None


def _record(kind: type, node: Tree) -> dict[str, Any] | None:
    """Parse a record from several inputs; None if all are empty or at their defaults."""
    parts = _parts(kind, node)
    usual = {field.name: plain(field.default) for field in fields_of(kind)}
    return parts if any(value != usual.get(name) and value != [] for name, value in parts.items()) else None


def _single(shape: Shape, text: str) -> Any:
    """Parse one text by its shape; it stays text if it doesn't fit."""
    match shape:
        case shapes.EitherShape(shapes=ways):
            read = (_single(one, text) for one in sorted(ways, key=lambda one: isinstance(one, shapes.TextShape)))
            return next((value for value in read if value != text), text)
        case shapes.ChoiceShape(values=values):
            return next((one for one in values if str(one) == text), text)
        case shapes.NumberShape() if NUMBER.fullmatch(text.strip().replace("−", "-")):
            return int(text.strip().replace("−", "-"))
        case shapes.FlagShape() if text in ("yes", "no"):
            return text == "yes"
        case _:
            return text
