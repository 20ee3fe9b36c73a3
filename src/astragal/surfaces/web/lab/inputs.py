"""Inputs for the parameters of a rule, from their definitions: a slider for each number; and how they are read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from astragal.lab.reading import Roll
from astragal.lab.settings import limits_of, number_range, record_in
from astragal.surfaces.web.forms.choices import Option, in_words
from astragal.surfaces.web.forms.form import CLAUSE, FREE_ROWS, Widget
from astragal.surfaces.web.forms.read import read_form
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import ChoiceShape, EitherShape, FlagShape, ListShape, NumberShape, RecordShape, said
from astragal.table.visibility.redact import plain

WIDEST = 60
"""A slider has no more steps; a number of wider limits gets one over its usual ones, if it lies there."""
LONGEST = 60
"""Of a text, such as damage in dice notation."""


def inputs_for(kind: type, values: Mapping[str, Any], prefix: str = "") -> tuple[Widget, ...]:
    """An input for each field of a value, with these values; the names of inputs begin with the prefix."""
    return tuple(_inputs(fields_of(kind), values, prefix))


def _inputs(fields: Sequence[Field], values: Any, prefix: str) -> Iterator[Widget]:
    known = values if isinstance(values, Mapping) else {}
    for field in fields:
        value = known.get(field.name)
        made = _input(field, plain(field.default) if value is None else value, prefix + field.name)
        doc = CLAUSE.sub("", field.doc or "")
        yield replace(made, label=in_words(field.name), doc=doc[:1].upper() + doc[1:])


def _input(field: Field, value: Any, name: str) -> Widget:
    shape = said(field.shape)
    if kind := record_in(shape):
        return Widget(kind="group", name=name, label="", parts=tuple(_inputs(fields_of(kind), value, f"{name}.")))
    match shape:
        case NumberShape():
            least, most = limits_of(field)
            if most - least > WIDEST:
                usual = number_range(field)
                least, most = min(usual[0], value or 0), max(usual[-1], value or 0)
            return Widget(kind="slider", name=name, label="", value=value, least=least, most=most)
        case FlagShape():
            return Widget(kind="switch", name=name, label="", value=bool(value))
        case ChoiceShape(values=values):
            options = tuple(Option(str(one), in_words(str(one))) for one in values)
            return Widget(kind="choice", name=name, label="", value=str(value), options=options)
        case ListShape(item=RecordShape(kind=kind)):
            rows = [*(value or ()), *({} for _ in range(FREE_ROWS))]
            return Widget(
                kind="rows",
                name=name,
                label="",
                rows=tuple(tuple(map(_small, _row(kind, row, f"{name}.{at}."))) for at, row in enumerate(rows)),
            )
        case ListShape(item=ChoiceShape(values=values)):
            options = tuple(Option(str(one), in_words(str(one))) for one in values)
            return Widget(kind="several", name=name, label="", value=value or (), options=options)
        case ListShape():
            return Widget(kind="several", name=name, label="", value=value or (), takes_others=True)
    return Widget(kind="line", name=name, label="", value="" if value is None else str(value), longest=LONGEST)


def _row(kind: type, values: Mapping[str, Any], prefix: str) -> Iterator[Widget]:
    """A row of a list. Numbers and choices there can be left empty, and a slider can't."""
    for widget in _inputs(fields_of(kind), values, prefix):
        value = values.get(widget.name.removeprefix(prefix))
        if widget.kind == "slider":
            yield replace(widget, kind="number", value=value)
        elif widget.kind == "choice":
            yield replace(widget, value="" if value is None else str(value), options=(Option("", "—"), *widget.options))
        else:
            yield widget


def _small(widget: Widget) -> Widget:
    return replace(widget, is_small=True, doc="")


def values_from(roll: Roll, sent: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Plain values of the parameters from a form's inputs. Nothing is judged here."""
    values = read_form(roll.parameters, sent)
    for field in fields_of(roll.parameters):
        several = isinstance(field.shape, EitherShape) and len(field.shape.shapes) > 1
        if several and (kind := record_in(field.shape)):  # a record, or something else: inputs are the record's
            start = f"{field.name}."
            inner = read_form(kind, [(name.removeprefix(start), text) for name, text in sent if name.startswith(start)])
            values |= {field.name: inner} if inner else {}
    return values
