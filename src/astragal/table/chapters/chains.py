"""Chains that players keep themselves: promised before their first use, declared when they are lost.

With a *paired* chain a seat's own program adds a link to each of its rolls; as a *witness* it adds one to the game
master's hidden rolls. Neither lets anyone choose a die; both keep the one who runs the server from looking ahead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.fair import sources
from astragal.table.chapters.scenes import ClosedRollId, SceneEnded, closed_roll
from astragal.table.declarations import Nature, command, event
from astragal.table.deeds import Revealed
from astragal.table.refusals import BadFields
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Teller
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Viewer
from astragal.table.seen import Seen
from astragal.table.state import State

Kind = Literal["paired", "witness"]


@command("promise_chain", may=GAME_MASTER_AND_PLAYERS)
class PromiseChain:
    """Publish the tip of a chain that your own program keeps."""

    kind: Annotated[Kind, Doc("for your own rolls, or as a witness of hidden ones")]
    tip: Annotated[str, MinLen(64), MaxLen(64), Doc("the chain's tip, in hex")]
    renew: Annotated[int, Ge(0), Le(1_000_000), Doc("how many chains of yours went before it")] = 0


@command("declare_chain_lost", may=GAME_MASTER_AND_PLAYERS)
class DeclareChainLost:
    """Say that your program has lost its chain; a new one can be promised then."""

    kind: Annotated[Kind, Doc("which chain")]


@command("keep_sealed", may=GAME_MASTER_ONLY)
class KeepSealed:
    """Keep a closed roll sealed when the scene ends; reveal opens it later. A secret roll stays sealed anyway."""

    act: Annotated[ClosedRollId, Doc("the closed roll")]


@event("chain_promised", nature=Nature.LASTING)
class ChainPromised:
    """A player's program promised a chain."""

    src: Annotated[str, Seen.ALL]
    tip: Annotated[str, Seen.ALL]
    renew: Annotated[int, Seen.ALL]


@event("chain_lost", nature=Nature.LASTING)
class ChainLost:
    """A player's program lost its chain, and said so."""

    src: Annotated[str, Seen.ALL]


@event("kept_sealed", nature=Nature.LASTING)
class KeptSealed:
    """A closed roll stays sealed when the scene ends, and until the game master reveals it."""

    act: Annotated[str, Seen.GAME_MASTER]
    name: Annotated[str, Seen.GAME_MASTER] = ""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


def _source(call: Call, kind: Kind) -> str:
    seat = sources.GAME_MASTER if call.viewer.is_game_master else call.viewer.seat
    return sources.client(seat) if kind == "paired" else sources.witness(seat)


def _promise(call: Call, asked: PromiseChain, _: None) -> list[ChainPromised]:
    if any(sign not in "0123456789abcdef" for sign in asked.tip):
        raise BadFields(["tip must be 64 hex digits, in lower case"])
    return [ChainPromised(src=_source(call, asked.kind), tip=asked.tip, renew=asked.renew)]


def _lose(call: Call, asked: DeclareChainLost, _: None) -> list[ChainLost]:
    return [ChainLost(src=_source(call, asked.kind))]


def _keep(call: Call, asked: KeepSealed, _: None) -> list[KeptSealed]:
    act = closed_roll(call.state, asked.act)
    return [KeptSealed(act=act, name=call.state.closed_rolls[act])]


def _open_with_the_scene(state: State, ended: SceneEnded) -> list[Any]:
    """Closed rolls open when the scene ends, but for those that the game master keeps back. Secret ones never do."""
    closed = state.closed_rolls.items()
    kept = [KeptSealed(act=act, name=name) for act, name in closed if act in ended.kept]
    return [*kept, *(Revealed(act=act) for act, _ in closed if act not in ended.kept)]


def _keep_sealed(state: State, kept: KeptSealed) -> State:
    return replace(state, closed_rolls={act: name for act, name in state.closed_rolls.items() if act != kept.act})


def _say_kept(kept: KeptSealed, _: Teller) -> str:
    return f"kept sealed: {kept.name or 'a closed roll'}"


CHAINS = Chapter(
    actions=(
        Action(PromiseChain, _promise),
        Action(DeclareChainLost, _lose),
        Action(KeepSealed, _keep),
    ),
    happenings=(
        Happening(ChainPromised, lambda promised, teller: "a chain of one's own was promised"),
        Happening(ChainLost, lambda lost, teller: "a chain of one's own was lost"),
        Happening(KeptSealed, _say_kept, _keep_sealed),
    ),
    reactions=(Reaction(SceneEnded, _open_with_the_scene),),
)
