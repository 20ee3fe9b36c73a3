"""The owner's page: nobody else's; starting, going on and deleting tables."""

from html import unescape
from pathlib import Path

import pytest

from astragal.surfaces.web.routes.home import MOST_LISTED, UNFOLDED
from astragal.surfaces.web.security.auth import DAY
from astragal.surfaces.web.settings import Settings
from astragal.table.declarations import Role
from astragal.table.log.store import Batch, PassKind
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import PORT, Clock, Web, opened_web
from tests.table.dare import DARE

GAMES = ["narraject", "new_shoes", "sinew_steel", "six_pool"]


def test_a_stranger_is_told_how_to_come_in(web: Web) -> None:
    web.table(name="A secret society")
    page = web.client().get("/")
    assert page.status_code == 200
    assert "You were invited" in page.text
    assert "A secret society" not in page.text


def test_the_owners_link_makes_a_browser_the_owners(web: Web) -> None:
    key = web.context.auth.issue(PassKind.OWNER_LINK)
    for link in (f"{web.address}/#key={key}", f"key={key}", key):
        client = web.client()
        answer = client.post("/owner", data={"link": link})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")
        cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Secure" not in cookie
        assert key not in cookie
        assert "What shall we play?" in client.get("/").text


def test_two_servers_on_one_machine_do_not_take_each_others_owner_away(web: Web, tmp_path: Path) -> None:
    """A browser sends the cookies of a host to all of its ports."""
    kept: dict[str, str] = {}
    with opened_web(f"sqlite:///{tmp_path}/other.db", Settings.local(PORT + 1)) as other:
        for one in (web, other):
            client = one.client()
            client.post("/owner", data={"link": one.context.auth.issue(PassKind.OWNER_LINK)})
            kept |= dict(client.cookies)
        for one in (web, other):
            client = one.client()
            client.cookies.update(kept)
            assert "What shall we play?" in client.get("/").text


def test_what_is_no_owners_link_opens_nothing(web: Web) -> None:
    table = web.table()
    seat = web.context.auth.issue(PassKind.INVITATION, table.id, table.seats["Bo"])
    cookie = web.context.auth.issue(PassKind.OWNER)
    for link in ("", "x", seat, cookie, "x" * 10_000, "\0", "é"):
        answer = web.client().post("/owner", data={"link": link})
        assert answer.status_code == 404
        assert "Set-Cookie" not in answer.headers


def test_a_link_that_is_too_old_or_revoked_opens_nothing(web: Web) -> None:
    auth = web.context.auth
    old, revoked = auth.issue(PassKind.OWNER_LINK), auth.issue(PassKind.OWNER_LINK)
    found = auth.find(revoked, PassKind.OWNER_LINK)
    assert found
    auth.passes.revoke(found.digest, auth.clock())
    assert web.client().post("/owner", data={"link": revoked}).status_code == 404
    assert isinstance(auth.clock, Clock)
    auth.clock.now += 7 * DAY
    assert web.client().post("/owner", data={"link": old}).status_code == 404


def test_a_browser_can_stop_being_the_owners(web: Web) -> None:
    client = web.client(owner=True)
    left = client.post("/owner/leave")
    assert left.status_code == 303
    assert "You were invited" in client.get("/").text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/tables"),
        ("GET", "/tables/new?game=new_shoes"),
        ("POST", "/tables/{table}/enter"),
        ("GET", "/tables/{table}/delete"),
        ("POST", "/tables/{table}/delete"),
        ("POST", "/owner/leave"),
    ],
)
def test_what_is_the_owners_is_nobody_elses(web: Web, method: str, path: str) -> None:
    table = web.table()
    for client in (web.client(), web.client(table.game_master)):
        answer = client.request(
            method, path.format(table=table.id), data={"game": "new_shoes"} if method == "POST" else None
        )
        assert answer.status_code == 401
    assert web.context.store.tables() == [table.id]


