"""What came of the dice is sealed with them: every edit of the story shows, in real evenings of all four games."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator

import pytest

from astragal.fair import Receipt, verify
from astragal.storage import open_store
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.log.export import BadExport, ledger_in, read_whole, receipts_in
from astragal.table.log.replay import replay
from astragal.table.log.seat_audit import audit_view
from astragal.wiring import OURS, installed_rulesets
from tests.rulesets.kept_evenings import keep_evenings
from tests.table.exported import Exported
from tests.table.story_forgeries import SHOWN_BY_A_REPLAY, STORY_FORGERIES, envelope, name_of, write

pytestmark = pytest.mark.slow


class Played:
    """An evening of a game that was played with honest dice, as its table exports it."""

    def __init__(self, game: str, host: Host, table: str, seats: dict[str, str]) -> None:
        self.game, self.books = game, host.books
        master, *players = seats.values()
        self.whole = list(host.archive.export(table, master))
        self.views = [list(host.archive.export(table, player)) for player in players]

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        return receipts_in(self.views[0])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('evenings')}/tables.db")
    evenings = keep_evenings(store, honest=True)
    games = [installed_rulesets()[name]() for name in OURS]
    host = Host(store, games, clock=lambda: 0, entropy=secrets.token_bytes)
    return [Played(name, host, one.table, dict(one.seats)) for name, one in zip(OURS, evenings, strict=True)]


@pytest.fixture
def elsewhere() -> Iterator[Host]:
    """Another program, to which the table is brought."""
    store = open_store("memory:")
    yield Host(store, [installed_rulesets()[name]() for name in OURS], clock=lambda: 0, entropy=secrets.token_bytes)
    store.close()


def test_the_log_of_an_honest_evening_is_what_was_sealed_and_what_the_rules_tell(played: list[Played]) -> None:
    for evening in played:
        found = audit(evening.whole)
        assert (found.edits, found.unsealed) == ((), ())
        again = replay(evening.books, read_whole(evening.whole))
        assert (again.edits, dict(again.unplayed)) == ((), {})
        assert again.played >= 4


def test_an_honest_export_can_be_taken_in_elsewhere(played: list[Played], elsewhere: Host) -> None:
    for evening in played:
        elsewhere.archive.import_table(evening.whole)


@pytest.mark.parametrize("name", STORY_FORGERIES)
def test_a_forged_story_is_found_by_its_sealed_facts_and_not_imported(
    name: str, played: list[Played], elsewhere: Host
) -> None:
    forged = 0
    for evening in played:
        file = Exported(evening.whole)
        if STORY_FORGERIES[name](file) is None:
            continue
        forged += 1
        lines = file.file()
        assert audit(lines).edits
        with pytest.raises(BadExport):
            elsewhere.archive.import_table(lines)
    assert forged


@pytest.mark.parametrize("name", STORY_FORGERIES)
def test_a_receipt_shows_even_where_all_is_sealed_anew(name: str, played: list[Played]) -> None:
    for evening in played:
        file = Exported(evening.whole)
        entry = STORY_FORGERIES[name](file)
        if entry is None or name == "a_proof_of_another_time":  # which no seal covers: the audit shows it
            continue
        file.seal_again(entry)
        assert not verify(ledger_in(file.file()), evening.receipts).sound


@pytest.mark.parametrize("name", SHOWN_BY_A_REPLAY)
def test_the_rules_show_even_where_all_is_sealed_anew_and_nobody_kept_a_receipt(
    name: str, played: list[Played]
) -> None:
    forged = 0
    for evening in played:
        file = Exported(evening.whole)
        entry = STORY_FORGERIES[name](file)
        if entry is None:
            continue
        file.seal_again(entry)
        carried = read_whole(file.file())
        try:
            found = replay(evening.books, carried)
        except BadExport:  # what follows can't have happened then
            forged += 1
            continue
        forged += 1
        assert found.edits or found.unplayed, evening.game
    assert forged


def test_a_rewind_to_where_nothing_was_kept_is_no_history(played: list[Played]) -> None:
    forged = 0
    for evening in played:
        file = Exported(evening.whole)
        for row in file.rows:
            if name_of(row) == "rewound":
                changed = envelope(row)
                changed["event"]["to"] = 2
                write(row, changed)
                forged += 1
        if forged:
            with pytest.raises(BadExport, match="goes back to entry 2"):
                replay(evening.books, read_whole(file.file()))
            return
    raise AssertionError("no evening was rewound")


# ---------------------------------------------------------------- what a player saw


def test_everything_that_a_player_saw_is_proved(played: list[Played]) -> None:
    for evening in played:
        for (view,) in evening.views:
            found = audit_view(json.loads(view))
            assert (found.edits, found.unchecked) == ((), ())
            assert found.proved == len(json.loads(view)["events"])


def test_a_proof_gives_nothing_away_that_is_not_shown(played: list[Played]) -> None:
    """Two facts of one table have no digest in common, and none of a value that somebody could guess."""
    for evening in played:
        (view,) = evening.views[0]
        document = json.loads(view)
        leaves = [leaf for proof in document["proofs"] for leaf in proof["others"]]
        assert len(leaves) == len(set(leaves))
        salts = [salt for proof in document["proofs"] for salt, *_ in proof["values"].values()]
        assert len(salts) == len(set(salts))
        assert all(len(json.loads(fact["text"])) % 8 == 0 for fact in document["facts"].values())
