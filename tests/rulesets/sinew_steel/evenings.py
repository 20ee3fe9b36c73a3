"""Three evenings of play, move by move: what the golden files are made of."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.table.declarations import Sight
from tests.rulesets.golden import Latest, Move, move

Evening = Sequence[Move | str]

ACT, NODE, QUEST, CONSENT = Latest("act"), Latest("node"), Latest("quest"), Latest("consent")


def answer(seat: str, said: int | str, *faces: int) -> Move:
    return move(seat, "answer", *faces, act=ACT, answer=said)


A_FIGHT: Evening = (
    "The gate at low water",
    move("Bo", "take_sample", sample="Kira Dunlin"),
    move("Cy", "make_hero", name="Brute", scores={"ARM": 16, "STP": 7, "LOR": 6, "GRC": 8, "STM": 8}),
    move("Cy", "take_sample", sample="Brother Osk"),
    move("Ada", "make_npc", name="Gate warden", tier=12, best="ARM", worst="LOR", kit=["Whale-axe", "Sealskin coat"]),
    move("Ada", "make_npc", name="Bell guard", tier=10, kit=["Scale of saltglass"], shown=True),
    move("Ada", "begin_evening"),
    move("Ada", "improvise_scene", title="Low water", hook="Two of them, and the tide turning."),
    "A word first: no dice where nothing is at stake",
    move(
        "Ada", "resolve", who="Brother Osk", answer="yes, but", matter="hail the guard", told="She has seen the spear."
    ),
    move("Cy", "test", who="Brother Osk", attribute="VOC"),
    move("Cy", "test", 15, who="Brother Osk", attribute="VOC", stakes="to pass unchallenged"),
    answer("Cy", -3),
    "Steel",
    move("Ada", "begin_encounter", name="The gate"),
    move("Ada", "roll_sides", 14, 9),
    move("Bo", "attack", 13, 12, attacker="Kira Dunlin", defender="Bell guard", manner="fast", weapon="Eel spear"),
    answer("Bo", -3),
    move("Bo", "attack", 1, 3, attacker="Kira Dunlin", defender="Bell guard", manner="fast", weapon="Eel spear"),
    move("Ada", "attack", attacker="Gate warden", defender="Brother Osk"),
    answer("Cy", "dodge", 11, 10),
    answer("Cy", -3),
    move("Ada", "attack", attacker="Gate warden", defender="Brother Osk", weapon="Wale-axe"),
    move("Ada", "attack", attacker="Gate warden", defender="Brother Osk", weapon="Whale-axe"),
    answer("Cy", "composure", 6, 19),
    move("Ada", "attack", 5, 20, attacker="Gate warden", defender="Brother Osk", guard="dodge"),
    move("Cy", "test", who="Brother Osk", attribute="ARM", stakes="to crawl clear"),
    move("Cy", "luck_test", 4, who="Brother Osk", why="he lies where he fell", stakes="who steps over him"),
    move("Bo", "attack", attacker="Kira Dunlin", defender="Gate warden", consequence="The warden is driven off."),
    move("Ada", "agree", consent=CONSENT),
    answer("Ada", "dodge", 4, 8),
    move("Ada", "end_encounter"),
    "Breath",
    move("Ada", "rest", kind="care"),
    move("Ada", "rest", kind="short"),
    move("Ada", "mark_beat", what="the gate is theirs"),
    move("Ada", "end_evening"),
)

A_CRISIS: Evening = (
    "The glass begins to sing",
    move("Bo", "take_sample", sample="Kira Dunlin"),
    move("Cy", "take_sample", sample="Brother Osk"),
    move("Ada", "make_npc", name="Reed priest", tier=14),
    move("Ada", "begin_evening"),
    move("Ada", "improvise_scene", title="The sunken nave"),
    move("Cy", "ritual", 9, who="Brother Osk", attribute="LOR", stakes="a light under the water"),
    move("Cy", "ritual", 20, who="Brother Osk", attribute="LOR", stakes="the drowned door"),
    move("Ada", "raise_pressure", who="Kira Dunlin", rise=2, why="a promise to the drowned"),
    move("Ada", "pressure_move", move="disadvantage", who="Kira Dunlin", words="gulls in every shadow"),
    move("Bo", "test", 4, 12, who="Kira Dunlin", attribute="STP", stakes="the rotten stair"),
    move("Ada", "raise_pressure", why="the bells hum"),
    move("Ada", "pressure_move", move="surcharge"),
    move("Bo", "tamper", 4, 12, who="Kira Dunlin", attribute="LOR", stakes="the sealed bell"),
    answer("Bo", 0),
    answer("Ada", 0, 6, 2, 2, 5),
    answer("Bo", "Coil of tarred line"),
    move("Ada", "test", 15, 11, who="Reed priest", attribute="LOR", stakes="who was heard", sight=Sight.HIDDEN),
    "What is owed",
    move("Ada", "raise_pressure", rise=3, why="the peal goes inland"),
    move("Ada", "end_scene", keep=[]),
    move("Bo", "sacrifice", who="Kira Dunlin", item="Sealskin coat"),
    move("Cy", "rite", 8, who="Brother Osk", attribute="VOC", stakes="to be let go"),
    move("Cy", "test", who="Brother Osk", attribute="VOC", stakes="one more word"),
    move("Ada", "set_quest", objective="Hang the bell where it hung before the sea left."),
    move("Ada", "complete_quest", quest=QUEST),
    *(move("Ada", "mark_beat") for _ in range(3)),
    move("Ada", "milestone", boon="The drowned answer to your name."),
    move("Bo", "advance", who="Kira Dunlin", rises={"GRC": 1}),
    move("Cy", "advance", who="Brother Osk", rises={"STP": 1}),
    move("Ada", "end_evening"),
)

A_DEFEAT: Evening = (
    "The causeway",
    move("Bo", "take_sample", sample="Kira Dunlin"),
    move("Cy", "take_sample", sample="Brother Osk"),
    move("Ada", "make_npc", name="Tide wyrm", tier=16, size="boss"),
    move("Ada", "raise_pressure", rise=4, why="the spring tide"),
    move("Ada", "improvise_scene", title="The causeway", hook="It is a mile to the light."),
    move("Ada", "mark_save_node", label="before the wyrm"),
    move("Bo", "test", 17, who="Kira Dunlin", attribute="STP", stakes="to see it first"),
    answer("Bo", -3),
    "Total defeat",
    move("Ada", "attack", attacker="Tide wyrm", defender="Kira Dunlin"),
    answer("Bo", "dodge", 2, 19),
    answer("Bo", 0),
    move("Ada", "harm", who="Kira Dunlin", points=6, why="the wave"),
    move("Bo", "test", who="Kira Dunlin", attribute="ARM", stakes="to rise"),
    move("Ada", "test", who="Brother Osk", attribute="ARM", stakes="the fall", lethal="dead"),
    answer("Cy", "understood", 20),
    move("Ada", "luck_test", 9, who="Kira Dunlin", why="nobody swims in that", stakes="where the wave leaves her"),
    "Back, at a price",
    move("Ada", "rewind", node=NODE, price="luck", amount=2),
    move("Ada", "harm", who="Brother Osk", points=9, why="the wave again"),
    move("Ada", "rewind", node=NODE, price="pressure"),
    move("Bo", "test", who="Kira Dunlin", attribute="STP", stakes="to see it first"),
    move("Ada", "face_crisis", strikes="Brother Osk"),
    answer("Ada", 0, 4),
    move("Bo", "test", 13, who="Kira Dunlin", attribute="STP", stakes="to see it first"),
    move("Ada", "deal_move", 1, 1),
    move("Ada", "start_clock", name="The tide", size=4),
    move("Ada", "deal_move", 1, 1),
)
