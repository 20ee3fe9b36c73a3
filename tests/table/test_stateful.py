"""Random tables: whatever people do, in whatever order, the table stays whole."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from secrets import token_bytes

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.log.session import open_live
from astragal.table.refusals import Refusal
from astragal.table.visibility.redact import plain
from tests.table.seated import Seated, seat_everyone

PEOPLE = st.sampled_from(["Ada", "Bo", "Cy", "Di"])
HEROES = st.sampled_from(["Kira", "Lund"])
FACES = st.integers(1, 6)


class RandomTable(RuleBasedStateMachine):
    """Commands, answers, rewinds, reveals, joins and departures, each of which may be refused."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.store = open_store(f"sqlite:///{self.folder}/tables.db")
        self.seated: Seated = seat_everyone(self.store)
        self.paid = 0
        self.hidden: list[str] = []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)

    def attempt(self, seat: str, command: str, **fields: object) -> bool:
        """A command is done or refused with a code and a sentence; nothing else may come of it."""
        before = self.seated.look("Ada")
        try:
            self.seated.act(seat, command, **fields)
        except Refusal as refusal:
            assert refusal.code
            assert refusal.sentence.endswith(".")
            assert self.seated.look("Ada") == before
            return False
        return True

    @rule(seat=PEOPLE, who=HEROES, danger=st.integers(1, 10), face=FACES)
    def dare(self, seat: str, who: str, danger: int, face: int) -> None:
        self.seated.dice.faces = [face]
        self.attempt(seat, "dare", who=who, danger=danger)

    @rule(who=HEROES, face=FACES, sight=st.sampled_from([Sight.HIDDEN, Sight.SECRET]))
    def dare_out_of_sight(self, who: str, face: int, sight: Sight) -> None:
        self.seated.dice.faces = [face]
        try:
            self.hidden.append(self.seated.hidden("dare", sight, who=who, danger=9).act)
        except Refusal as refusal:
            assert refusal.code == "still_deciding"

    @precondition(lambda self: self.seated.look("Ada").decisions)
    @rule(seat=PEOPLE, answer=st.integers(0, 6))
    def answer(self, seat: str, answer: int) -> None:
        act = next(iter(self.seated.look("Ada").decisions))
        self.attempt(seat, "answer", act=act, answer=answer)

    @rule(label=st.sampled_from(["edge", "ledge", "foot"]))
    def save(self, label: str) -> None:
        self.attempt("Ada", "mark_save_node", label=label)

    @precondition(lambda self: self.seated.look("Ada").nodes)
    @rule(choice=st.integers(0, 99), seat=st.sampled_from(["Ada", "Bo"]))
    def rewind(self, choice: int, seat: str) -> None:
        nodes = list(self.seated.look("Ada").nodes)
        if self.attempt(seat, "rewind", node=nodes[choice % len(nodes)], price="nerve"):
            self.paid += 1

    @rule()
    def undo(self) -> None:
        self.attempt("Ada", "undo")

    @precondition(lambda self: self.hidden)
    @rule()
    def reveal(self) -> None:
        self.attempt("Ada", "reveal", act=self.hidden.pop())

    @invariant()
    def nerve_is_never_conjured_up(self) -> None:
        """Nerve is within its bounds, and prices of rewinds are never refunded."""
        for character in self.seated.look("Ada").characters.values():
            assert 0 <= character.sheet.nerve <= max(0, 3 - self.paid)

    @invariant()
    def the_fold_is_the_state(self) -> None:
        keeper = self.seated.host._repository  # noqa: SLF001 - the fold itself is what is held against the state
        live = open_live(self.seated.table, keeper.books, self.store, token_bytes, from_snapshot=False)
        assert live.state == keeper.at(self.seated.table).state

    @invariant()
    def nobody_learns_what_is_hidden(self) -> None:
        told = [str(plain(self.seated.look(seat))) for seat in ("Bo", "Cy", "Di")]
        for act in self.hidden:
            assert all(act not in view for view in told)


TestRandomTable = pytest.mark.slow(RandomTable.TestCase)
TestRandomTable.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
