"""Help: an action that gives somebody advantage on the next roll, if the game master finds it meaningful. SP-15."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Event,
    NoSuchThing,
    Refusal,
    Seen,
    Teller,
)
from astragal.game.display import Choices, Piece, Proposal
from astragal.game.fields import CharacterId, Doc, Name, Words
from astragal.game.rolls import HELP, NEXT_ROLL
from astragal.game.shared import SceneEnded, Until, new_condition

from .catalogue import Training
from .state import Call, HelpOffer, RollKind, State, check_able, find, find_skill, reason

HELPING = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- offering


@HELPING.event("help_offered", owner="who")
class HelpOffered(Event):
    """SP-15: somebody would help, if the game master agrees that it helps."""

    offer: str
    who: CharacterId
    ally: CharacterId
    skill: str
    how: Words

    def says(self, teller: Teller) -> str:
        at = f" with {self.skill}" if self.skill else ""
        return f"{teller.name(self.who)} offers to help {teller.name(self.ally)}{at}{reason(self.how)}"

    def fold(self, state: State) -> State:
        offer = HelpOffer(id=self.offer, who=self.who, ally=self.ally, skill=self.skill)
        return state.with_game(help_offered={**state.game.help_offered, offer.id: offer})


@HELPING.command("help", may=GAME_MASTER_OR_OWNER, actor="who")
class Help(Command):
    """Spend your action on helping somebody: advantage on their next roll, if it means anything."""

    who: Annotated[CharacterId, Doc("who helps")]
    ally: Annotated[CharacterId, Doc("who is helped")]
    skill: Annotated[Name | None, Doc("the skill that it is about; the helper must be trained in it")] = None
    how: Annotated[Words, Doc("how they help")] = ""

    def does(self, call: Call) -> list[HelpOffered]:
        helper, ally = find(call.state, self.who), find(call.state, self.ally)
        if helper.id == ally.id:
            raise Refusal("One helps somebody else.", code="same_side")
        check_able(call.state, helper, RollKind.CHECK)
        skill = "" if self.skill is None else find_skill(call.state, self.skill).name
        return [HelpOffered(offer=call.fresh, who=helper.id, ally=ally.id, skill=skill, how=self.how)]


# ---------------------------------------------------------------- judging


def without_offer(state: State, offer: str) -> State:
    return state.with_game(help_offered={key: one for key, one in state.game.help_offered.items() if key != offer})


@HELPING.event("help_judged", owner="who")
class HelpJudged(Event):
    """SP-15: the game master found help meaningful, or not."""

    offer: str
    who: CharacterId
    ally: CharacterId
    meaningful: bool

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}'s help {'counts' if self.meaningful else 'does not help'}"

    def fold(self, state: State) -> State:
        return without_offer(state, self.offer)


@HELPING.command("judge_help", may=GAME_MASTER_ONLY)
class JudgeHelp(Command):
    """Say whether help that was offered is meaningful."""

    offer: Annotated[Name, Doc("the offer")]
    meaningful: Annotated[bool, Doc("whether it helps")] = True
    waive_training: Annotated[bool, Doc("whether an untrained helper will do")] = False

    def does(self, call: Call) -> list[Any]:
        """SP-15: help that means something is advantage on the next roll, until the scene ends.

        For a skill the helper must be trained, unless the game master waives it.
        """
        state, offer = call.state, call.state.game.help_offered.get(self.offer)
        if offer is None:
            raise NoSuchThing("No such help is offered.")
        judged = HelpJudged(offer=offer.id, who=offer.who, ally=offer.ally, meaningful=self.meaningful)
        if not self.meaningful:
            return [judged]
        helper = find(state, offer.who)
        if offer.skill and not self.waive_training:
            skill = find_skill(state, offer.skill)
            if helper.sheet.numbers.trained(skill.trained_by) is Training.UNTRAINED:
                raise Refusal(f"{helper.name} is untrained in {skill.name}; waive that, or decline.", code="untrained")
        helping = new_condition(
            state,
            f"{offer.id}-help",
            f"help from {helper.name}",
            who=offer.ally,
            until=Until.SCENE_ENDS,
            numbers={HELP: 1, NEXT_ROLL: 1},
        )
        return [judged, helping]


@HELPING.event("help_lapsed", says="help that was offered ends with the scene")
class HelpLapsed(Event):
    """SP-15: help that nobody judged ended with the scene."""

    offer: str

    def fold(self, state: State) -> State:
        return without_offer(state, self.offer)


@HELPING.after(SceneEnded)
def offers_end_with_the_scene(state: State, _: SceneEnded) -> list[HelpLapsed]:
    return [HelpLapsed(offer=offer) for offer in state.game.help_offered]


# ---------------------------------------------------------------- on the table


@HELPING.due
def help_due(state: State, teller: Teller) -> Iterator[str]:
    """SP-15: the game master says whether help is meaningful."""
    for one in state.game.help_offered.values():
        whom = f"{teller.name(one.who)} offers {teller.name(one.ally)} help ({one.skill})"
        yield f"{whom}: say whether it is meaningful (judge_help, offer {one.id})."


@HELPING.proposes
def help_to_judge(state: State, teller: Teller) -> Iterator[Proposal]:
    """SP-15: help counts where the game master says that it does."""
    for one in state.game.help_offered.values():
        about = f"{teller.name(one.who)} offers {teller.name(one.ally)} help: {one.skill}"
        yield Proposal(about, "it helps", "judge_help", (("offer", one.id), ("meaningful", "yes")))
        yield Proposal(about, "it does not", "judge_help", (("offer", one.id), ("meaningful", "no")))


@HELPING.board
def help_on_offer(state: State) -> Sequence[Piece]:
    named = {who: character.name for who, character in state.characters.items()}
    offers = state.game.help_offered.values()
    rows = tuple((named.get(one.who, ""), f"{named.get(one.ally, '')}, {one.skill}") for one in offers)
    return [Choices("Help offered", rows)] if rows else []
