"""Odds and advice: what would happen, exactly, and which answer is best."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from astragal.chance import ChanceError, Odds, Offer, Together, advise
from astragal.chance.pictures import verdict_words, words
from astragal.surfaces.mcp.elicitation import open_wait
from astragal.surfaces.mcp.results import Advised, Case, Chance, OddsFound, Span, Spent
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.untrusted_text import clean, cleaned
from astragal.surfaces.shared.odds import (
    ANY_SUCCESS,
    SUCCESS,
    case_words,
    exact,
    reach,
    reach_words,
    read_chance,
    summary,
)
from astragal.table import preview
from astragal.table.authoring.chapter import Action
from astragal.table.commands.execute import waiting_of
from astragal.table.commands.handlers import seat_of
from astragal.table.log.codec import RuleHasChanged
from astragal.table.preview import span_words
from astragal.table.refusals import DependsOnHidden, NotAllowed, NotAnOption, NotYours, Refusal
from astragal.table.state.table import Decision

MOST_CASES = 24
MOST_OUTCOMES = 16


def odds_of(desk: Desk, command: str, given: Mapping[str, Any], wanted: str = "") -> OddsFound:
    """The exact odds of a command, for each spend, and the price of a chance; a span where something is hidden."""
    chance = read_chance(wanted) if wanted.strip() else None
    found = _previewed(desk, command, given)
    if found is None:
        return OddsFound()
    return OddsFound(
        question=found.question,
        rule=found.rule,
        given=cleaned(dict(found.arguments)),
        cases=[_case(case) for case in found.cases[:MOST_CASES]],
        after=[Spent(points=one.points, success=_percent(one.chance)) for one in found.after],
        points=clean(found.points, 60),
        reach="" if chance is None else clean(reach_words(found, reach(found, chance))),
    )


def _case(case: preview.Case) -> Case:
    chances = exact(summary(case.odds, None, MOST_OUTCOMES))
    success = None if case.success is None else _percent(case.success)
    listed, span = [Chance(**cleaned(one)) for one in chances], None
    if one := case.span:
        low, likely, high = map(_percent, (one.low, one.likely, one.high))
        span = Span(low=low, likely=likely, high=high, against=one.against, words=span_words(one))
    return Case(when=case_words(case), success=success, span=span, chances=listed)


def _percent(chance: Fraction) -> float:
    return 100 * float(chance)


def _previewed(desk: Desk, command: str, given: Mapping[str, Any]) -> preview.Preview | None:
    """From the window: what a person must not know is left out where they could read it."""
    try:
        return desk.house.host.preview(desk.here.table, desk.window, (command, given))
    except (NotAllowed, NotYours):  # the game master's own roll, which the person's seat could not give
        if not desk.spoiler_safe:
            raise
        return desk.house.host.preview(desk.here.table, desk.here.seat, (command, desk.filled_in(command, given)))


# ---------------------------------------------------------------- advice


def advice_on(desk: Desk, waiting: str, aim: str) -> Advised:
    """The best answer to a decision that is open, for the chance of an outcome."""
    decision = desk.look().decisions.get(waiting)
    if decision is None:
        open_wait(desk, waiting)  # says what is open
        raise Refusal("Nothing is rolled there: that is for words, not for odds.", code="no_odds")
    if decision.hides and not (desk.is_game_master() and not desk.spoiler_safe):
        raise DependsOnHidden("The difficulty is hidden: what is best would tell it.")
    action = desk.book.action(decision.command)
    try:
        played = waiting_of(desk.book, decision)
        side = _side(desk, decision)
        every = advise(played, lambda verdict: 0, side=side)
        wanted, reached = _aim(every.odds.map(action.outcome), action, aim)
        found = advise(played, lambda verdict: reached(action.outcome(verdict)), side=side)
        values = {words(answer): float(value) for answer, value in found.next.values.items()}
        return Advised(best=words(found.next.best), aim=wanted, values=values, basis=found.basis)
    except (ChanceError, RuleHasChanged) as fault:
        raise Refusal(f"The odds can't be calculated: {fault}", code="no_odds") from fault


def best_spend(desk: Desk, command: str, given: Mapping[str, Any], aim: str) -> Advised:
    """The spend before a roll that makes an outcome likeliest; of equals the cheapest."""
    found = _previewed(desk, command, given)
    cases = [] if found is None else [case for case in found.cases if case.variant is None]
    if len(cases) < 2:
        raise Refusal("There is nothing to choose before that roll; odds shows its chances.", code="no_choice")
    wanted, reached = _aim(cases[0].odds, desk.book.action(command), aim)
    values = {case_words(case): float(case.odds.chance(reached)) for case in cases}
    best = max(values, key=lambda when: values[when])
    return Advised(best=best, aim=wanted, values=values, basis="exact odds of each case")


def _aim(odds: Odds[Any], action: Action[Any, Any], aim: str) -> tuple[str, Callable[[Any], bool]]:
    """The aim in words, and whether an outcome reaches it: success as the game has it, or one outcome by name."""
    known, said = {verdict_words(one): one for one in odds.weights}, aim.strip().casefold()
    if action.hopes is not None and said in ("", SUCCESS, ANY_SUCCESS):
        return SUCCESS, action.hopes
    if not said and all(isinstance(one, bool) for one in known.values()):
        return verdict_words(True), lambda outcome: outcome is True
    if found := next((name for name in known if said == name.casefold()), None):
        return found, lambda outcome: verdict_words(outcome) == found
    hoped = [SUCCESS] if action.hopes is not None else []
    listed = "; ".join(clean(name, 80) for name in [*hoped, *known][:MOST_OUTCOMES])
    raise NotAnOption(f"Say which outcome to aim at, one of: {listed}.")


def _side(desk: Desk, decision: Decision) -> str:
    """The side that the model or its person answers for; a game master may ask for anyone."""
    state = desk.look()
    need = waiting_of(desk.book, decision).need
    offers = need.offers if isinstance(need, Together) else (need,) if isinstance(need, Offer) else ()
    for offer in offers:
        owner = seat_of(state, decision.sides[offer.side])
        if desk.is_game_master() or owner in (desk.here.seat, desk.here.person):
            return offer.side
    raise NotYours("That decision is somebody else's.")