@pytest.mark.parametrize("game", GAMES)
def test_one_click_leads_to_a_table_that_can_be_played(web: Web, game: str) -> None:
    client = web.client(owner=True)
    cards = client.get("/").text
    assert web.context.books[game].ruleset.about.split(":")[0].split(",")[0] in cards
    opened = client.post("/tables", data={"game": game})
    assert opened.status_code == 303
    table = opened.headers["Location"].removeprefix("/t/")
    assert client.get(f"/t/{table}/people").status_code == 200
    (seat,) = (one.seat for one in web.context.auth.passes.of_table(table) if one.seat)
    assert seat
    state = web.host.look(table, seat)
    assert state.game_master == seat
    assert len(state.seats) == 5, "the game master, and a party of four"
    assert sum(1 for one in state.characters.values() if one.seat and one.seat != seat) >= 2
    own = {
        "sinew_steel": "The bridge at dusk",
        "narraject": "The landing rock",
        "new_shoes": "The road to the Three Geese",
    }
    assert state.scenes[state.calendar.scene or ""].title == own.get(game, "The sixth lamp")
    assert state.setting.adventure
    assert state.setting.adventure.title in cards
    assert state.calendar.evening == 1


def test_a_strangers_game_without_samples_and_without_a_word_about_it_can_be_started(sqlite_place: SqlitePlace) -> None:
    with opened_web(sqlite_place.url, clock=Clock(), games=[DARE]) as web:
        client = web.client(owner=True)
        assert client.get("/").status_code == 200
        assert client.get("/tables/new?game=dare").status_code == 200
        table = client.post("/tables", data={"game": "dare", "seats": "2"}).headers["Location"].removeprefix("/t/")
        assert "Player 2" in client.get(f"/t/{table}/people").text


def test_tables_of_one_game_do_not_get_the_same_name_by_themselves(web: Web) -> None:
    client = web.client(owner=True)
    for _ in range(3):
        client.post("/tables", data={"game": "new_shoes"})
    page = client.get("/").text
    assert "Break Them In on the Way 3" in page
    assert page.count("Continue<span") == 3


def test_a_new_table_is_set_up_with_options_of_its_game(web: Web) -> None:
    client = web.client(owner=True)
    form = client.get("/tables/new?game=sinew_steel").text
    for words in (
        "Saltglass",
        "Build points of a new hero",
        "throw their own dice",
        "The margin from which a hit does 1",
    ):
        assert words in form
    assert "SS-35" not in form
    wanted = {
        "game": "sinew_steel",
        "name": "The drowned bell",
        "game_master": "Ada",
        "skin": "saltglass",
        "seats": "5",
        "options.bonus_margin": "11",
        "options.piercing": ["no", "yes"],
        "options.build_points": "12",
        "house.hand_dice": ["no", "yes"],
        "role": "spectator",
    }
    table = client.post("/tables", data=wanted).headers["Location"].removeprefix("/t/")
    (seat,) = (one.seat for one in web.context.auth.passes.of_table(table) if one.seat)
    assert seat
    state = web.host.look(table, seat)
    assert (state.name, state.seats[seat].name, state.skin, len(state.seats)) == (
        "The drowned bell",
        "Ada",
        "saltglass",
        6,
    )
    assert (state.options.bonus_margin, state.options.piercing, state.options.build_points) == (11, True, 12)
    assert state.house.hand_dice
    assert state.seats[seat].role.value == "game master"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["narraject", "new_shoes", "sinew_steel", "six_pool"])
