"""No lie passes in what a seat was shown: forgeries of evenings of all games, in the three verifiers."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from astragal.fair import Verdict
from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.seat_audit import audit_view
from astragal.wiring import OURS, installed_rulesets
from tests.fair.pages import receipts_of
from tests.rulesets.kept_evenings import keep_evenings
from tests.table.fair_tables import Witness, an_evening
from tests.table.seat_forgeries import Document, copy_of, forgeries, withhold
from tests.table.three_verifiers import Verifier, of_the_documentation, of_the_page, of_the_terminal, verdicts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verifiers() -> Iterator[dict[str, Verifier]]:
    with of_the_page() as page:
        yield {"terminal": of_the_terminal, "page": page, "documentation": of_the_documentation()}


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """What a player saw of an evening of each game, and of one with hidden rolls, reveals, rewinds and overrides."""
    folder = tmp_path_factory.mktemp("evenings")
    store = open_store(f"sqlite:///{folder}/tables.db")
    played = keep_evenings(store, honest=True)
    host = Host(store, [installed_rulesets()[name]() for name in OURS], clock=lambda: 0, entropy=secrets.token_bytes)
    files = {}
    for name, evening in zip(OURS, played, strict=True):
        (file,) = host.archive.export(evening.table, list(evening.seats.values())[1])
        files[name] = json.loads(file)
    cliff = an_evening(open_store(f"sqlite:///{folder}/cliff.db"))
    (file,) = cliff.export(cliff.bo)
    return {**files, "the_cliff": json.loads(file)}


def test_an_honest_export_is_sound_in_all_three_verifiers(
    verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    for name, document in evenings.items():
        assert set(verdicts(verifiers, document).values()) == {Verdict.SOUND}, name


@pytest.mark.parametrize("game", [*OURS, "the_cliff"])
def test_no_forgery_passes_in_any_of_the_three_verifiers(
    game: str, verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    made: Counter[str] = Counter()
    for name, forged in forgeries(evenings[game]):
        made[name.partition(":")[0]] += 1
        found = verdicts(verifiers, forged)
        assert Verdict.SOUND not in found.values(), (name, found)
        assert len(set(found.values())) == 1 or name.startswith("formats"), (name, found)
    assert made.total() >= 75  # in each of five evenings
    assert len(made) >= 14, made


# ---------------------------------------------------------------- any change of the file


def read_by_a_person(document: Any) -> Any:
    """What a person reads in a file: everything but the proofs and what is marked as unproved."""
    if not isinstance(document, dict):
        return document
    shown = {name: value for name, value in document.items() if name not in ("proofs", "facts", "views")}
    events = shown.get("events")
    if isinstance(events, list):
        shown["events"] = [
            {name: value for name, value in event.items() if name != "unproved"} if isinstance(event, dict) else event
            for event in events
        ]
    return json.dumps(shown, sort_keys=True)


def places_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every value of a file, by the names and numbers that lead to it."""
    if place:
        yield place
    if isinstance(value, (dict, list)):
        for name in value if isinstance(value, dict) else range(len(value)):
            yield from places_in(value[name], (*place, name))


def anything(random: Random) -> Any:
    """A value that could stand anywhere in a file, made anew each time: a further change may be made in it."""
    return random.choice(
        [None, True, False, random.randint(-2, 30), random.choice(["", "a", "<b>", "ß"]), [], {}, {"a": 1}]
    )


def edited(document: Document, random: Random) -> Document:
    """One to three changes anywhere in a file: taken out, doubled, renamed, exchanged, or anything else instead."""
    changed: Document = copy_of(document)
    for _ in range(random.randint(1, 3)):
        places = list(places_in({name: changed[name] for name in sorted(changed) if name not in ("facts", "ledger")}))
        place = random.choice(places)
        holder: Any = changed
        for name in place[:-1]:
            holder = holder[name]
        name = place[-1]
        match random.choice(["take out", "put", "exchange", "double", "rename"]):
            case "take out":
                del holder[name]
            case "put":
                holder[name] = anything(random)
            case "exchange":
                other = random.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
                holder[name], holder[other] = holder[other], holder[name]
            case "double" if isinstance(holder, list):
                holder.insert(name, copy_of(holder[name]))
            case "rename" if isinstance(holder, dict):
                holder[random.choice(["", "a", "act", "events", "fields"])] = holder.pop(name)
    return changed


