"""What is joined at the start: games are found where they are, and nothing is loaded that nobody asked for."""

import sys
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from astragal.storage import open_store
from astragal.surfaces.web.settings import Settings
from astragal.wiring import OURS, build_web, installed_rulesets
from tests.storage.places import SqlitePlace
from tests.surfaces.cli.conftest import our_games
from tests.table.dare import DARE


def test_our_games_are_where_the_project_says() -> None:
    assert set(OURS) == set(our_games())
    for name, place in our_games().items():
        module, _, value = place.partition(":")
        assert installed_rulesets()[name]() is getattr(sys.modules[module], value)


@pytest.mark.parametrize(
    ("package", "group", "searched"),
    [
        ("lanterns-1.0.dist-info", "astragal.rulesets", True),
        ("lanterns.egg-info", "astragal.rulesets", True),
        ("lanterns-1.0.dist-info", "console_scripts", False),
        ("astragal-0.1.0.dist-info", "astragal.rulesets", False),
    ],
)
def test_what_is_installed_is_searched_if_a_strangers_package_names_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, group: str, searched: bool
) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "METADATA").write_text("Metadata-Version: 2.1\nName: lanterns\nVersion: 1.0\n", "utf-8")
    (tmp_path / package / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: lanterns\nVersion: 1.0\n", "utf-8")
    (tmp_path / package / "entry_points.txt").write_text(f"[{group}]\nlanterns = lanterns:LANTERNS\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nowhere")])
    assert ("lanterns" in installed_rulesets()) is searched


def test_a_package_that_comes_first_on_the_path_hides_another_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("newer", "older"):
        info = tmp_path / folder / "lanterns-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lanterns\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[astragal.rulesets]\nlanterns = builtins:{folder}\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "newer"), str(tmp_path / "older"), *sys.path])
    monkeypatch.setattr("builtins.newer", DARE, raising=False)
    assert installed_rulesets()["lanterns"]() is DARE


def test_an_archive_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("lanterns-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: lanterns\nVersion: 1.0\n")
        archive.writestr("lanterns-1.0.dist-info/entry_points.txt", "[astragal.rulesets]\nlanterns = lanterns:L\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "games.zip")])
    assert list(installed_rulesets()) == sorted([*OURS, "lanterns"])


@pytest.mark.slow
def test_a_server_has_numpy_before_anybody_asks_for_odds(
    sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import astragal.chance

    monkeypatch.setattr(astragal.chance, "lanes", None, raising=False)
    monkeypatch.delitem(sys.modules, "astragal.chance.lanes", raising=False)
    with closing(open_store(sqlite_place.url)) as store:
        build_web(store, Settings.local(8000))
    assert "astragal.chance.lanes" in sys.modules
    assert "numpy" in sys.modules
