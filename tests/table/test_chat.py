"""Chat: said to all, whispered to some, told by the game master; and it changes nothing."""

from __future__ import annotations

from tests.table.canaries import reaches
from tests.table.seated import Seated

CANARY = "we-rob-the-others-tonight"


def character(seated: Seated, name: str) -> str:
    return next(who for who, one in seated.look("Ada").characters.items() if one.name == name)


def test_everyone_may_say_something_to_all(seated: Seated) -> None:
    for seat in ("Ada", "Bo", "Di"):
        seated.act(seat, "say", words="Hello!")
        assert all(seated.words(other)[-1] == f"{seat}: Hello!" for other in seated.seats)


def test_one_speaks_as_oneself_or_as_a_character_of_ones_own(seated: Seated) -> None:
    seated.act("Bo", "say", words="Down!", who=character(seated, "Kira"))
    assert seated.words("Di")[-1] == "Kira: Down!"
    seated.act("Ada", "say", words="Up!", who=character(seated, "Lund"))
    assert seated.words("Di")[-1] == "Lund: Up!"
    assert seated.refused("Bo", "say", words="x", who=character(seated, "Lund")) == "not_yours"
    assert seated.refused("Di", "say", words="x", who=character(seated, "Lund")) == "not_yours"
    assert seated.refused("Ada", "say", words="x", who="nobody") == "no_such_thing"


def test_a_whisper_is_for_the_seats_it_names_and_not_even_for_the_game_master(seated: Seated) -> None:
    before = {seat: seated.host.follow(seated.table, seated.seats[seat]) for seat in ("Ada", "Di")}
    whispered = seated.act("Bo", "whisper", to=[seated.seats["Cy"], seated.seats["Cy"]], words=CANARY)
    assert whispered.events[0].words == f"Bo whispers to Cy: {CANARY}"
    assert CANARY in reaches(seated, "Cy")
    for seat, page in before.items():
        assert CANARY not in reaches(seated, seat)
        assert seated.host.follow(seated.table, seated.seats[seat]) == page


def test_a_whisper_to_the_game_master_is_the_game_masters(seated: Seated) -> None:
    seated.act("Bo", "whisper", to=[seated.game_master], words=CANARY)
    assert CANARY in reaches(seated, "Ada")
    assert CANARY not in reaches(seated, "Cy")
    seated.act("Ada", "whisper", to=[seated.seats["Di"]], words="Psst.")
    assert seated.words("Di")[-1] == "Ada whispers to Di: Psst."
    assert "Psst" not in reaches(seated, "Bo")


def test_no_reveal_opens_a_whisper(seated: Seated) -> None:
    whispered = seated.act("Bo", "whisper", to=[seated.seats["Cy"]], words=CANARY)
    seated.refused("Ada", "reveal", act=whispered.act)
    for seat in ("Ada", "Di"):
        assert CANARY not in reaches(seated, seat)


def test_whoever_becomes_game_master_learns_no_old_whispers(seated: Seated) -> None:
    seated.act("Ada", "whisper", to=[seated.seats["Cy"]], words=CANARY)
    seated.act("Ada", "hand_over", seat=seated.seats["Bo"])
    assert CANARY not in reaches(seated, "Bo")
    assert CANARY in reaches(seated, "Ada")


def test_a_whisper_is_to_somebody(seated: Seated) -> None:
    assert seated.refused("Bo", "whisper", to=[], words="x") == "nobody"
    assert seated.refused("Bo", "whisper", to=[seated.seats["Bo"]], words="x") == "nobody"
    assert seated.refused("Bo", "whisper", to=["nowhere"], words="x") == "no_such_thing"
    assert seated.refused("Di", "whisper", to=[seated.seats["Bo"]], words="x") == "not_allowed"


def test_an_emote_is_for_ones_own_character(seated: Seated) -> None:
    seated.act("Bo", "emote", who="Kira", words="grins")
    assert seated.words("Di")[-1] == "Kira grins"
    assert seated.refused("Bo", "emote", who="Lund", words="grins") == "not_yours"


def test_the_game_master_narrates(seated: Seated) -> None:
    seated.act("Ada", "narrate", words="Night falls.")
    assert seated.words("Di")[-1] == "Night falls."


def test_chat_changes_nothing_and_is_not_rewound(seated: Seated) -> None:
    before = seated.look("Ada")
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Bo", "say", words="Hello!")
    seated.act("Ada", "rewind", node=node, price="nerve")
    said = next(event for event in seated.host.follow(seated.table, seated.seats["Di"]).events if event.name == "said")
    assert not said.abandoned
    assert seated.look("Ada").calendar == before.calendar


def test_words_have_an_end_and_are_never_empty(seated: Seated) -> None:
    assert seated.refused("Bo", "say", words="") == "bad_fields"
    assert seated.refused("Bo", "say", words="x" * 1001) == "bad_fields"
    assert seated.refused("Ada", "narrate", words="x" * 4001) == "bad_fields"
