"""NPCs act, and players roll."""

from __future__ import annotations

from tests.rulesets.new_shoes.playing import Playing


def prompt(playing: Playing, **fields: object) -> str:
    outcome = playing.act("Ada", "prompt_reaction", who="Kira", words="The troll swings.", **fields)
    return str(playing.told(outcome, "reaction_prompted")["approach"])


def test_npcs_never_roll(playing: Playing) -> None:
    """NS-08: not for the game master either, and they are prompted to nothing."""
    assert playing.refused("Ada", "describe", who="Troll", words="It swings.") == "never_rolls"
    assert playing.refused("Ada", "prompt_reaction", who="Troll", words="A stone!") == "never_rolls"
    assert playing.refused("Ada", "roll_approach", who="Troll") == "no_approach"


def test_a_player_is_prompted_describes_and_rolls(playing: Playing) -> None:
    """NS-08: against the target that the game master set."""
    approach = prompt(playing, by="Troll", attribute="body", target=10)
    assert "Kira has to react. Troll: The troll swings." in playing.words("Bo")
    assert playing.refused("Bo", "roll_approach", who="Kira") == "not_described"
    playing.act("Bo", "describe", who="Kira", words="I roll aside.", approach=approach)
    outcome = playing.roll("Kira", 5, 5, 1, 1)
    assert playing.told(outcome, "approach_rolled")["result"] == "success"
    assert "harmed" not in playing.names(outcome)


def test_attribute_and_target_may_wait_for_the_description(playing: Playing) -> None:
    """NS-02, NS-08: and come together."""
    approach = prompt(playing, by="Troll")
    playing.act("Bo", "describe", who="Kira", words="I stare it down.", approach=approach)
    playing.call("Kira", "will", 8)
    outcome = playing.roll("Kira", 2, 2, 2)
    assert playing.told(outcome, "harmed")["attribute"] == "will"
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", attribute="body") == "half_called"
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", target=8) == "half_called"


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
    """NS-08, NS-10: a harmful reaction that succeeds harms whoever acted."""
    approach = prompt(playing, by="Troll", attribute="body", target=10)
    playing.describe("Kira", harmful=True, approach=approach)
    outcome = playing.roll("Kira", 5, 5, 1, 1)
    assert playing.told(outcome, "harmed") == {
        "who": playing.who("Troll").id,
        "attribute": "body",
        "lost": 2,
        "left": 3,
    }


def test_a_threat_that_does_no_harm(playing: Playing) -> None:
    """NS-08: a failed reaction to it costs no dice."""
    approach = prompt(playing, by="Troll", attribute="body", target=20, harmful=False)
    playing.describe("Kira", approach=approach)
    assert "harmed" not in playing.names(playing.roll("Kira", 1, 1, 1, 1))


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