def test_every_game_has_settings_to_choose_and_each_opens_with_its_adventure(web: Web, game: str) -> None:
    client, ruleset = web.client(owner=True), web.context.book(game).ruleset
    assert ruleset.skins is not None
    form = unescape(client.get(f"/tables/new?game={game}").text)
    for skin, text in ruleset.skins.shipped().items():
        setting = ruleset.skins.wear(text).setting
        assert f'name="skin" value="{skin}"' in form
        assert ruleset.skins.describe(text)[0].partition(": ")[2] in form
        table = client.post("/tables", data={"game": game, "skin": skin, "seats": "4"}).headers["Location"]
        assert setting.adventure is not None
        page = unescape(client.get(table).text)
        for words in (setting.adventure.opening, setting.adventure.scenes[0].title, setting.foes[0].name):
            assert words in page
        (seat,) = (one.seat for one in web.context.auth.passes.of_table(table.removeprefix("/t/")) if one.seat)
        assert seat
        state = web.host.look(table.removeprefix("/t/"), seat)
        assert (state.skin, len(state.characters)) == (skin, 4)
        assert all(one.seat != seat for one in state.characters.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"options.build_points": "1000"},
        {"options.bonus_margin": "12"},
        {"skin": "../../etc/passwd"},
        {"name": "x" * 100},
        {"name": "\u202e"},
        {"game_master": "\0"},
    ],
)
def test_what_can_not_be_chosen_is_said_and_nothing_is_opened(web: Web, wrong: dict[str, str]) -> None:
    answer = web.client(owner=True).post("/tables", data={"game": "sinew_steel", "seats": "2", **wrong})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert web.context.store.tables() == []


def test_a_game_that_is_not_there_is_refused(web: Web) -> None:
    for game in ("", "chess", "<script>"):
        answer = web.client(owner=True).post("/tables", data={"game": game})
        assert answer.status_code == 422
        assert "<script>" not in answer.text


def test_a_table_from_the_terminal_can_be_entered_as_game_master(web: Web) -> None:
    table = web.table(name="From the terminal")
    client = web.client(owner=True)
    assert "Enter as game master" in client.get("/").text
    at_its_address = client.get(f"/t/{table.id}/people")
    assert at_its_address.status_code == 401
    assert f'action="/tables/{table.id}/enter"' in at_its_address.text
    for other, where in ((client, "nowhere"), (web.client(), table.id)):
        assert "Enter as game master" not in other.get(f"/t/{where}").text
    entered = client.post(f"/tables/{table.id}/enter")
    assert entered.headers["Location"] == f"/t/{table.id}"
    assert "Make a link" in client.get(f"/t/{table.id}/people").text
    assert "Continue<span" in client.get("/").text


