"""Pictures: who sees which, how many there may be, and what becomes of them in rewinds, exports and deletions."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from astragal.storage import open_store
from astragal.table.log.export import BadExport
from astragal.table.log.seat_audit import audit_view
from astragal.table.refusals import Refusal
from astragal.table.state.pictures import LARGEST_PICTURE, MOST_OF_A_PLAYER, PLATES, PORTRAITS, plate_for, portraits_of
from astragal.table.state.things import Scene
from tests.table.canaries import assert_unknown
from tests.table.seated import ScriptedDice, Seated, new_host

EVERYBODY = ("Ada", "Bo", "Cy", "Di")


def some_picture(content: str = "a map") -> bytes:
    """Bytes that begin as a picture does; what comes after is no matter of the table's."""
    return b"RIFF\0\0\0\0WEBP" + content.encode()


def bring(seated: Seated, by: str, content: str = "a map", title: str = "A map") -> tuple[str, str]:
    """The id and the digest of a picture that somebody brings."""
    told = seated.host.album.add(seated.table, seated.seats[by], some_picture(content), title=title, alt="Hills.")
    picture = told.events[0].fields["picture"]
    return picture["id"], picture["digest"]


def viewers(seated: Seated, digest: str) -> list[str]:
    """Those who are given the bytes."""
    album, table = seated.host.album, seated.table
    return [name for name in EVERYBODY if album.seen(table, seated.seats[name], digest) is not None]


def test_a_picture_is_seen_by_whoever_brought_it_and_the_game_master_until_it_is_used(seated: Seated) -> None:
    picture, digest = bring(seated, "Bo", title="bos-secret-map")
    assert digest == sha256(some_picture()).hexdigest()
    assert viewers(seated, digest) == ["Ada", "Bo"]
    assert_unknown(seated, ("Cy", "Di"), "bos-secret-map", picture)
    assert viewers(seated, "0" * 64) == []
    assert viewers(seated, "../../etc/passwd") == []


def test_a_portrait_is_for_everybody_and_an_older_one_stays_in_the_log(seated: Seated) -> None:
    kira = next(one.id for one in seated.look("Bo").characters.values() if one.name == "Kira")
    first, before = bring(seated, "Bo", "young")
    second, after = bring(seated, "Bo", "old")
    seated.act("Bo", "set_portrait", who=kira, picture=first)
    assert seated.words("Di")[-1] == "a portrait of Kira: Hills."
    seated.act("Bo", "set_portrait", who=kira, picture=second)
    assert seated.look("Cy").characters[kira].portrait == after
    assert viewers(seated, before) == viewers(seated, after) == list(EVERYBODY)


def test_nobody_who_is_not_there_has_a_face(seated: Seated) -> None:
    for chosen in ({}, {"picture": bring(seated, "Ada")[0]}):
        assert seated.refused("Ada", "set_portrait", who="0" * 16, **chosen) == "no_such_thing"


def test_nobody_uses_a_picture_that_they_may_not_see(seated: Seated) -> None:
    """Not by its id, nor by its digest: knowing what it is called opens nothing."""
    kira = next(one.id for one in seated.look("Bo").characters.values() if one.name == "Kira")
    hidden, digest = bring(seated, "Ada", "the murderer")
    for said in (hidden, digest):
        assert seated.refused("Bo", "set_portrait", who=kira, picture=said) in ("no_such_thing", "bad_fields")
    seated.act("Bo", "say", words=digest)
    seated.act("Bo", "write_note", title=digest, words=digest)
    assert viewers(seated, digest) == ["Ada"]


def test_a_handout_is_closed_until_it_is_shown_and_then_for_those_it_is_shown_to(seated: Seated) -> None:
    picture, digest = bring(seated, "Ada")
    handout = seated.act("Ada", "write_handout", title="the-letter", picture=picture, words="Come alone.").events[0]
    key = handout.fields["handout"]["id"]
    assert viewers(seated, digest) == ["Ada"]
    assert_unknown(seated, ("Bo", "Cy", "Di"), "the-letter", key)
    seated.act("Ada", "show_handout", handout=key, to=[seated.seats["Bo"]])
    assert seated.words("Bo")[-1] == "shown to Bo alone: the-letter [Hills.] Come alone."
    assert viewers(seated, digest) == ["Ada", "Bo"]
    assert_unknown(seated, ("Cy", "Di"), "the-letter", key)
    seated.act("Ada", "show_handout", handout=key)
    assert viewers(seated, digest) == list(EVERYBODY)
    assert seated.refused("Ada", "write_handout", title="Nothing") == "empty"


