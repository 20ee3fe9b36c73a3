"""Chains kept by players' own programs: promised before their first use, declared when they are lost.

With a *paired* chain a seat's own program adds a link to each of its rolls; as a *witness* it adds one to the game
master's hidden rolls. Neither lets anyone choose a die; both prevent the owner of the server from looking ahead.
"""

from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.fair import sources
from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.scenes import ClosedRollId, SceneEnded, closed_roll
from astragal.table.commands.builtin import Revealed
from astragal.table.declarations import (
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    Nature,
    Seen,
    Viewer,
    replace,
    without,
)
from astragal.table.fields.definitions import Label
from astragal.table.refusals import BadFields
from astragal.table.state.table import State

CHAINS = Chapter(seen=Seen.ALL)

Kind = Literal["paired", "witness"]


def _source(call: Call, kind: Kind) -> str:
    seat = sources.GAME_MASTER if call.viewer.is_game_master else call.viewer.seat
    return sources.client(seat) if kind == "paired" else sources.witness(seat)


@CHAINS.event("chain_promised", nature=Nature.LASTING, says="a private chain was promised")
class ChainPromised(Event):
    """A player's program promised a chain."""

    src: str
    tip: str
    renew: int


@CHAINS.command("promise_chain", may=GAME_MASTER_AND_PLAYERS)
class PromiseChain(Command):
    """Publish the tip of a chain that your own program keeps."""

    kind: Annotated[Kind, Doc("for your own rolls, or as a witness of hidden ones")]
    tip: Annotated[str, MinLen(64), MaxLen(64), Doc("the chain's tip, in hex")]
    renew: Annotated[int, Ge(0), Le(1_000_000), Doc("how many chains of yours went before it")] = 0

    def does(self, call: Call) -> list[ChainPromised]:
        if any(sign not in "0123456789abcdef" for sign in self.tip):
            raise BadFields(["tip must be 64 hex digits, in lower case"], [("tip",)])
        return [ChainPromised(src=_source(call, self.kind), tip=self.tip, renew=self.renew)]


@CHAINS.event("chain_lost", nature=Nature.LASTING, says="a private chain was lost")
class ChainLost(Event):
    """A player's program declared its chain lost."""

    src: str


@CHAINS.command("declare_chain_lost", may=GAME_MASTER_AND_PLAYERS)
class DeclareChainLost(Command):
    """Say that your program has lost its chain; a new one can be promised then."""

    kind: Annotated[Kind, Doc("which chain")]

    def does(self, call: Call) -> list[ChainLost]:
        return [ChainLost(src=_source(call, self.kind))]


# ---------------------------------------------------------------- closed rolls


@CHAINS.event("kept_sealed", nature=Nature.LASTING, seen=Seen.GAME_MASTER)
class KeptSealed(Event):
    """A closed roll stays sealed when the scene ends, until the game master reveals it."""

    act: str
    name: str = ""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def says(self, _: Teller) -> str:
        return f"kept sealed: {self.name or 'a closed roll'}"

    def fold(self, state: State) -> State:
        without_roll = replace(state, closed_rolls=without(state.closed_rolls, self.act))
        if not self.name or self.act in state.revealed:
            return without_roll
        return without_roll.with_sealed_roll(self.act, self.name)


@CHAINS.command("keep_sealed", may=GAME_MASTER_ONLY)
class KeepSealed(Command):
    """Keep a closed roll sealed when the scene ends; reveal opens it later. A secret roll stays sealed anyway."""

    act: Annotated[ClosedRollId, Label("closed roll")]

    def does(self, call: Call) -> list[KeptSealed]:
        act = closed_roll(call.state, self.act)
        return [KeptSealed(act=act, name=call.state.closed_rolls[act])]


@CHAINS.after(SceneEnded)
def rolls_open_with_the_scene(state: State, ended: SceneEnded) -> list[Any]:
    """Open closed rolls when the scene ends, except those that the game master keeps. Secret rolls stay sealed."""
    kept_rolls = []
    opened_rolls = []
    for act, name in state.closed_rolls.items():
        if act in ended.kept:
            kept_rolls.append(KeptSealed(act=act, name=name))
        else:
            opened_rolls.append(Revealed(act=act))
    return [*kept_rolls, *opened_rolls]