def test_the_owner_who_has_a_seat_goes_on_at_that_seat(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"], owner=True)
    client.post(f"/tables/{table.id}/enter")
    assert "Make a link" not in client.get(f"/t/{table.id}/people").text


def test_the_owner_who_left_a_seat_can_enter_as_game_master(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"], owner=True)
    web.host.act(table.id, table.seats["Ada"], ("leave_seat", {"seat": table.seats["Bo"]}))
    at_its_address = client.get(f"/t/{table.id}/people")
    assert at_its_address.status_code == 401
    assert f'action="/tables/{table.id}/enter"' in at_its_address.text


def test_to_delete_asks_first_and_then_forgets_everything(web: Web) -> None:
    table = web.table(name="Doomed")
    client, player = web.client(owner=True), web.client(table["Bo"])
    asked = client.get(f"/tables/{table.id}/delete")
    assert "Delete “Doomed”?" in asked.text
    assert web.context.store.tables() == [table.id]
    assert client.post(f"/tables/{table.id}/delete").status_code == 303
    assert web.context.store.tables() == []
    assert player.get(f"/t/{table.id}/people").status_code == 401
    assert "Doomed" not in player.get("/").text


def test_a_player_finds_their_tables_again_at_the_start(web: Web) -> None:
    first, second = web.table(name="The Gorge"), web.table("six_pool", name="The Cliff")
    client = web.client(first["Bo"])
    client.cookies.set(*web.cookie(second["Di"]))
    page = client.get("/").text
    assert "The Gorge" in page
    assert "The Cliff" in page
    assert "You: spectator" in page
    assert "Delete" not in page


def test_in_the_home_network_the_owner_sees_where_others_find_the_tables(web: Web, sqlite_place: SqlitePlace) -> None:
    assert "Where others find you" not in web.client(owner=True).get("/").text
    with opened_web(sqlite_place.url, Settings.local(PORT, ["192.168.1.7"]), Clock()) as shared:
        page = shared.client(owner=True).get("/").text
        assert "http://192.168.1.7:8000/" in page
        assert "<title>The address of these tables</title>" in page


def test_names_are_text_wherever_they_stand(web: Web) -> None:
    name = "</title><img src=x onerror=alert(1)>"
    table = web.table(name=name)
    client = web.client(table.game_master, owner=True)
    for path in ("/", f"/tables/{table.id}/delete", f"/t/{table.id}/people"):
        text = client.get(path).text
        assert "<img src=x" not in text
        assert "&lt;img" in text


UNREADABLE = {
    "whose first entry is no opening": (1, b"[]"),
    "whose first entry is of no game": (1, b'{"by":"","act":"","event":{"name":"The Gorge","ruleset":7}}'),
    "that nobody ever sat at": (2, b'{"by":"","act":"","event":{}}'),
    "that can be read up to an entry": (6, b'{"by":"","act":"","event":{}}'),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_table_that_can_not_be_read_is_listed_with_its_entry_and_can_be_deleted(web: Web, what: str) -> None:
    number, data = UNREADABLE[what]
    sound = web.table(name="A sound table")
    whole = web.table(name="The Gorge")
    entries = [one._replace(data=data) if one.number == number else one for one in web.context.store.read(whole.id)]
    web.context.store.delete(whole.id)
    web.context.store.create("broken", Batch(tuple(entries)))
    owner = web.client(owner=True)
    page = owner.get("/")
    assert page.status_code == 200
    assert "A sound table" in page.text
    assert f"entry {number} " in page.text
    assert ('Enter as game master<span class="unseen"> of The Gorge' in page.text) is (number == 6)
    assert owner.post("/tables/broken/delete").status_code == 303
    assert web.context.store.tables() == [sound.id]


def test_a_time_that_no_calendar_has_is_not_shown(web: Web) -> None:
    table = web.table(name="The Gorge")
    entries = tuple(one._replace(at=2**62) for one in web.context.store.read(table.id))
    web.context.store.delete(table.id)
    web.context.store.create("late", Batch(entries))
    assert "The Gorge" in web.client(owner=True).get("/").text


def test_the_owners_page_lists_the_newest_tables_and_leads_to_the_older_ones(web: Web) -> None:
    for number in range(MOST_LISTED + 1):
        web.host.open("new_shoes", name=f"Night {number:02}", game_master="Ada")
    client = web.client(owner=True)
    newest, older = client.get("/").text, client.get(f"/?older={MOST_LISTED}").text
    assert f"Night {MOST_LISTED}" in newest
    assert "Night 01" in newest
    assert "Night 00" not in newest
    assert f'href="/?older={MOST_LISTED}"' in newest
    assert "Night 00" in older
    assert "Night 01" not in older
    assert "Older tables" not in older


def test_a_list_of_tables_names_who_plays_and_counts_the_seats_that_are_free(web: Web) -> None:
    client = web.client(owner=True)
    table = client.post("/tables", data={"game": "new_shoes"}).headers["Location"].removeprefix("/t/")
    assert "4 free seats" in client.get("/").text
    seat = next(one for one in web.host.seats(table).values() if one.role is Role.PLAYER)
    master = next(one for one in web.host.seats(table).values() if one.role is Role.GAME_MASTER)
    web.host.act(table, master.id, ("rename_seat", {"seat": seat.id, "name": "Bo"}))
    assert "With Bo · 3 free seats" in client.get("/").text


def test_the_newest_tables_stand_above_the_games_and_the_others_fold_away(web: Web) -> None:
    for number in range(UNFOLDED + 2):
        web.host.open("new_shoes", name=f"Night {number:02}", game_master="Ada")
    page = web.client(owner=True).get("/").text
    assert page.index(f"Night {UNFOLDED + 1:02}") < page.index("2 more tables") < page.index("Night 01")
    assert page.index("Night 00") < page.index("Start a table")
