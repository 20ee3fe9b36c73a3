"""Compiled templates are kept between starts of the program."""

import re
import sys
from pathlib import Path

import jinja2
import pytest

from astragal.surfaces.web import rendering

TEMPLATE = "layout/base.html"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where compiled files of this program's modules go; each environment is a new start."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    found = tmp_path / rendering.HERE.relative_to("/")
    found.mkdir(parents=True)
    return found


def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A new start that loads a template; the names of those that had to be compiled."""
    compiled = []
    compile_one = jinja2.Environment.compile

    def told(self: jinja2.Environment, source: str, name: str, filename: str) -> object:
        compiled.append(name)
        return compile_one(self, source, name, filename)

    with monkeypatch.context() as patched:
        patched.setattr(jinja2.Environment, "compile", told)
        rendering.environment.__wrapped__("", "").get_template(TEMPLATE)
    return compiled


def test_a_template_is_compiled_at_the_first_start_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert started(monkeypatch) == [TEMPLATE]
    assert len(list(folder.iterdir())) == 1
    assert started(monkeypatch) == []


@pytest.mark.parametrize("length", [0, 20, 60, 200])
def test_a_kept_template_that_was_cut_short_is_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    started(monkeypatch)
    (kept,) = folder.iterdir()
    kept.write_bytes(kept.read_bytes()[:length])
    assert started(monkeypatch) == [TEMPLATE]
    assert started(monkeypatch) == []


def test_where_nothing_can_be_kept_templates_are_compiled_at_each_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.rmdir()
    assert started(monkeypatch) == started(monkeypatch) == [TEMPLATE]


@pytest.mark.usefixtures("folder")
def test_a_kept_template_counts_for_the_options_it_was_compiled_with(monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch)
    monkeypatch.setattr(rendering, "digest_of_files", lambda where: "other options")
    assert started(monkeypatch) == [TEMPLATE]


def test_python_is_told_to_keep_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    started(monkeypatch)
    assert not list(folder.iterdir())


NAMED = re.compile(r"^(\w|[.#[]|:is\()")
"""A part of a selector that says which elements are meant: a kind, a class, an id, an attribute."""


def selectors(rule: str) -> list[list[str]]:
    """Each cut where it comes to another element; what is in brackets stays together."""
    bracketed = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]")
    flat = bracketed.sub(lambda found: re.sub(r"[\s>+~,]", "", found[0]), rule)
    return [re.split(r"[\s>+~]+", one.strip()) for one in flat.split(",")]


@pytest.mark.parametrize("sheet", sorted(rendering.FOLDER.glob("css/*.css")), ids=lambda one: one.stem)
def test_what_happens_at_a_table_is_no_reason_to_style_all_of_its_page_again(sheet: Path) -> None:
    """Browsers style again whatever a rule after `:has()` might mean. Where it names nothing, that is everything."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    for rule in re.findall(r"([^{};]*:has\([^{};]*)\{", text):
        for *before, last in selectors(rule):
            assert NAMED.match(last) or not any(":has(" in part for part in before), rule
