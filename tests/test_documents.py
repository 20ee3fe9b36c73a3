"""Every code block of the documentation is performed; what it says it does, it does."""

import re
from pathlib import Path

import pytest

from tests.documents import ROOT, Block, Sitting, Stale, blocks_to_perform, fits, read_blocks

AT_THE_ROOT = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")
DOCUMENTS = [ROOT / name for name in AT_THE_ROOT if (ROOT / name).exists()] + sorted(ROOT.glob("docs/**/*.md"))


def place(block: Block) -> str:
    return f"{block.document.relative_to(ROOT)}:{block.line}"


@pytest.fixture(scope="session")
def sittings(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Sitting]:
    return {document: Sitting(document, tmp_path_factory.mktemp("home")) for document in DOCUMENTS}


# A block is performed after all those above it, so those of a document are for one worker.
BLOCKS = [pytest.param(block, id=place(block)) for path in DOCUMENTS for block in blocks_to_perform(path)]


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS)
def test_the_block_does_what_it_says(block: Block, sittings: dict[Path, Sitting]) -> None:
    sittings[block.document].perform(block)


def test_the_site_leads_to_every_page_and_to_no_other() -> None:
    # Zensical's strict mode catches a broken link in a page, and not one in the nav.
    led_to = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert sorted(led_to) == [str(page.relative_to(ROOT / "docs")) for page in sorted(ROOT.glob("docs/**/*.md"))]


def test_the_page_for_authors_is_the_whole_of_the_example() -> None:
    blocks = read_blocks(ROOT / "docs" / "authors" / "rulesets.md")
    example = (ROOT / "examples" / "lanterns.py").read_text(encoding="utf-8")
    wanted = [line for line in example.splitlines() if line]
    shown = [line for block in blocks if block.language == "python" for line in block.code.splitlines() if line]
    assert shown[: len(wanted)] == wanted


# ---------------------------------------------------------------- and the performing itself, on made-up documents


def perform(text: str, folder: Path) -> None:
    document = folder / "made_up.md"
    document.write_text(text, encoding="utf-8")
    sitting = Sitting(document, folder)
    for block in blocks_to_perform(document):
        sitting.perform(block)


def fence(language: str, *code: str) -> str:
    return "\n".join([f"```{language}", *code, "```", ""])


def test_a_block_knows_its_line_and_language(tmp_path: Path) -> None:
    document = tmp_path / "made_up.md"
    document.write_text("# Title\n\n" + fence('python title="x"', "a = 1"), encoding="utf-8")
    assert list(read_blocks(document)) == [Block(document, 3, "python", "a = 1\n")]


def test_blocks_are_found_inside_lists_and_when_never_closed(tmp_path: Path) -> None:
    document = tmp_path / "made_up.md"
    document.write_text("- item\n\n  ```text\n  a\n  ```\n\n~~~python\nb\n", encoding="utf-8")
    assert [block.code for block in read_blocks(document)] == ["a\n", "b\n"]


def test_a_longer_fence_holds_a_shorter_one(tmp_path: Path) -> None:
    document = tmp_path / "made_up.md"
    document.write_text("````text\n```python\nraise\n```\n````\n", encoding="utf-8")
    assert [block.language for block in read_blocks(document)] == ["text"]


def test_python_blocks_share_their_names(tmp_path: Path) -> None:
    perform(
        fence("python", "a = 2") + fence("python", ">>> b = a + 1", ">>> b", "3") + fence("python", "assert b == 3"),
        tmp_path,
    )


def test_a_later_block_brings_those_above_it_along(tmp_path: Path) -> None:
    document = tmp_path / "made_up.md"
    document.write_text(fence("python", "a = 2") + fence("python", "assert a == 2"), encoding="utf-8")
    Sitting(document, tmp_path).perform(blocks_to_perform(document)[-1])


def test_a_raising_block_is_caught_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        perform("# Title\n\n" + fence("python", "1 / 0"), tmp_path)
    assert caught.traceback[-1].lineno + 1 == 4


def test_a_false_assertion_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        perform(fence("python", "assert 1 + 1 == 3"), tmp_path)


def test_a_wrong_doctest_is_caught(tmp_path: Path) -> None:
    with pytest.raises(Stale, match="Expected:\n    3\nGot:\n    2"):
        perform(fence("python", ">>> 1 + 1", "3"), tmp_path)


def test_a_picture_below_a_block_is_the_one_that_the_block_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASTRAGAL_REGENERATE", raising=False)
    text = fence("python", "from astragal import odds", "picture = odds('1d4')") + "\n![A d4](d4.svg)\n"
    with pytest.raises(Stale, match="not what the block draws"):
        perform(text, tmp_path)
    monkeypatch.setenv("ASTRAGAL_REGENERATE", "1")
    perform(text, tmp_path)
    monkeypatch.delenv("ASTRAGAL_REGENERATE")
    perform(text, tmp_path)
    with pytest.raises(Stale, match="not what the block draws"):
        perform(text.replace("1d4", "1d6"), tmp_path)


def test_a_command_that_prints_what_it_should_passes(tmp_path: Path) -> None:
    perform(
        fence("console", "$ echo one; echo; echo two", "one", "", "two", "", "$ echo $COLUMNS $NO_COLOR", "100 1"),
        tmp_path,
    )


def test_a_command_runs_from_the_root_in_a_home_of_its_own(tmp_path: Path) -> None:
    perform(fence("console", "$ ls mkdocs.yml", "mkdocs.yml", "$ echo $HOME", str(tmp_path)), tmp_path)


def test_a_command_that_prints_something_else_is_caught(tmp_path: Path) -> None:
    with pytest.raises(Stale, match="--- the document says\ntwo\n--- it prints\none"):
        perform(fence("console", "$ echo one", "two"), tmp_path)


def test_what_a_command_complains_of_is_part_of_what_it_prints(tmp_path: Path) -> None:
    with pytest.raises(Stale, match="alas"):
        perform(fence("console", "$ echo alas >&2"), tmp_path)


def test_a_console_block_without_a_command_is_caught(tmp_path: Path) -> None:
    with pytest.raises(Stale, match="begins with"):
        perform(fence("console", "echo one", "one"), tmp_path)


def test_three_dots_alone_stand_for_any_lines() -> None:
    assert fits(["a", "...", "d"], ["a", "b", "c", "d"])
    assert fits(["a", "..."], ["a"])
    assert not fits(["a", "...", "d"], ["a", "b", "c"])
    assert not fits(["a ..."], ["a b"])


def test_a_shell_block_begins_with_what_exists(tmp_path: Path) -> None:
    perform(fence("sh", "# comment", "git clone somewhere", "./run", "./run test -k dice"), tmp_path)


@pytest.mark.parametrize("line", ["make test", "./run nonsense", "./runner", "gitclone x"])
def test_a_shell_block_that_begins_with_nothing_known_is_caught(line: str, tmp_path: Path) -> None:
    with pytest.raises(Stale):
        perform(fence("sh", line), tmp_path)


@pytest.mark.parametrize("language", ["", "py", "bash"])
def test_a_language_that_would_pass_unperformed_is_caught(language: str, tmp_path: Path) -> None:
    with pytest.raises(Stale, match="say python, console, sh or one of"):
        perform(fence(language, "anything"), tmp_path)
