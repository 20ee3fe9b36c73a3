"""An evening of New Shoes, as everybody at the table sees it."""

from __future__ import annotations

from pathlib import Path

from astragal.rulesets.new_shoes import NEW_SHOES
from tests.rulesets.golden import Latest, Move, check, move, playthrough

GOLDEN = Path(__file__).parent / "golden"

AN_EVENING: list[Move | str] = [
    "Heroes",
    move("Bo", "make_hero", name="Ottilie", body=2, mind=5, will=4),
    move("Bo", "make_hero", name="Ottilie", body=2, mind=5, will=3),
    move("Cy", "make_hero", name="Teodor", body=6, mind=2, will=2),
    move("Ada", "make_npc", name="The harbour master", body=3, will=6),
    move("Ada", "make_npc", name="The sluice", thing=True),
    "An approach with support, and a success that the player tells",
    move("Ada", "begin_evening"),
    move("Ada", "improvise_scene", title="The customs house", hook="The letters come in with the tide."),
    move("Ada", "attach_status", name="fog", value=-2),
    move("Bo", "describe", who="Ottilie", words="I read the clerk’s ledger upside down."),
    move("Bo", "roll_approach", who="Ottilie"),
    move("Ada", "call_approach", who="Ottilie", attribute="mind", target="very hard"),
    move("Cy", "support", who="Teodor", supported="Ottilie", attribute="will"),
    move("Bo", "roll_approach", 6, 4, 3, 1, 1, 6, 2, who="Ottilie"),
    move("Bo", "answer_prompt", prompt=Latest("prompt"), words="I know every ship of the last ten years."),
    move("Ada", "edit_answer", prompt=Latest("prompt"), words="You know every ship of this month."),
    "A twist",
    move("Cy", "describe", who="Teodor", words="I lift the grating, quietly."),
    move("Ada", "call_approach", who="Teodor", attribute="body", target=20),
    move("Cy", "roll_approach", 5, 5, 5, 3, 2, 2, who="Teodor"),
    move("Ada", "answer_prompt", prompt=Latest("prompt"), words="It lifts. Somebody below says thank you."),
    "The harbour master acts, and never rolls",
    move("Ada", "describe", who="The harbour master", words="He shouts."),
    move(
        "Ada",
        "prompt_reaction",
        who="Teodor",
        words="He looks at you until you feel small.",
        by="The harbour master",
        attribute="will",
        target=12,
        hidden=True,
    ),
    move("Cy", "describe", who="Teodor", words="I hum.", approach=Latest("approach")),
    move("Cy", "roll_approach", 3, 4, who="Teodor"),
    move("Ada", "answer_prompt", prompt=Latest("prompt"), words="You forget the tune, and then your name."),
    move("Cy", "describe", who="Teodor", words="I get up."),
    "Harm to somebody, and to something",
    move("Bo", "describe", who="Ottilie", words="I wind the big clock against him.", harmful=True),
    move(
        "Ada",
        "call_approach",
        who="Ottilie",
        attribute="mind",
        target=14,
        against="The harbour master",
        harmed="will",
    ),
    move("Bo", "roll_approach", 6, 5, 3, 1, 1, 5, who="Ottilie"),
    move("Bo", "answer_prompt", prompt=Latest("prompt"), words="It strikes thirteen, and he flinches."),
    move("Bo", "describe", who="Ottilie", words="A wrench into the gears of the sluice.", harmful=True),
    move("Ada", "call_approach", who="Ottilie", attribute="body", target="easy", against="The sluice"),
    move("Bo", "roll_approach", 6, 1, 6, 1, who="Ottilie"),
    "Healing, a rest, and waking with the next scene",
    move("Bo", "describe", who="Ottilie", words="I tell Teodor who he is."),
    move(
        "Ada",
        "call_healing",
        who="Ottilie",
        attribute="will",
        target="easy",
        patient="Teodor",
        healed="will",
    ),
    move("Bo", "roll_approach", 5, 1, 1, who="Ottilie"),
    move("Ada", "end_status", status="fog", words="the sun comes up"),
    move("Ada", "rest"),
    move("Ada", "mark_save_node", label="Morning"),
    move("Ada", "improvise_scene", title="The quay at morning"),
    "Two heroes at odds",
    move("Bo", "describe", who="Ottilie", words="We post the letters."),
    move("Cy", "describe", who="Teodor", words="We burn the letters; I take them from her.", harmful=True),
    move(
        "Ada",
        "call_opposed",
        who="Ottilie",
        attribute="mind",
        opponent="Teodor",
        opposing_attribute="body",
    ),
    move("Bo", "roll_approach", 4, 4, 3, 2, 1, 6, 3, 2, 1, 1, 1, 3, who="Ottilie"),
    "Back to the morning, at a price",
    move("Ada", "rewind", node=Latest("node"), price="status"),
    move("Ada", "end_evening"),
]

LESSONS: list[Move | str] = [
    "A table that learns from its failures",
    move("Bo", "make_hero", name="Pim", body=4, mind=4, will=2),
    move("Bo", "describe", who="Pim", words="I talk my way past the dog."),
    move("Ada", "call_approach", who="Pim", attribute="will", target="hard"),
    move("Bo", "roll_approach", 6, 1, 1, who="Pim"),
    move("Bo", "describe", who="Pim", words="I talk my way past the dog, again."),
    move("Ada", "call_approach", who="Pim", attribute="will", target="fair"),
    move("Bo", "roll_approach", 6, 2, 6, who="Pim"),
    move("Bo", "learn", who="Pim", speciality="Good with dogs"),
    move("Bo", "learn", who="Pim", speciality="Good with cats"),
]


def test_an_evening_of_new_shoes_is_told_as_before(tmp_path: Path) -> None:
    """NS-01 to NS-15: everything that an evening meets, as each seat sees it."""
    check(GOLDEN / "evening.txt", playthrough(NEW_SHOES, AN_EVENING, tmp_path, players=("Bo", "Cy")))


def test_an_evening_of_lessons(tmp_path: Path) -> None:
    """NS+01, NS-03: what failures and sixes teach."""
    options = {"lessons": True, "explode": "once"}
    check(GOLDEN / "lessons.txt", playthrough(NEW_SHOES, LESSONS, tmp_path, players=("Bo",), options=options))
