"""NPCs act, and players roll."""

from __future__ import annotations

from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.new_shoes.playing import Playing


def prompt(playing: Playing, words: str = "The troll swings.", **fields: object) -> str:
    outcome = playing.act("Ada", "prompt_reaction", who="Kira", words=words, **fields)
    return str(playing.told(outcome, "reaction_prompted")["approach"]["id"])


def test_npcs_never_roll(playing: Playing) -> None:
    """NS-08: not for the game master either, and they are prompted to nothing."""
    assert playing.refused("Ada", "describe", who="Troll", words="It swings.") == "never_rolls"
    assert playing.refused("Ada", "prompt_reaction", who="Troll", words="A stone!") == "never_rolls"
    assert playing.refused("Ada", "roll_approach", who="Troll") == "no_approach"


def test_a_player_is_prompted_describes_and_rolls(playing: Playing) -> None:
    """NS-08: against the target that the game master set."""
    approach = prompt(playing, by="Troll", attribute="body", target=10)
    assert "Kira has to react. Troll: The troll swings." in playing.words("Bo")
    assert words_to_do(playing) == [("Troll: The troll swings.", "react")]
    assert playing.refused("Bo", "roll_approach", who="Kira") == "not_described"
    playing.act("Bo", "describe", who="Kira", words="I roll aside.", approach=approach)
    outcome = playing.roll("Kira", 5, 5, 1, 1)
    assert playing.told(outcome, "approach_rolled")["result"] == "success"
    assert "lost" not in playing.names(outcome)


def test_attribute_and_target_may_wait_for_the_description(playing: Playing) -> None:
    """NS-02, NS-08: and come together."""
    playing.status("blind", -1, who="Troll")
    approach = prompt(playing, by="Troll")
    playing.act("Bo", "describe", who="Kira", words="I stare it down.", approach=approach)
    assert words_to_do(playing) == [("Kira: I stare it down.", "call for the roll")]
    playing.call("Kira", "will", 8)
    assert words_to_do(playing) == []
    outcome = playing.roll("Kira", 2, 2, 2)
    assert playing.told(outcome, "dice_thrown")["total"] == 7
    assert list(playing.told(outcome, "lost")["points"]) == ["will"]
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", attribute="body") == "half_called"
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", target=8) == "half_called"


def test_a_reaction_is_to_whatever_comes_and_somebody_need_not_have_done_it(playing: Playing) -> None:
    """NS-02, NS-08: an avalanche is nobody's."""
    playing.act("Ada", "prompt_reaction", who="Kira", words="The slope moves.")
    assert playing.words("Bo")[-1] == "Kira has to react. The slope moves."
    assert words_to_do(playing) == [("The slope moves.", "react")]


def words_to_do(playing: Playing) -> list[tuple[str, str]]:
    """What the game proposes to do next, and to whom the words belong."""
    state = playing.look("Ada")
    assert NEW_SHOES.proposals is not None
    return [(one.about, one.label) for one in NEW_SHOES.proposals(state, Teller(state, state.terms))]


def test_a_prompt_stays_open_until_it_is_answered_or_withdrawn(playing: Playing) -> None:
    """NS-08: through other rolls and scenes; its player can't shake it off."""
    approach = prompt(playing, attribute="body", target=10)
    playing.approach("Lund", "mind", 8)
    playing.roll("Lund", 1, 1, 1, 1, 1)
    playing.act("Ada", "improvise_scene", title="Elsewhere")
    assert approach in playing.look("Bo").game.approaches
    assert playing.refused("Bo", "drop_approach", who="Kira") == "not_allowed"
    (request,) = playing.look("Bo").requests
    playing.act("Ada", "withdraw_request", request=request)
    assert approach not in playing.look("Bo").game.approaches


def test_what_is_described_next_answers_the_reaction_that_waits(playing: Playing) -> None:
    """NS-08: with its target and its harm, though nobody says which; so it can't be sidestepped."""
    waiting = prompt(playing, by="Troll", attribute="body", target=10)
    assert playing.describe("Kira") == waiting
    assert list(playing.look("Bo").game.approaches) == [waiting]
    outcome = playing.roll("Kira", 2, 2, 2, 2)
    assert playing.told(outcome, "approach_rolled")["target"] == 10
    assert playing.told(outcome, "lost")["points"] == {"body": 2}
    assert playing.describe("Kira") != waiting


def test_whoever_describes_for_a_hero_answers_what_waits(playing: Playing) -> None:
    """NS-08: the game master and whoever plays the hero from now on, too."""
    waiting = prompt(playing)
    playing.act("Ada", "give_character", character="Kira", seat=playing.seats["Cy"])
    assert playing.refused("Bo", "describe", who="Kira", words="I run.") == "not_yours"
    described = playing.act("Cy", "describe", who="Kira", words="She ducks.")
    assert playing.told(described, "approach_described")["approach"]["id"] == waiting
    second = prompt(playing, "A stone!")
    described = playing.act("Ada", "describe", who="Kira", words="She stumbles on.")
    assert playing.told(described, "approach_described")["approach"]["id"] == second


