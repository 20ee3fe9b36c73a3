"""Forgeries of seats' exports: every way in which a file could tell another story than the one that was sealed.

The forger has the file and every program. Values are exchanged together with their proofs, and whatever the file itself
can be made to agree with is made to agree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple

import msgspec

from astragal.table.ledger_writer import parts_within, spell_path
from astragal.table.log.leaves import leaf_of_shown

Document = dict[str, Any]
PAIRS_OF_AN_EVENT = 10
"""Pairs of values exchanged in the first event of each name; values of one event are all sealed alike."""
MOST_OF_A_KIND = 5
"""Forgeries of one kind that the tests try in each evening, evenly chosen among all."""
ELSEWHERE = "an-event-of-another-table"


class Forgery(NamedTuple):
    name: str
    document: Document


def forgeries(document: Document) -> Iterator[Forgery]:
    """Yield forged copies of an honest export, some of each kind."""
    for kind in KINDS:
        made = list(kind(document))
        for name, forged in made[:: len(made) // MOST_OF_A_KIND + 1]:
            yield Forgery(f"{kind.__name__}: {name}", forged)


def values_exchanged(document: Document) -> Iterator[Forgery]:
    """Two values of an event change places, with their proofs."""
    for number in _first_of_each_name(document):
        event = document["events"][number]
        places = [place for place in _places(event["fields"]) if _path(place) in document["proofs"][number]["values"]]
        pairs = (pair for pair in combinations(places, 2) if _value(event, pair[0]) != _value(event, pair[1]))
        for first, second in islice(pairs, PAIRS_OF_AN_EVENT):
            forged = copy_of(document)
            event, seals = forged["events"][number], forged["proofs"][number]["values"]
            one, other = _value(event, first), _value(event, second)
            _put(event, first, other)
            _put(event, second, one)
            seals[_path(first)], seals[_path(second)] = seals[_path(second)], seals[_path(first)]
            yield Forgery(f"{event['name']} {_path(first)} ↔ {_path(second)}", forged)


def values_changed(document: Document) -> Iterator[Forgery]:
    for number in _first_of_each_name(document):
        for place in _places(document["events"][number]["fields"]):
            forged = copy_of(document)
            event = forged["events"][number]
            _put(event, place, _another(_value(event, place)))
            yield Forgery(f"{event['name']} {_path(place)}", forged)


def values_renamed(document: Document) -> Iterator[Forgery]:
    """A value gets another name, with its proof."""
    for number in _first_of_each_name(document):
        for name in document["events"][number]["fields"]:
            forged = copy_of(document)
            event = forged["events"][number]
            event["fields"][f"{name}s"] = event["fields"].pop(name)
            seals = forged["proofs"][number]["values"]
            for path in [path for path in seals if path.startswith(f"event.{name}")]:
                seals[path.replace(f"event.{name}", f"event.{name}s", 1)] = seals.pop(path)
            yield Forgery(f"{event['name']} {name}", forged)


def values_moved(document: Document) -> Iterator[Forgery]:
    """A value goes to the event before, with its proof."""
    for number in _first_of_each_name(document)[1:]:
        for name, value in document["events"][number]["fields"].items():
            forged = copy_of(document)
            forged["events"][number - 1].setdefault("fields", {})[name] = value
            seals = forged["proofs"][number]["values"]
            moved = {path: salt for path, salt in seals.items() if path.startswith(f"event.{name}")}
            forged["proofs"][number - 1].setdefault("values", {}).update(moved)
            yield Forgery(f"{document['events'][number]['name']} {name}", forged)


def envelopes_changed(document: Document) -> Iterator[Forgery]:
    """Who, when, what, for which command, and whether all could see it."""
    for number in _first_of_each_name(document):
        for name in ("name", "version", "at", "act", "by", "sight", "hides"):
            if name in document["events"][number]:
                forged = copy_of(document)
                event = forged["events"][number]
                event[name] = _another(event[name])
                yield Forgery(f"{event['name']} {name}", forged)


def envelopes_left_out(document: Document) -> Iterator[Forgery]:
    """Who gave a command is withheld, though everybody knows it."""
    for number in _first_of_each_name(document):
        event = document["events"][number]
        for name in ("by", "sight", "hides"):
            if name in event and event.get("sight") == "open":
                forged = copy_of(document)
                withhold(forged, number, name, event[name])
                del forged["events"][number][name]
                yield Forgery(f"{event['name']} {name}", forged)


def flags_added(document: Document) -> Iterator[Forgery]:
    """Words that nothing proves, where a person looks for what is proved."""
    for name in ("closed", "covered", "out_of_sight", "abandoned", "words", "went", "opened", "note"):
        forged = copy_of(document)
        forged["events"][-1][name] = True
        yield Forgery(f"event {name}", forged)
    for name in ("title", "winner"):
        yield Forgery(f"file {name}", {**copy_of(document), name: "Bo"})


def events_doubled(document: Document) -> Iterator[Forgery]:
    for number in range(len(document["events"])):
        forged = copy_of(document)
        for column in ("events", "proofs"):
            forged[column].insert(number, copy_of(forged[column][number]))
        yield Forgery(str(number), forged)


def events_dropped(document: Document) -> Iterator[Forgery]:
    for number in range(len(document["events"])):
        forged = copy_of(document)
        for column in ("events", "proofs"):
            del forged[column][number]
        yield Forgery(str(number), forged)


def events_dropped_with_their_views(document: Document) -> Iterator[Forgery]:
    for number in range(len(document["events"])):
        forged = copy_of(document)
        line = str(forged["proofs"][number]["line"])
        keep = [place for place, proof in enumerate(forged["proofs"]) if str(proof["line"]) != line]
        for column in ("events", "proofs"):
            forged[column] = [forged[column][place] for place in keep]
        forged["views"][line]["shown"] = []
        yield Forgery(f"{number}, the view emptied", forged)
        forged = copy_of(forged)
        del forged["views"][line], forged["facts"][line]
        yield Forgery(f"{number}, the view taken out", forged)


def events_withheld(document: Document) -> Iterator[Forgery]:
    """An event is said to be one that the seat may not see any more."""
    for number, proof in enumerate(document["proofs"]):
        forged = copy_of(document)
        view = forged["views"][str(proof["line"])]["shown"]
        first = next(place for place, other in enumerate(document["proofs"]) if other["line"] == proof["line"])
        forged["events"][number] = {"withheld": view[number - first]}
        forged["proofs"][number] = {"line": proof["line"]}
        yield Forgery(str(number), forged)


def events_reordered(document: Document) -> Iterator[Forgery]:
    for number in range(1, len(document["events"])):
        forged = copy_of(document)
        for column in ("events", "proofs"):
            row = forged[column]
            row[number - 1], row[number] = row[number], row[number - 1]
        yield Forgery(str(number), forged)
    for line, view in document["views"].items():
        if len(view["shown"]) > 1:
            forged = copy_of(document)
            forged["views"][line]["shown"].reverse()
            places = [place for place, proof in enumerate(document["proofs"]) if proof["line"] == int(line)]
            for column in ("events", "proofs"):
                forged[column][places[0] : places[-1] + 1] = forged[column][places[0] : places[-1] + 1][::-1]
            yield Forgery(f"line {line} backwards", forged)


def events_told_under_another_line(document: Document) -> Iterator[Forgery]:
    lines = sorted({proof["line"] for proof in document["proofs"]})
    for number in _first_of_each_name(document):
        forged = copy_of(document)
        line = forged["proofs"][number]["line"]
        forged["proofs"][number]["line"] = next(other for other in lines if other != line)
        yield Forgery(document["events"][number]["name"], forged)


def proofs_exchanged(document: Document) -> Iterator[Forgery]:
    for number in range(1, len(document["events"])):
        if document["events"][number] != document["events"][number - 1]:
            forged = copy_of(document)
            row = forged["proofs"]
            row[number - 1], row[number] = row[number], row[number - 1]
            yield Forgery(str(number), forged)
    for number in _first_of_each_name(document):
        forged = copy_of(document)
        forged["proofs"][number] = None
        yield Forgery(f"{number}, none at all", forged)


def values_left_out(document: Document) -> Iterator[Forgery]:
    """A value that everybody was shown is withheld, as if the seat might not see it."""
    for number in _first_of_each_name(document):
        proof = document["proofs"][number]
        for place in _places(document["events"][number]["fields"]):
            path = _path(place)
            if path not in proof["values"] or path in proof.get("beyond", ()) or isinstance(place[-1], int):
                continue
            forged = copy_of(document)
            event = forged["events"][number]
            withhold(forged, number, path, _value(event, place))
            del _value(event, place[:-1])[place[-1]]
            yield Forgery(f"{event['name']} {path}", forged)
            forged = copy_of(forged)
            forged["proofs"][number]["beyond"] = [*proof.get("beyond", ()), path]
            yield Forgery(f"{event['name']} {path}, said to be for some only", forged)


def dice_left_out(document: Document) -> Iterator[Forgery]:
    """The dice of a roll are withheld, with their leaf among the others."""
    for number, event in enumerate(document["events"]):
        if event["name"] == "rolled" and "dice" in event["fields"]:
            forged = copy_of(document)
            withhold(forged, number, "event.dice", event["fields"]["dice"])
            del forged["events"][number]["fields"]["dice"]
            yield Forgery(str(number), forged)


def reveals_of_another_act(document: Document) -> Iterator[Forgery]:
    acts = [event["act"] for event in document["events"]]
    for number, event in enumerate(document["events"]):
        if event["name"] == "revealed":
            forged = copy_of(document)
            forged["events"][number]["fields"]["act"] = next(act for act in acts if act != event["fields"]["act"])
            yield Forgery(str(number), forged)
    for line, view in document["views"].items():
        if view["opens"]:
            forged = copy_of(document)
            forged["views"][line]["opens"] = []
            yield Forgery(f"line {line} opens nothing", forged)
            forged = copy_of(document)
            forged["views"][line]["opens"] = [opened + 1 for opened in view["opens"]]
            yield Forgery(f"line {line} opens others", forged)


def rolls_claimed_to_be_open(document: Document) -> Iterator[Forgery]:
    """A closed roll shows what another one gave."""
    rolled = next((event for event in document["events"] if event["name"] == "rolled" and event["fields"]), None)
    for number, event in enumerate(document["events"]):
        if rolled and event.get("sight") != "open" and not event["fields"]:
            forged = copy_of(document)
            forged["events"][number]["fields"] = copy_of(rolled["fields"])
            yield Forgery(str(number), forged)


def seats_and_tables(document: Document) -> Iterator[Forgery]:
    seats = [event["fields"]["seat"]["id"] for event in document["events"] if event["name"] == "seat_taken"]
    for seat in [*(seat for seat in seats if seat != document["seat"]), "", "nobody"]:
        forged = copy_of(document)
        forged["seat"] = seat
        yield Forgery(f"the seat {seat}", forged)
        for view in forged["views"].values():
            view["seat"] = view["seat"] and seat
        yield Forgery(f"the seat {seat} in every view", forged)
    yield Forgery("table", {**copy_of(document), "table": ELSEWHERE})
    receipt = document["receipt"]
    yield Forgery("an older receipt", {**copy_of(document), "receipt": {**receipt, "line": receipt["line"] - 1}})
    yield Forgery("another head", {**copy_of(document), "receipt": {**receipt, "head": "0" * 64}})


def formats(document: Document) -> Iterator[Forgery]:
    """A file says that it is older, to escape what its format proves."""
    yield Forgery("format 1", {**copy_of(document), "format": 1})
    older = {**copy_of(document), "format": 1}
    for event in older["events"]:
        event["words"] = event.pop("unproved", {}).get("words", "")
    yield Forgery("format 1, as it was", older)
    yield Forgery("no views", {**copy_of(document), "views": {}})
    yield Forgery("no facts", {**copy_of(document), "views": {}, "facts": {}})


def cut_ledgers(document: Document) -> Iterator[Forgery]:
    forged = copy_of(document)
    del forged["ledger"][-1]
    yield Forgery("the last line", forged)
    forged = copy_of(document)
    forged["ledger"][0] = forged["ledger"][0].replace(',"views":true', "")
    yield Forgery("the mark of views", forged)


def pictures_added(document: Document) -> Iterator[Forgery]:
    yield Forgery("of nothing", {**copy_of(document), "pictures": {**document.get("pictures", {}), "0" * 64: "AAAA"}})


KINDS: tuple[Callable[[Document], Iterator[Forgery]], ...] = (
    values_exchanged,
    values_changed,
    values_renamed,
    values_moved,
    envelopes_changed,
    envelopes_left_out,
    flags_added,
    events_doubled,
    events_dropped,
    events_dropped_with_their_views,
    events_withheld,
    events_reordered,
    events_told_under_another_line,
    proofs_exchanged,
    values_left_out,
    dice_left_out,
    reveals_of_another_act,
    rolls_claimed_to_be_open,
    seats_and_tables,
    formats,
    cut_ledgers,
    pictures_added,
)


# ---------------------------------------------------------------- taking an event apart

Place = tuple[str | int, ...]
"""The names and numbers that lead to a value of an event's fields."""


