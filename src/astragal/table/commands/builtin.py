"""Built-in commands, which are about other commands: answer, withdraw, reveal, save, rewind, undo, agree, decline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Command
from astragal.table.authoring.declarations import command
from astragal.table.fields.definitions import Name, Names
from astragal.table.fields.values import field
from astragal.table.state.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY

HiddenRollId = Annotated[str, MaxLen(40), Names("closed roll or sealed roll")]
DecisionId = Annotated[str, MaxLen(40), Names("decision")]
SaveNodeId = Annotated[str, MaxLen(40), Names("save node")]
ConsentId = Annotated[str, MaxLen(40), Names("proposal")]


@command("answer", may=GAME_MASTER_AND_PLAYERS)
class Answer(Command):
    """Answer a decision that waits for you, or for somebody you stand in for."""

    act: Annotated[DecisionId, Doc("the roll or decision that waits")]
    answer: Annotated[Any, Doc("one of the options; for dice thrown by hand, their faces in order")]


@command("withdraw", may=GAME_MASTER_ONLY, grave=True)
class Withdraw(Command):
    """Take back a command that waits for a decision. Its dice stay in the record."""

    act: Annotated[DecisionId, Doc("the roll or decision that waits")]


@command("reveal", may=GAME_MASTER_ONLY, grave=True)
class Reveal(Command):
    """Open a hidden or secret roll to everyone, for good."""

    act: Annotated[HiddenRollId, Doc("the hidden roll, by its name")]


@command("mark_save_node", may=GAME_MASTER_ONLY)
class MarkSaveNode(Command):
    """Mark the present as a place to rewind to."""

    label: Annotated[Name, Doc("what the place is remembered by")]


@command("rewind", may=GAME_MASTER_ONLY, grave=True)
class Rewind(Command):
    """Go back to a save node, at a price that the game names."""

    node: Annotated[SaveNodeId, Doc("the save node")]
    price: Annotated[Name, Names("price"), Doc("what it costs: one of the game's prices")]
    amount: Annotated[int, Ge(1), Le(20), Doc("how much of it")] = 1


@command("undo", may=GAME_MASTER_ONLY, grave=True)
class Undo(Command):
    """Take the last command back: a rewind without a price, and as visible."""


@command("agree", may=GAME_MASTER_AND_PLAYERS)
class Agree(Command):
    """Say yes to a proposal: it is done. The game master may change what a player proposed."""

    consent: Annotated[ConsentId, Doc("the proposal")]
    changes: Annotated[
        Mapping[str, int | Annotated[str, MaxLen(200)] | bool | tuple[Annotated[str, MaxLen(200)], ...] | None],
        Doc("what counts instead, by field; only the game master, and only what the player had to propose"),
    ] = field(default_factory=dict)


@command("decline", may=GAME_MASTER_AND_PLAYERS)
class Decline(Command):
    """Say no to a proposal: it is not done. Whoever proposed it takes it back this way."""

    consent: Annotated[ConsentId, Doc("the proposal")]


ORDERS = (Answer, Withdraw, Reveal, MarkSaveNode, Rewind, Undo, Agree, Decline)
