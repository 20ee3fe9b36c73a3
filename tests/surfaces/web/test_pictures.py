"""Pictures from outside, treated as hostile: what is taken, what is made of it, and to whom it is served."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from astragal.surfaces.shared.pictures import reencode_untrusted
from astragal.surfaces.web.live.updates import PageCache, PageFollower
from astragal.surfaces.web.rendering import HERE
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.panels import PANELS
from astragal.table.refusals import Refusal
from astragal.table.state.pictures import PLATES, PORTRAITS, is_webp, plate_for
from tests.surfaces.web.open_tables import OpenTable, Web

PLACE = "51 deg 30 min N, taken by Ada's phone"


def photograph(kind: str = "JPEG", size: tuple[int, int] = (640, 360), **saved: Any) -> bytes:
    exif = Image.Exif()
    exif[0x010E] = PLACE
    picture = Image.linear_gradient("L").resize(size).convert("RGB")
    picture.save(made := BytesIO(), kind, **({"exif": exif} if kind in ("JPEG", "WEBP", "PNG") else {}), **saved)
    return made.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


def hero_of(web: Web, table: OpenTable, name: str = "Bo") -> str:
    state = web.host.look(table.id, table.seats["Ada"])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def send(client: TestClient, table: OpenTable, data: bytes, **fields: str) -> Any:
    return client.post(
        f"/t/{table.id}/pictures",
        data=fields,
        files={"file": ("../../x.php", data, "text/html")},
        follow_redirects=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_picture_is_made_anew_without_anything_but_its_pixels(kind: str) -> None:
    given = photograph(kind, (2400, 1200))
    kept = reencode_untrusted(given, 1600)
    assert is_webp(kept)
    assert PLACE.encode() not in kept
    shown = Image.open(BytesIO(kept))
    assert (shown.size, dict(shown.getexif())) == ((1600, 800), {})


@pytest.mark.parametrize(
    ("hostile", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "no PNG, JPEG, WebP or GIF"),
        (b"<?php system('id');", "no PNG, JPEG, WebP or GIF"),
        (b"", "no PNG, JPEG, WebP or GIF"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 200, "damaged"),
        (photograph()[:900], "damaged"),
        (b"GIF89a" + b"\xff" * 300, "damaged|pixels"),
        (bomb(40_000, 40_000), "million are the most"),
        (bomb(60_000, 1), "million are the most"),
        (b"RIFF\x10\0\0\0WEBPVP8 " + b"\xff" * 64, "damaged"),
    ],
)
def test_what_is_no_picture_is_refused_in_a_sentence(hostile: bytes, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        reencode_untrusted(hostile, 512)


@pytest.mark.slow
def test_a_page_in_a_pictures_clothes_loses_them() -> None:
    """What follows a picture's pixels is not taken along: a file that is two things is one afterwards."""
    kept = reencode_untrusted(photograph("GIF") + b"<script>alert(1)</script>", 512)
    assert b"script" not in kept


@pytest.mark.slow
def test_a_picture_is_served_to_those_who_may_see_it_with_headers_of_its_own(web: Web) -> None:
    table = web.table()
    bo, di = web.client(table["Bo"]), web.client(table["Di"])
    answer = send(bo, table, photograph(), use=f"portrait-{hero_of(web, table)}", alt="Me, in a hat")
    assert answer.status_code == 303
    page = di.get(f"/t/{table.id}").text
    (address,) = set(re.findall(rf"/t/{table.id}/pictures/[0-9a-f]{{64}}", page))
    shown = di.get(address)
    assert (shown.status_code, shown.headers["Content-Type"]) == (200, "image/webp")
    assert shown.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert shown.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert shown.headers["Cache-Control"].startswith("private")
    stranger = TestClient(web.app, base_url=web.address)
    assert stranger.get(address).status_code == 401
    other = web.table()
    assert web.client(other["Ada"]).get(f"/t/{other.id}/pictures/{address[-64:]}").status_code == 404


