"""Safety: lines and veils that anyone may ask for, and a stop that anyone may call. Nobody is shown who did.

These events are anonymous: a view of them names no seat, not even to the game master. They last through rewinds,
because they are agreements of people and not part of the story.
"""

from typing import Annotated, Any

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Fact
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import EVERYONE, GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Nature, Role, Seen, replace
from astragal.table.fields.definitions import FreeText, Label, Names
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Agreed, Boundary

SAFETY = Chapter(seen=Seen.ALL)


@SAFETY.names("boundary")
def boundaries_named(state: State) -> list[Named]:
    return [Named(boundary.id, boundary.words) for boundary in state.safety.boundaries]


BoundaryId = Annotated[str, MaxLen(40), Names("boundary")]
Subject = Annotated[str, MinLen(1), MaxLen(200), FreeText()]
MOST_BOUNDARIES = 200


def check_goes_on(state: State) -> None:
    """Refuse to move the story on while the scene is stopped."""
    if state.safety.stopped:
        raise Refusal("The scene is stopped. Talk first; then go on.", code="scene_stopped")


def _with(state: State, **changes: Any) -> State:
    return replace(state, safety=replace(state.safety, **changes))


# ---------------------------------------------------------------- lines and veils


@SAFETY.event("boundary_agreed", nature=Nature.LASTING)
class BoundaryAgreed(Event):
    """A line or a veil holds at this table."""

    anonymous = True

    boundary: str
    kind: Boundary
    words: Subject

    def says(self, _: Teller) -> str:
        return f"a {self.kind.value}: {self.words}"

    def fold(self, state: State) -> State:
        agreed = Agreed(id=self.boundary, kind=self.kind, words=self.words)
        return _with(state, boundaries=(*state.safety.boundaries, agreed))


@SAFETY.command("agree_boundary", title="Agree on a line or veil", may=EVERYONE)
class AgreeBoundary(Command):
    """Name something that is not to be told here, or only behind a veil. Nobody is shown who asked."""

    words: Annotated[Subject, Label("what about")]
    kind: Annotated[
        Boundary, Label("line or veil"), Doc("a line is never crossed; behind a veil things may happen, untold")
    ] = Boundary.LINE

    def does(self, call: Call) -> list[BoundaryAgreed]:
        if len(call.state.safety.boundaries) >= MOST_BOUNDARIES:
            raise Refusal(f"There are {MOST_BOUNDARIES} lines and veils already.", code="too_many")
        return [BoundaryAgreed(boundary=call.fresh, kind=self.kind, words=self.words)]


@SAFETY.event("boundary_lifted", nature=Nature.LASTING)
class BoundaryLifted(Event):
    """A line or a veil holds no longer."""

    boundary: str
    kind: Boundary
    words: Subject

    def says(self, _: Teller) -> str:
        return f"no longer a {self.kind.value}: {self.words}"

    def fold(self, state: State) -> State:
        return _with(
            state, boundaries=tuple(boundary for boundary in state.safety.boundaries if boundary.id != self.boundary)
        )


@SAFETY.command("lift_boundary", title="Lift a line or veil", may=GAME_MASTER_ONLY, grave=True)
class LiftBoundary(Command):
    """Take a line or a veil away, once everyone has agreed to that."""

    boundary: Annotated[BoundaryId, Doc("the line or veil")]

    def does(self, call: Call) -> list[BoundaryLifted]:
        for agreed in call.state.safety.boundaries:
            if agreed.id == self.boundary:
                return [BoundaryLifted(boundary=agreed.id, kind=agreed.kind, words=agreed.words)]
        raise NoSuchThing("There is no such line or veil.")


# ---------------------------------------------------------------- stop, and go on


@SAFETY.fact(
    "stop_scene",
    told="scene_stopped",
    may=EVERYONE,
    nature=Nature.LASTING,
    says="the scene is stopped",
)
class StopScene(Fact):
    """Stop the scene at once. No reason is asked for, and nobody is shown who did."""

    anonymous = True

    # Never refused, so it has no `check`: stopping twice does no harm.

    def fold(self, state: State) -> State:
        return _with(state, stopped=True, ready=())


@SAFETY.event("ready_to_go_on", nature=Nature.LASTING, seen=Seen.NOBODY, says="somebody is ready to go on")
class ReadyToGoOn(Event):
    """A player is ready to go on."""

    anonymous = True

    seat: str

    def fold(self, state: State) -> State:
        return _with(state, ready=(*state.safety.ready, self.seat))


@SAFETY.event("scene_resumed", nature=Nature.LASTING)
class SceneResumed(Event):
    """The scene goes on."""

    anonymous = True

    by_all: bool
    """True if all players were ready, False if the game master decided."""

    def says(self, _: Teller) -> str:
        return "all are ready: the scene goes on" if self.by_all else "the scene goes on"

    def fold(self, state: State) -> State:
        return _with(state, stopped=False, ready=())


@SAFETY.command("go_on", may=GAME_MASTER_AND_PLAYERS, grave=True)
class GoOn(Command):
    """Be ready to go on. The scene goes on when the game master says so, or when all players have."""

    def does(self, call: Call) -> list[ReadyToGoOn] | list[SceneResumed]:
        safety = call.state.safety
        if not safety.stopped:
            raise Refusal("The scene is not stopped.", code="not_stopped")
        if call.viewer.is_game_master:
            return [SceneResumed(by_all=False)]
        if call.viewer.seat in safety.ready:
            raise Refusal(
                "You already said that you are ready; the others have not all done so yet.", code="already_ready"
            )
        return [ReadyToGoOn(seat=call.viewer.seat)]


@SAFETY.after(ReadyToGoOn)
def scene_goes_on_when_all_are_ready(state: State, _: ReadyToGoOn) -> list[SceneResumed]:
    players = {seat.id for seat in state.seats.values() if seat.role is Role.PLAYER}
    return [SceneResumed(by_all=True)] if players <= set(state.safety.ready) else []
