"""Advice on installing an extra fits how the copy was installed, and never names the package alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from astragal.surfaces.shared.installation import Copy, copy_of, how_to_install


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """A clone with an environment in it."""
    (tmp_path / ".venv").mkdir()
    return tmp_path / ".venv"


def installed(prefix: Path, origin: Mapping[str, object] | None, *, has_pip: bool = True) -> Copy:
    """Read a copy from metadata on the disk, with this record of where it came from."""
    folder = prefix / "astragal-1.dist-info"
    folder.mkdir()
    if origin is not None:
        (folder / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
    return copy_of(Distribution.at(folder), prefix, "/opt/table/bin/python", has_pip=has_pip)


def editable(folder: Path) -> dict[str, object]:
    return {"url": folder.as_uri(), "dir_info": {"editable": True}}


def test_a_clone_with_run_is_set_up_again(prefix: Path) -> None:
    (prefix.parent / "run").touch()
    copy = installed(prefix, editable(prefix.parent))
    assert how_to_install("web", copy) == f"Delete {prefix}: {prefix.parent}/run sets it up again, with everything."


def test_an_editable_copy_is_installed_from_its_folder(prefix: Path, tmp_path: Path) -> None:
    source = tmp_path / "a clone"
    source.mkdir()
    copy = installed(prefix, editable(source))
    assert how_to_install("web", copy) == (
        f"To install it: /opt/table/bin/python -m pip install --editable '{source}[web]'"
    )


def test_a_wheel_is_installed_from_the_same_file(prefix: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "astragal-1-py3-none-any.whl"
    wheel.touch()
    copy = installed(prefix, {"url": wheel.as_uri(), "archive_info": {}}, has_pip=False)
    assert how_to_install("postgres", copy) == (
        f"To install it: uv pip install --python /opt/table/bin/python 'astragal[postgres] @ {wheel.as_uri()}'"
    )


def test_a_repository_is_named_with_its_commit(prefix: Path) -> None:
    repository = {"url": "https://git.example/a.git", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}
    advice = how_to_install("mcp", installed(prefix, repository))
    assert advice.endswith(" -m pip install 'astragal[mcp] @ git+https://git.example/a.git@abc123'")


@pytest.mark.parametrize(
    ("receipt", "command"),
    [("pipx_metadata.json", "pipx install --force"), ("uv-receipt.toml", "uv tool install --force")],
)
def test_what_keeps_programs_apart_installs_them_again(
    prefix: Path, tmp_path: Path, receipt: str, command: str
) -> None:
    (prefix / receipt).touch()
    copy = installed(prefix, {"url": tmp_path.as_uri(), "dir_info": {}})
    assert how_to_install("all", copy) == f"To install it: {command} '{tmp_path}[all]'"


def test_a_copy_of_unknown_origin_is_installed_from_where_it_came_from(prefix: Path, tmp_path: Path) -> None:
    gone = installed(prefix, {"url": (tmp_path / "gone.whl").as_uri(), "archive_info": {}})
    nowhere = copy_of(None, prefix, "/usr/bin/python3", has_pip=True)
    for copy in (gone, nowhere):
        assert how_to_install("web", copy) == (
            "Install astragal again from where this copy came from, with the extra 'web'."
        )


def test_no_message_names_the_package_alone() -> None:
    source = Path(__file__).parents[3]
    files = [*source.glob("src/**/*.py"), *source.glob("docs/**/*.md"), *source.glob("deploy/*")]
    for file in files:
        assert "install 'astragal" not in file.read_text("utf-8"), file
