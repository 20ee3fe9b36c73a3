"""Safety: lines and veils that anyone may ask for, and a stop that anyone may call. Nobody is shown who did.

These events are anonymous: a view of them names no seat, not even to the game master. They last through rewinds,
because they are agreements of people and not part of the story.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.declarations import Nature, command, event
from astragal.table.fields import FreeText, Names
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Teller
from astragal.table.seats import EVERYONE, GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Role
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.safety import Agreed, Boundary, Safety

BoundaryId = Annotated[str, MaxLen(40), Names("boundary")]
Subject = Annotated[str, MinLen(1), MaxLen(200), FreeText()]
MOST_BOUNDARIES = 200

# ---------------------------------------------------------------- what is asked


@command("agree_boundary", may=EVERYONE)
class AgreeBoundary:
    """Name something that is not to be told here, or only behind a veil. Nobody is shown who asked."""

    words: Annotated[Subject, Doc("what it is about")]
    kind: Annotated[Boundary, Doc("a line is never crossed; behind a veil things may happen, untold")] = Boundary.LINE


@command("lift_boundary", may=GAME_MASTER_ONLY, grave=True)
class LiftBoundary:
    """Take a line or a veil away, once everyone has agreed to that."""

    boundary: Annotated[BoundaryId, Doc("the line or veil")]


@command("stop_scene", may=EVERYONE)
class StopScene:
    """Stop the scene at once. No reason is asked for, and nobody is shown who did."""


@command("go_on", may=GAME_MASTER_AND_PLAYERS, grave=True)
class GoOn:
    """Be ready to go on. The scene goes on when the game master says so, or when all players have."""


# ---------------------------------------------------------------- what happened


@event("boundary_agreed", nature=Nature.LASTING)
class BoundaryAgreed:
    """A line or a veil holds at this table."""

    anonymous = True

    boundary: Annotated[str, Seen.ALL]
    kind: Annotated[Boundary, Seen.ALL]
    words: Annotated[Subject, Seen.ALL]


@event("boundary_lifted", nature=Nature.LASTING)
class BoundaryLifted:
    """A line or a veil holds no longer."""

    boundary: Annotated[str, Seen.ALL]
    kind: Annotated[Boundary, Seen.ALL]
    words: Annotated[Subject, Seen.ALL]


@event("scene_stopped", nature=Nature.LASTING)
class SceneStopped:
    """Somebody stopped the scene."""

    anonymous = True


@event("ready_to_go_on", nature=Nature.LASTING)
class ReadyToGoOn:
    """Somebody would go on."""

    anonymous = True

    seat: Annotated[str, Seen.NOBODY]


@event("scene_resumed", nature=Nature.LASTING)
class SceneResumed:
    """The scene goes on."""

    anonymous = True

    by_all: Annotated[bool, Seen.ALL]
    """Did all players say so, or the game master?"""


# ---------------------------------------------------------------- deciding


def check_goes_on(state: State) -> None:
    """While the scene is stopped the story does not move."""
    if state.safety.stopped:
        raise Refusal("The scene is stopped. Talk first; then go on.", code="scene_stopped")


def _agree(call: Call, asked: AgreeBoundary, _: None) -> list[BoundaryAgreed]:
    if len(call.state.safety.boundaries) >= MOST_BOUNDARIES:
        raise Refusal(f"There are {MOST_BOUNDARIES} lines and veils already.", code="too_many")
    return [BoundaryAgreed(boundary=call.fresh, kind=asked.kind, words=asked.words)]


def _lift(call: Call, asked: LiftBoundary, _: None) -> list[BoundaryLifted]:
    for agreed in call.state.safety.boundaries:
        if agreed.id == asked.boundary:
            return [BoundaryLifted(boundary=agreed.id, kind=agreed.kind, words=agreed.words)]
    raise NoSuchThing("There is no such line or veil.")


def _stop(_: Call, __: StopScene, ___: None) -> list[SceneStopped]:
    """Never refused: to stop twice is to stop."""
    return [SceneStopped()]


def _go_on(call: Call, _: GoOn, __: None) -> list[ReadyToGoOn] | list[SceneResumed]:
    safety = call.state.safety
    if not safety.stopped:
        raise Refusal("The scene is not stopped.", code="not_stopped")
    if call.viewer.is_game_master:
        return [SceneResumed(by_all=False)]
    if call.viewer.seat in safety.ready:
        raise Refusal("You have said so; the others have not all done so yet.", code="already_ready")
    return [ReadyToGoOn(seat=call.viewer.seat)]


def _resume_when_all_are_ready(state: State, _: ReadyToGoOn) -> list[SceneResumed]:
    players = {seat.id for seat in state.seats.values() if seat.role is Role.PLAYER}
    return [SceneResumed(by_all=True)] if players <= set(state.safety.ready) else []


# ---------------------------------------------------------------- folds and words


def _with(state: State, **changes: Any) -> State:
    safety: Safety = replace(state.safety, **changes)
    return replace(state, safety=safety)


def _hold(state: State, agreed: BoundaryAgreed) -> State:
    boundary = Agreed(id=agreed.boundary, kind=agreed.kind, words=agreed.words)
    return _with(state, boundaries=(*state.safety.boundaries, boundary))


def _let_go(state: State, lifted: BoundaryLifted) -> State:
    return _with(state, boundaries=tuple(one for one in state.safety.boundaries if one.id != lifted.boundary))


def _halt(state: State, _: SceneStopped) -> State:
    return _with(state, stopped=True, ready=())


def _count_ready(state: State, ready: ReadyToGoOn) -> State:
    return _with(state, ready=(*state.safety.ready, ready.seat))


def _resume(state: State, _: SceneResumed) -> State:
    return _with(state, stopped=False, ready=())


def _say_resumed(resumed: SceneResumed, _: Teller) -> str:
    return "all are ready: the scene goes on" if resumed.by_all else "the scene goes on"


SAFETY = Chapter(
    actions=(
        Action(AgreeBoundary, _agree),
        Action(LiftBoundary, _lift),
        Action(StopScene, _stop),
        Action(GoOn, _go_on),
    ),
    happenings=(
        Happening(BoundaryAgreed, lambda agreed, teller: f"a {agreed.kind.value}: {agreed.words}", _hold),
        Happening(BoundaryLifted, lambda lifted, teller: f"no longer a {lifted.kind.value}: {lifted.words}", _let_go),
        Happening(SceneStopped, lambda stopped, teller: "the scene is stopped", _halt),
        Happening(ReadyToGoOn, lambda ready, teller: "somebody is ready to go on", _count_ready),
        Happening(SceneResumed, _say_resumed, _resume),
    ),
    reactions=(Reaction(ReadyToGoOn, _resume_when_all_are_ready),),
)