@pytest.mark.slow
def test_a_closed_handout_is_nobodys_until_it_is_shown(web: Web) -> None:
    table = web.table()
    ada, bo = web.client(table["Ada"]), web.client(table["Bo"])
    assert send(ada, table, photograph(), use="keep", title="The letter").status_code == 303
    (handout,) = web.host.look(table.id, table.seats["Ada"]).handouts.values()
    address = f"/t/{table.id}/pictures/{handout.picture}"
    assert ada.get(address).status_code == 200
    assert bo.get(address).status_code == 404
    assert "The letter" not in bo.get(f"/t/{table.id}").text
    ada.post(f"/t/{table.id}/quick/show_handout", data={"handout": handout.id})
    assert bo.get(address).status_code == 200
    assert 'data-reveals="' in bo.get(f"/t/{table.id}").text
    assert bo.post(f"/t/{table.id}/quick/remove_picture", data={"picture": "The letter"}).status_code == 422
    ada.post(f"/t/{table.id}/quick/remove_picture", data={"picture": "The letter"})
    assert bo.get(address).status_code == 404
    assert web.host.look(table.id, table.seats["Ada"]).handouts == {}


@pytest.mark.slow
def test_faces_and_scenes_are_drawn_again_once_their_picture_is_removed_or_put_back(web: Web) -> None:
    table = web.table()
    ada, hero = web.client(table["Ada"]), hero_of(web, table)
    web.host.act(table.id, table.seats["Ada"], ("improvise_scene", {"title": "The gate", "hook": "Rain."}))

    def pictures() -> tuple[str, str]:
        state = web.host.look(table.id, table.seats["Bo"])
        return state.characters[hero].portrait, plate_for(next(iter(state.scenes.values())), state.setting.cover)

    drawn = pictures()
    scene = next(iter(web.host.look(table.id, table.seats["Ada"]).scenes))
    for use in (f"portrait-{hero}", f"scene-{scene}"):
        assert send(ada, table, photograph(), use=use, title="Grey").status_code == 303
        page = ada.get(f"/t/{table.id}/pictures/for/{use}").text
        assert "Back to the drawn" in page
        ada.post(f"/t/{table.id}/pictures", data={"use": use, "picture": "drawn"}, files={"file": b""})
        assert "Back to the drawn" not in ada.get(f"/t/{table.id}/pictures/for/{use}").text
    assert pictures() == drawn
    assert drawn[1] == "plates/gate"
    ids = list(web.host.look(table.id, table.seats["Ada"]).pictures)
    for use, one in ((f"portrait-{hero}", ids[0]), (f"scene-{scene}", ids[1])):
        ada.post(f"/t/{table.id}/pictures", data={"use": use, "picture": one}, files={"file": b""})
        assert pictures() != drawn
        again = ada.post(f"/t/{table.id}/pictures/{one}/remove?use={use}", headers={"HX-Request": "true"})
        assert again.status_code == 200
        assert one not in again.text
    assert pictures() == drawn
    assert web.context.store.pictures(table.id) == []


@pytest.mark.slow
def test_an_open_page_draws_its_log_again_once_a_picture_is_removed(web: Web) -> None:
    table = web.table()
    ada, at = web.client(table["Ada"]), SeatSession(web.context, table.id, table.seats["Bo"])
    send(ada, table, photograph(), use="show", title="The letter")
    cursor = web.host.latest(table.id, at.seat).cursor
    bo = PageFollower(at, PageCache(web.app.state.templates, table.id, PANELS), cursor)
    assert b"event: redraw" not in b"".join(bo.news())
    ada.post(f"/t/{table.id}/quick/remove_picture", data={"picture": "The letter"})
    assert b"event: redraw" in b"".join(bo.news())
    assert b"event: redraw" not in b"".join(bo.news())