def _first_of_each_name(document: Document) -> list[int]:
    numbers: dict[str, int] = {}
    for number, event in enumerate(document["events"]):
        numbers.setdefault(f"{event['name']} {event['sight']}", number)
    return list(numbers.values())


def _places(shown: Any, place: Place = ()) -> Iterator[Place]:
    inside = parts_within(shown)
    if inside is None:
        if place:
            yield place
        return
    for name, part in inside:
        yield from _places(part, (*place, name))


def _path(place: Place) -> str:
    path = "event"
    for name in place:
        path = spell_path(path, name)
    return path


def copy_of(value: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value))


def _value(event: Document, place: Place) -> Any:
    value = event["fields"]
    for name in place:
        value = value[name]
    return value


def _put(event: Document, place: Place, value: Any) -> None:
    _value(event, place[:-1])[place[-1]] = value


def _another(value: Any) -> Any:
    """A value that a reader would take for as good."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case None:
            return "somebody"
        case list():
            return [*value, *value[:1]] if value else [1]
        case _:
            return {**value, "more": 1}


def withhold(document: Document, number: int, path: str, value: Any) -> None:
    """Take a value out of an event, and leave its leaf, as for a value that the seat may not see."""
    proof = document["proofs"][number]
    proof["others"] = sorted([*proof["others"], leaf_of_shown(value, path, *proof["values"].pop(path)).hex()])


def encoded(document: Document) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode() + b"\n"