@pytest.mark.parametrize("game", [*OURS, "the_cliff"])
def test_any_change_of_what_a_person_reads_shows(
    game: str, verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    document = evenings[game]
    for seed in range(25):
        changed = edited(document, Random(seed))
        found = verdicts(verifiers, changed)
        if read_by_a_person(changed) != read_by_a_person(document):
            assert Verdict.SOUND not in found.values(), (seed, found)


# ---------------------------------------------------------------- what is withheld


def test_a_value_of_the_seats_alone_that_is_left_out_is_counted_as_withheld(evenings: dict[str, Document]) -> None:
    """A seat need not show what only it may see: the file says of how many events it shows only a part."""
    document = copy_of(evenings["sinew_steel"])
    number = next(place for place, proof in enumerate(document["proofs"]) if proof.get("beyond"))
    event, proof = document["events"][number], document["proofs"][number]
    in_part = audit_view(document).in_part
    holder, *names = proof["beyond"][0].removeprefix("event.").split(".")
    value = event["fields"]
    for name in (holder, *names)[:-1]:
        value = value[name]
    withhold(document, number, proof["beyond"][0], value.pop((holder, *names)[-1]))
    assert audit_view(document).in_part >= in_part


def test_a_table_whose_ledger_promises_no_views_is_sound_only_as_far_as_it_goes(
    verifiers: dict[str, Verifier], evenings: dict[str, Document]
) -> None:
    """Whoever drops the promise from the first line has to write all heads anew, which receipts show."""
    document = copy_of(evenings["the_cliff"])
    lines = [document["ledger"][0].replace(',"views":true', ""), *document["ledger"][1:]]
    document["ledger"] = lines
    last = receipts_of(document["table"], [line.encode() for line in lines])[-1]
    document["receipt"] = last.public
    assert set(verdicts(verifiers, document).values()) == {Verdict.SOUND_SO_FAR}


# ---------------------------------------------------------------- nobody honest is accused


def test_every_seat_has_a_sound_export_whatever_happened_at_the_table(
    verifiers: dict[str, Verifier], tmp_path: Path
) -> None:
    """Whispers, secret rolls revealed later, late comers, spectators, another game master, a restored backup."""
    table = an_evening(open_store(f"sqlite:///{tmp_path}/tables.db"))
    table.act(table.bo, "whisper", to=[table.cy], words="Don't jump.")
    for seat in (table.bo, table.cy):
        table.act(seat, "declare_chain_lost", kind="witness")
    secret = table.dare(table.ada, sight=Sight.SECRET)
    late = [
        table.act(table.ada, "take_seat", **fields).events[0].fields["seat"]["id"]
        for fields in ({"name": "Di"}, {"name": "Eve", "role": "spectator"})
    ]
    witness = Witness(table, late[0])
    revealed_early = table.dare(table.ada, sight=Sight.HIDDEN)
    table.act(table.ada, "reveal", act=revealed_early.act)
    witness.answer(revealed_early.act)
    table.act(table.ada, "write_note", title="The rope", words="It is cut.")
    table.act(table.ada, "reveal", act=secret.act)
    table.host.archive.backup(tmp_path / "backup.db")
    table.act(table.cy, "say", words="This is lost.")
    table.host.archive.restore(tmp_path / "backup.db")
    table.act(table.ada, "hand_over", seat="Bo")
    table.act(table.ada, "say", words="I was the game master.")
    for seat in (table.ada, table.cy, *late):
        (file,) = table.export(seat)
        document = json.loads(file)
        assert set(verdicts(verifiers, document).values()) == {Verdict.SOUND}, audit_view(document)
        for act in (secret.act, revealed_early.act):
            assert any(event["act"] == act and "dice" in event["fields"] for event in document["events"])
