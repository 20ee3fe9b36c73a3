"""`./run` in a fresh clone, with stand-ins for Python and for what it installs: no network is needed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDED = ("run", "pyproject.toml", "hatch_build.py", "browser/package-lock.json")

PROGRAM = '#!/bin/sh\necho "{\\"said\\": \\"$*\\", \\"in\\": \\"$PWD\\"}"\n'
INSTALLER = '#!/bin/sh\necho "installing: $*"\n'
PIP = """
    *"-m pip"*install*)
        cp .venv/bin/installer .venv/bin/uv
        echo "uv by the pip of $0" ;;
"""
NO_PIP = """
    *"-m pip"*) exit 1 ;;
"""
NO_ENSUREPIP = """
    *"import ensurepip"*) exit 1 ;;
"""


def python(*lacks: str) -> str:
    """A Python that can make an environment, and whose environments have a pip once it was put there."""
    in_the_environment = f'#!/bin/sh\ncase "$*" in\n{PIP}esac\n'
    return f"""#!/bin/sh
case "$*" in
{"".join(lacks)}{PIP}    *"-m venv"*)
        mkdir -p .venv/bin
        cat >.venv/bin/astragal <<'END'
{PROGRAM}END
        cat >.venv/bin/installer <<'END'
{INSTALLER}END
        cat >.venv/bin/python <<'END'
{in_the_environment}END
        chmod +x .venv/bin/*
        echo "made an environment" ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone in which nothing is set up."""
    folder = tmp_path / "a clone"
    for name in NEEDED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    for name, script in (("python3", python()), ("npm", INSTALLER)):
        stand_in = tmp_path / "bin" / name
        stand_in.parent.mkdir(exist_ok=True)
        stand_in.write_text(script, encoding="utf-8")
        stand_in.chmod(0o755)
    return folder


def called(clone: Path, command: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(clone.parent / "bin"), os.environ["PATH"]))
    environment = {"PATH": path, "HOME": str(clone.parent / "home")}
    return subprocess.run(
        [command, *words], cwd=clone.parent, env=environment, capture_output=True, text=True, check=False
    )


def test_the_first_call_prints_nothing_but_what_the_program_prints(clone: Path) -> None:
    first = called(clone, clone / "run", "roll", "1d20", "--json")
    assert first.returncode == 0, first.stderr
    assert first.stdout == f'{{"said": "roll 1d20 --json", "in": "{clone.parent}"}}\n'
    by_pip = f"uv by the pip of {clone.parent}/bin/python3"
    for told in (
        "== Set-up: environment",
        "made an environment",
        by_pip,
        "== Set-up: astragal",
        "installing: pip install",
    ):
        assert told in first.stderr
    again = called(clone, clone / "run", "roll", "1d20", "--json")
    assert (again.stdout, again.stderr) == (first.stdout, "")


def test_a_python_without_pip_puts_one_into_the_environment(clone: Path) -> None:
    (clone.parent / "bin" / "python3").write_text(python(NO_PIP), encoding="utf-8")
    assert "uv by the pip of .venv/bin/python" in called(clone, clone / "run", "roll", "1d20").stderr


def test_a_python_that_has_no_pip_and_can_make_none_is_refused_with_what_to_install(clone: Path) -> None:
    (clone.parent / "bin" / "python3").write_text(python(NO_PIP, NO_ENSUREPIP), encoding="utf-8")
    failed = called(clone, clone / "run", "roll", "1d20")
    assert failed.returncode != 0
    assert "apt install python3-pip" in failed.stderr


def test_a_set_up_that_fails_ends_the_run_and_prints_nothing(clone: Path) -> None:
    (clone.parent / "bin" / "python3").write_text("#!/bin/sh\necho broken\nexit 1\n", encoding="utf-8")
    failed = called(clone, clone / "run", "mcp")
    assert (failed.returncode != 0, failed.stdout) == (True, "")
    assert "too old" in failed.stderr


@pytest.mark.parametrize("relative", [True, False])
def test_the_repository_is_found_by_a_symbolic_link_to_run(clone: Path, relative: bool) -> None:
    shelf = clone.parent / "shelf"
    shelf.mkdir()
    (shelf / "first").symlink_to(Path("..") / clone.name / "run" if relative else clone / "run")
    (shelf / "astragal").symlink_to("first")
    linked = called(clone, shelf / "astragal", "games")
    assert linked.returncode == 0, linked.stderr
    assert linked.stdout == f'{{"said": "games", "in": "{clone.parent}"}}\n'
    assert not (shelf / ".venv").exists()
