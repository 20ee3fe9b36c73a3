"""Help: an action that gives somebody advantage on the next roll, if the game master finds it meaningful. SP-15."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Event,
    Kept,
    Named,
    Refusal,
    Seen,
    Teller,
)
from astragal.game.display import Proposal
from astragal.game.fields import CharacterId, Doc, Name, Names, Words
from astragal.game.rolls import HELP, NEXT_ROLL
from astragal.game.shared import Until, ends_with, new_condition

from .catalogue import Training
from .state import Call, HelpOffer, RollKind, State, check_able, find, find_skill, reason

HELPING = Chapter(seen=Seen.ALL)


def help_to_judge(one: HelpOffer, teller: Teller) -> Iterator[Proposal]:
    """SP-15: help counts where the game master says that it does."""
    about = f"{teller.name(one.who)} offers {teller.name(one.ally)} help: {one.skill}"
    yield Proposal(about, "it helps", "judge_help", (("offer", one.id), ("meaningful", "yes")))
    yield Proposal(about, "it does not", "judge_help", (("offer", one.id), ("meaningful", "no")))


KEPT_OFFERS = Kept(
    HELPING,
    HelpOffer,
    "help_offered",
    "offer",
    board="Help offered",
    row=("{who}", "{ally}, {skill}"),
    due="{who} offers {ally} help ({skill}): say whether it is meaningful (judge_help).",
    proposes=help_to_judge,
)
"""SP-15: help waits until the game master says whether it is meaningful."""


@HELPING.names("offer")
def offers_named(state: State) -> Iterator[Named]:
    """By who helps whom: "Kira for Lund"."""
    teller = Teller(state, state.terms)
    return (Named(one.id, f"{teller.name(one.who)} for {teller.name(one.ally)}") for one in KEPT_OFFERS.each(state))


# ---------------------------------------------------------------- offering


@KEPT_OFFERS.put("help_offered")
class HelpOffered(Event):
    """SP-15: somebody would help, if the game master agrees that it helps."""

    offer: HelpOffer

    def says(self, teller: Teller) -> str:
        one = self.offer
        at = f" with {one.skill}" if one.skill else ""
        return f"{teller.name(one.who)} offers to help {teller.name(one.ally)}{at}{reason(one.how)}"


@HELPING.command("help", may=GAME_MASTER_OR_OWNER, actor="who")
class Help(Command):
    """Spend your action on helping somebody: advantage on their next roll, if it means anything."""

    who: Annotated[CharacterId, Doc("who helps")]
    ally: Annotated[CharacterId, Doc("who is helped")]
    skill: Annotated[
        Name | None, Names("skill"), Doc("the skill that it is about; the helper must be trained in it")
    ] = None
    how: Annotated[Words, Doc("how they help")] = ""

    def does(self, call: Call) -> list[HelpOffered]:
        helper, ally = find(call.state, self.who), find(call.state, self.ally)
        if helper.id == ally.id:
            raise Refusal("You can't help yourself.", code="same_side")
        check_able(call.state, helper, RollKind.CHECK)
        skill = "" if self.skill is None else find_skill(call.state, self.skill).name
        return [HelpOffered(offer=KEPT_OFFERS.new(call, self, skill=skill))]


# ---------------------------------------------------------------- judging


@KEPT_OFFERS.taken("help_judged")
class HelpJudged(Event):
    """SP-15: the game master found help meaningful, or not."""

    offer: HelpOffer
    meaningful: bool

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.offer.who)}'s help {'counts' if self.meaningful else 'does not help'}"


@HELPING.command("judge_help", may=GAME_MASTER_ONLY)
class JudgeHelp(Command):
    """Say whether help that was offered is meaningful."""

    offer: Annotated[Name, Names("offer"), Doc("the offer")]
    meaningful: Annotated[bool, Doc("whether it helps")] = True
    waive_training: Annotated[bool, Doc("whether an untrained helper will do")] = False

    def does(self, call: Call) -> list[Any]:
        """SP-15: help that means something is advantage on the next roll, until the scene ends.

        For a skill the helper must be trained, unless the game master waives it.
        """
        state, offer = call.state, KEPT_OFFERS.find(call, self.offer)
        judged = HelpJudged(offer=offer, meaningful=self.meaningful)
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


@KEPT_OFFERS.taken("help_lapsed", says="the help that {offer.who} offered {offer.ally} is over ({why})")
class HelpLapsed(Event):
    """SP-15: help that nobody judged ended with the scene."""

    offer: HelpOffer
    why: str = Until.SCENE_ENDS.value


@ends_with(HELPING, "scene")
def offers_end_with_the_scene(state: State, why: str) -> list[HelpLapsed]:
    """SP-15: unused help ends with the scene."""
    return [HelpLapsed(offer=offer, why=why) for offer in state.game.help_offered.values()]
