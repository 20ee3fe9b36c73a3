"""An evening without a store: the proceedings of a real table, each deed forgettable, nothing left to chance."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import field
from typing import Any

from astragal.chance import Dice, Offer, SeededDice, Together
from astragal.table.authoring.chapter import Call
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters.seats import SeatTaken
from astragal.table.commands.builtin import Answer, Happened
from astragal.table.commands.execute import Deed, allow, perform, settle, waiting_of
from astragal.table.commands.handlers import HANDLERS, Matter, Told, side_to_answer
from astragal.table.declarations import Role, Seat
from astragal.table.fields.parse import understood
from astragal.table.fields.validation import read
from astragal.table.log.history import Course
from astragal.table.refusals import NoSuchThing
from astragal.table.registry import Book, TableOpened
from astragal.table.state.table import Decision, HouseOptions, State
from astragal.table.visibility.redact import glimpse, plain
from astragal.values import frozen

GAME_MASTER, PLAYER, OTHER_PLAYER, SPECTATOR = "game master", "player", "other player", "spectator"
SEATS = {
    GAME_MASTER: Role.GAME_MASTER,
    PLAYER: Role.PLAYER,
    OTHER_PLAYER: Role.PLAYER,
    SPECTATOR: Role.SPECTATOR,
}
"""Who sits there. Seats are named as they are called."""


@frozen
class Step:
    """One command of an evening: whose, which, with what fields, on which dice, and how its offers are answered.

    Characters and seats are named by name. What else a command brings into the world is named by its deed: the first
    step of an evening is `deed-1`. Dice that are not said are seeded; offers that are not answered are declined.
    """

    seat: str
    command: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    faces: tuple[int, ...] = ()
    answers: tuple[Any, ...] = ()

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.command}({said}) by the {self.seat}"


class ScriptedFaces:
    """The faces that a step wants, and then seeded ones."""

    source = "rehearsal"

    def __init__(self, faces: Iterable[int], seed: int) -> None:
        self._faces, self._then = deque(faces), SeededDice(seed)

    def face(self, sides: int) -> int:
        face = self._faces.popleft() if self._faces else self._then.face(sides)
        if not 1 <= face <= sides:
            raise NoSuchThing(f"The evening wants a {face} on a die of {sides} sides.")
        return face


Choice = Callable[[Offer[Any]], Any]
"""How offers are answered that a step leaves open."""


def declined(offer: Offer[Any]) -> Any:
    return offer.default


def taken(offer: Offer[Any]) -> Any:
    """The farthest that one can go."""
    return offer.options[-1]


class Rehearsal:
    """A table of one game, with a game master, two players and a spectator."""

    def __init__(self, book: Book, course: Course) -> None:
        self.book, self.course, self.deeds = book, course, 0
        self.waited: list[State] = []
        """Where it stood still until somebody had decided."""

    @property
    def state(self) -> State:
        return self.course.state

    def fork(self) -> Rehearsal:
        """The same table, to try something that is not to have happened."""
        other = Rehearsal(self.book, copy(self.course))
        other.deeds = self.deeds
        other.course.saved = dict(self.course.saved)
        other.course.recent = self.course.recent.copy()
        other.course.lasting = list(self.course.lasting)
        other.course.abandoned = list(self.course.abandoned)
        return other

    def deed(self, step: Step) -> Deed | None:
        """The step as a deed of the game; None for an order, which is the table's own."""
        checked = self._checked(step)
        if type(checked) in HANDLERS:
            return None
        call = Call(self.state, self.state.viewer(step.seat), self._fresh())
        return Deed(self.book, call, self.book.action(step.command), checked)

    def act(self, step: Step, choice: Choice = declined) -> list[Happened]:
        """Do the step with all that follows, its offers answered."""
        deed = self.deed(step)
        dice = ScriptedFaces(step.faces, self.deeds)
        if deed is None:
            checked = self._checked(step)
            told = HANDLERS[type(checked)](self._matter(step.seat, dice), checked)
        else:
            hides = deed.action.hides(deed.call, deed.command)
            told = Told(perform(deed, dice), deed.call.fresh, hides=hides)
        self.deeds += 1
        return [*self.keep(step.seat, told), *self._decided(told.act, dice, deque(step.answers), choice)]

    def keep(self, seat: str, told: Told) -> list[Happened]:
        """Fold what was told and what it brings with it."""
        _, events = settle(self.book, self.course, told.events)
        first = self.course.number + 1
        happened = [
            Happened(number, 0, seat, told.act, event, told.sight, told.hides)
            for number, event in enumerate(events, first)
        ]
        for one in happened:
            self.course.advance(one)
        return happened

    def _checked(self, step: Step) -> Any:
        """The command of the step, as far as this seat may give it."""
        viewer = self.state.viewer(step.seat)
        checked = understood(
            self.book, self.state, viewer, (step.command, step.fields), lambda: glimpse(self.state, viewer)
        )
        allow(self.state, viewer, checked)
        return checked

    def _decided(self, act: str, dice: Dice, answers: deque[Any], choice: Choice) -> list[Happened]:
        happened: list[Happened] = []
        while act in self.state.decisions:
            decision = self.state.decisions[act]
            for side in decision.awaited:
                if side not in decision.sides:
                    raise LookupError(f"nobody answers for the side {side!r}; the action's `sides` says who does")
            self.waited.append(self.state)
            answer = answers.popleft() if answers else plain(choice(self._offer(decision)))
            matter = self._matter(GAME_MASTER, dice)
            happened += self.keep(GAME_MASTER, HANDLERS[Answer](matter, Answer(act=act, answer=answer)))
        return happened

    def _offer(self, decision: Decision) -> Offer[Any]:
        """The next offer, for the game master, who may decide for everyone."""
        need = waiting_of(self.book, decision).need
        if isinstance(need, Together):
            side, _ = side_to_answer(self.state, decision, self.state.viewer(GAME_MASTER))
            return next(offer for offer in need.offers if offer.side == side)
        assert isinstance(need, Offer)  # noqa: S101 - scripted dice never wait, and nobody is a witness here
        return need

    def _matter(self, seat: str, dice: Dice) -> Matter:
        viewer = self.state.viewer(seat)
        return Matter(self.book, self.course, viewer, self._fresh(), lambda decision: dice, is_known=lambda act: True)

    def _fresh(self) -> str:
        return f"deed-{self.deeds + 1}"


def rehearse(ruleset: Ruleset, options: Mapping[str, Any] | None = None) -> tuple[Rehearsal, TableOpened]:
    """A new table of a game, everybody seated, and how it was opened."""
    chosen: Any = read(ruleset.options, options or {})
    opened = TableOpened(
        table="rehearsal",
        name="A rehearsal",
        ruleset=ruleset.id,
        version=ruleset.version,
        options=plain(chosen),
        house=HouseOptions(trusting=True),  # nobody is there to rule on proposals
        skin="",
        terms={},
    )
    book = Book.of(ruleset)
    rehearsal = Rehearsal(book, book.course(opened))
    seats = [SeatTaken(seat=Seat(id=name, name=name, role=role)) for name, role in SEATS.items()]
    rehearsal.keep(GAME_MASTER, Told([opened, *seats], "opening"))
    return rehearsal, opened