def test_a_scenes_picture_is_the_game_masters_until_the_story_comes_there(seated: Seated) -> None:
    picture, digest = bring(seated, "Ada")
    scene = seated.act("Ada", "write_scene", title="The vault").events[0].fields["scene"]
    seated.act("Ada", "set_scene_picture", scene=scene, picture=picture)
    assert viewers(seated, digest) == ["Ada"]
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "begin_scene", scene=scene)
    assert viewers(seated, digest) == list(EVERYBODY)
    seated.act("Ada", "rewind", node=node, price="nerve", amount=1)
    assert seated.look("Ada").scenes[scene].picture == digest, "what was prepared outlasts a rewind"
    assert viewers(seated, digest) == list(EVERYBODY), "and so does what was seen"


def test_a_picture_that_is_taken_away_is_gone_for_everybody(seated: Seated) -> None:
    picture, digest = bring(seated, "Ada")
    seated.act("Ada", "write_handout", title="A letter", picture=picture, show=True)
    for other in ("Bo", "Di"):
        with pytest.raises(Refusal):
            seated.act(other, "remove_picture", picture=picture)
    seated.act("Ada", "remove_picture", picture=picture)
    assert viewers(seated, digest) == []
    again, same = bring(seated, "Bo")
    twin, _ = bring(seated, "Ada")
    seated.act("Bo", "remove_picture", picture=again)
    assert seated.host.album.seen(seated.table, seated.seats["Ada"], same), "the game master has it still"
    assert twin in seated.look("Ada").pictures


def test_a_player_brings_so_many_and_a_spectator_none(seated: Seated) -> None:
    with pytest.raises(Refusal, match="Spectators bring no pictures"):
        bring(seated, "Di")
    for number in range(MOST_OF_A_PLAYER):
        bring(seated, "Bo", str(number))
    with pytest.raises(Refusal, match=f"There are {MOST_OF_A_PLAYER} pictures of one player"):
        bring(seated, "Bo", "one more")
    bring(seated, "Cy", "theirs is another matter")
    huge = some_picture("x" * LARGEST_PICTURE)
    with pytest.raises(Refusal, match="are the most"):
        seated.host.album.add(seated.table, seated.seats["Ada"], huge, title="Huge")


def test_a_whole_export_carries_the_pictures_and_a_players_only_what_they_may_see(
    seated: Seated, tmp_path: Path
) -> None:
    shown, open_digest = bring(seated, "Ada", "open")
    _, closed_digest = bring(seated, "Ada", "closed")
    seated.act("Ada", "write_handout", title="A letter", picture=shown, show=True)
    lines = list(seated.host.archive.export(seated.table, seated.seats["Ada"]))
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    elsewhere.archive.import_table(lines)
    for digest in (open_digest, closed_digest):
        there = elsewhere.album.seen(seated.table, seated.seats["Ada"], digest)
        assert there == seated.host.album.seen(seated.table, seated.seats["Ada"], digest) is not None
    assert elsewhere.album.seen(seated.table, seated.seats["Bo"], closed_digest) is None
    (view,) = map(msgspec.json.decode, seated.host.archive.export(seated.table, seated.seats["Bo"]))
    assert list(view["pictures"]) == [open_digest]
    assert not audit_view(view).edits
    view["pictures"][open_digest] = b64encode(some_picture("forged")).decode()
    assert audit_view(view).edits


@pytest.mark.parametrize("forged", ["other bytes", "no picture"])
def test_an_export_with_a_forged_picture_is_refused(seated: Seated, tmp_path: Path, forged: str) -> None:
    bring(seated, "Ada")
    *lines, _ = seated.host.archive.export(seated.table, seated.seats["Ada"])
    data = some_picture("forged") if forged == "other bytes" else b"<svg onload='alert(1)'/>"
    digest = sha256(some_picture() if forged == "other bytes" else data).hexdigest()
    lines[-1] = msgspec.json.encode({"picture": [digest, b64encode(data).decode()]}) + b"\n"
    ends = msgspec.json.encode({"end": sha256(b"".join(lines)).hexdigest()}) + b"\n"
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    with pytest.raises(BadExport, match="picture in this export"):
        elsewhere.archive.import_table([*lines, ends])


def test_a_scene_without_a_choice_gets_the_plate_that_fits_its_words() -> None:
    assert plate_for(Scene(id="", title="The rope bridge"), "") == "plates/bridge"
    assert plate_for(Scene(id="", title="Up there", hook="A bell rings in the chapel."), "") == "plates/bell"
    assert plate_for(Scene(id="", title="Xyzzy"), "train") == "plates/train", "the setting's"
    assert plate_for(Scene(id="", title="Xyzzy"), "") == plate_for(Scene(id="", title="xyzzy"), "")


def test_everybody_has_a_face_and_no_two_heroes_the_same(seated: Seated) -> None:
    faces = portraits_of(seated.look("Di").cast.values())
    assert set(faces) == set(seated.look("Di").characters)
    assert len(set(faces.values())) == len(faces)
    assert all(name.removeprefix("portraits/") in PORTRAITS for name in faces.values())
    assert faces == portraits_of(seated.look("Ada").cast.values())
    assert len(PLATES) >= 16