def test_the_player_is_asked_which_of_several_reactions(playing: Playing) -> None:
    """NS-08: with the words and the id of each; the other one waits on."""
    swing, stone = prompt(playing), prompt(playing, "A stone!")
    assert playing.refused("Bo", "describe", who="Kira", words="I jump.") == "which_approach"
    sentence = playing.sentence("Bo", "describe", who="Kira", words="I jump.")
    assert sentence.endswith(
        f"say which, in reaction to “The troll swings.” ({swing}), in reaction to “A stone!” ({stone})."
    )
    assert playing.describe("Kira", approach=stone) == stone
    assert playing.describe("Kira") == swing


def test_an_earlier_approach_does_not_answer_a_reaction(playing: Playing) -> None:
    """NS-08: it may be rolled or dropped, helped with or not: what comes at the hero waits on."""
    earlier, other = playing.approach("Kira", "mind", 8), playing.approach("Lund", "mind", 8)
    waiting = prompt(playing, attribute="body", target=10)
    playing.act("Bo", "support", who="Kira", supported="Lund", attribute="will", approach=other)
    playing.roll("Kira", 1, 1, 1, approach=earlier)
    assert playing.refused("Bo", "drop_approach", who="Kira", approach=waiting) == "not_allowed"
    assert playing.refused("Bo", "roll_approach", who="Kira") == "not_described"
    (request,) = [key for key, one in playing.look("Bo").requests.items() if one.fields["approach"] == waiting]
    assert playing.refused("Bo", "withdraw_request", request=request) == "not_allowed"
    assert playing.describe("Kira") == waiting
    assert playing.refused("Bo", "drop_approach", who="Kira") == "not_allowed"


def test_a_reaction_of_one_hero_is_not_answered_by_another(playing: Playing) -> None:
    """NS-08"""
    waiting = prompt(playing)
    assert playing.describe("Lund") != waiting
    assert not playing.look("Bo").game.approaches[waiting].words


def test_an_answer_that_is_undone_is_owed_again(playing: Playing) -> None:
    """NS-08: and what came at a hero after the save node is gone with everything else."""
    playing.act("Ada", "mark_save_node", label="before the pass")
    node = next(iter(playing.look("Ada").nodes))
    waiting = prompt(playing)
    playing.describe("Kira")
    playing.act("Ada", "undo")
    assert playing.describe("Kira") == waiting
    playing.act("Ada", "rewind", node=node, price="status")
    assert playing.describe("Kira") != waiting


def test_the_knocked_out_owe_no_reaction(playing: Playing) -> None:
    """NS-08, NS-12: nor do they when they wake."""
    first, second = prompt(playing, attribute="body", target=10), prompt(playing, "A stone!")
    playing.act("Ada", "override", who="Kira", what="will", value=0)
    assert not playing.look("Bo").game.approaches
    assert not playing.look("Bo").requests
    playing.act("Ada", "wake", who="Kira")
    assert playing.describe("Kira") not in (first, second)


def test_the_game_master_may_withdraw_a_prompt_without_a_target(playing: Playing) -> None:
    """NS-08: by dropping the approach."""
    approach = prompt(playing)
    playing.act("Ada", "drop_approach", who="Kira")
    assert approach not in playing.look("Bo").game.approaches


def test_a_reaction_is_described_once(playing: Playing) -> None:
    approach = prompt(playing)
    playing.describe("Kira", approach=approach)
    assert playing.refused("Bo", "describe", who="Kira", words="Or so.", approach=approach) == "described"
    assert playing.refused("Cy", "describe", who="Lund", words="Or so.", approach=approach) == "no_such_thing"


def test_a_reaction_may_strike_back(playing: Playing) -> None:
    """NS-08, NS-10: a harmful reaction that succeeds harms whoever acted; what nobody did has no victim."""
    approach = prompt(playing, by="Troll", attribute="body", target=10)
    playing.describe("Kira", harmful=True, approach=approach)
    outcome = playing.roll("Kira", 5, 5, 1, 1)
    harmed = playing.told(outcome, "lost")
    assert (harmed["who"], harmed["points"], harmed["now"]) == (playing.who("Troll").id, {"body": 2}, {"body": 3})
    slope = prompt(playing, "The slope moves.", attribute="body", target=10)
    playing.describe("Kira", harmful=True, approach=slope)
    outcome = playing.roll("Kira", 5, 5, 1, 1)
    assert playing.told(outcome, "approach_rolled")["result"] == "success"
    assert "lost" not in playing.names(outcome)


def test_a_threat_that_does_no_harm(playing: Playing) -> None:
    """NS-08: a failed reaction to it costs no dice."""
    approach = prompt(playing, by="Troll", attribute="body", target=20, harmful=False)
    playing.describe("Kira", approach=approach)
    assert "lost" not in playing.names(playing.roll("Kira", 1, 1, 1, 1))


def test_heroes_are_no_threats(playing: Playing) -> None:
    """NS-06: players oppose each other with approaches of their own."""
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", by="Lund") == "hero"


def test_a_reaction_is_not_opposed(playing: Playing) -> None:
    """NS-08: it is rolled against a target."""
    playing.describe("Kira", approach=prompt(playing))
    playing.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    assert playing.refused("Ada", "call_opposed", who="Kira", **fields) == "reaction"


def test_a_stand_in_and_the_game_master_can_answer_for_the_absent(playing: Playing) -> None:
    approach = prompt(playing, attribute="body", target=10)
    playing.act("Ada", "describe", who="Kira", words="She ducks.", approach=approach)
    playing.dice.faces = [3, 3, 3, 3]
    playing.act("Ada", "roll_approach", who="Kira")