@pytest.mark.slow
def test_players_give_their_own_heroes_faces_and_nothing_else(web: Web) -> None:
    table = web.table()
    bo, di = web.client(table["Bo"]), web.client(table["Di"])
    for use in (f"portrait-{hero_of(web, table, 'Cy')}", "show", "keep", "scene-1"):
        assert bo.get(f"/t/{table.id}/pictures/for/{use}").status_code == 404
        send(bo, table, photograph(), use=use)
    assert send(di, table, photograph()).status_code == 422
    state = web.host.look(table.id, table.seats["Ada"])
    assert (state.pictures, state.handouts) == ({}, {})
    shown = bo.get(f"/t/{table.id}/pictures/for/portrait-{hero_of(web, table)}")
    assert all(f"portraits/{name}.svg" in shown.text for name in PORTRAITS)


def test_a_form_that_brings_no_picture_is_refused(web: Web) -> None:
    table = web.table()
    ada = web.client(table["Ada"], Accept="application/json")
    forms = [{}, {"picture": "drawn"}, {"title": "Grey"}, {"use": "show"}, {"use": f"portrait-{hero_of(web, table)}"}]
    for form in forms:
        answer = ada.post(f"/t/{table.id}/pictures", data=form, files={"file": b""})
        assert (answer.status_code, answer.json()["sentence"]) == (422, "Choose a picture, or bring one.")
    assert ada.post(f"/t/{table.id}/pictures").status_code == 422
    state = web.host.look(table.id, table.seats["Ada"])
    assert (state.pictures, state.handouts) == ({}, {})


def test_an_upload_is_read_only_from_a_seat_and_only_so_far(web: Web) -> None:
    table = web.table()
    bo = web.client(table["Bo"])
    large = b"\xff" * (web.context.settings.largest_upload + 1)
    assert send(bo, table, large).status_code == 413

    def endless() -> Any:
        yield b"x" * 100

    assert bo.post(f"/t/{table.id}/pictures", content=endless()).status_code == 413
    stranger = TestClient(web.app, base_url=web.address, headers={"Origin": web.address})
    assert send(stranger, table, photograph()).status_code == 401
    elsewhere = {"Origin": "http://evil.example"}
    assert bo.post(f"/t/{table.id}/pictures", headers=elsewhere, files={"file": b""}).status_code == 403


def test_whoever_sends_picture_after_picture_is_slowed_down(web: Web) -> None:
    table = web.table()
    bo = web.client(table["Bo"])
    answers = [send(bo, table, b"no picture").status_code for _ in range(20)]
    assert answers[0] == 422
    assert answers[-1] == 429


@pytest.mark.slow
def test_no_picture_is_decoded_in_the_servers_own_process(tmp_path: Path) -> None:
    """A decoder that hangs, crashes or fills the memory is somebody else's, and the table plays on."""
    (tmp_path / "photograph").write_bytes(photograph())
    asked = (
        "import sys; from pathlib import Path; from astragal.surfaces.shared.pictures import reencode_untrusted; "
        "made = reencode_untrusted(Path(sys.argv[1]).read_bytes(), 64); "
        "print(made[:4], any(one.startswith('PIL') for one in sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", asked, tmp_path / "photograph"], capture_output=True, check=True)
    assert said.stdout.decode().split() == ["b'RIFF'", "False"]


@pytest.mark.slow
def test_every_plate_and_portrait_is_drawn_small_and_holds_nothing_but_shapes() -> None:
    for folder, names, most in (("plates", PLATES, 22_000), ("portraits", PORTRAITS, 3_100)):
        drawn = {path.stem: path for path in Path(HERE / "static" / folder).glob("*.svg")}
        assert set(drawn) == set(names)
        for path in drawn.values():
            text = path.read_text("utf-8")
            assert len(text) <= most
            assert set(re.findall(r"<(\w+)", text)) <= {"svg", "g", "path", "rect", "circle", "ellipse", "text"}
            assert not re.search(r"href|url\(|on\w+=|style", text)
    covers = (HERE / "static" / "css" / "covers.css").read_text("utf-8")
    assert all(f".of-{name} " in covers for name in PLATES)
