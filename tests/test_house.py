"""Rules of the house that no tool checks."""

import ast
import json
import os
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from astragal.wiring import EXTRA_OF
from hatch_build import SHIPPED

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "astragal"
CORE = ("chance", "fair", "table", "rulesets")
VAGUE_NAMES = frozenset({"utils", "helpers", "manager", "base", "common"})
MADE_BY_TOOLS = frozenset({".git", ".venv", "__pycache__", "artefacts", "build", "dist", "lib", "node_modules", "site"})

# What is true of one machine only, in small letters. As patterns, these lines do not match themselves.
OF_ONE_MACHINE = {
    "a registry host": re.compile(r"pypi\.(?:org)|python(?:hosted)\.org|npm(?:js)\.(?:org|com)|yarnpkg\.com"),
    "a machine path": re.compile(r"/(?<![\w.]/)(?:work|root|tmp)/\w"),
    "a folder beside the repository": re.compile(r"\.\./shared"),
}


def files_of_the_repository() -> list[Path]:
    """What is committed or would be: the ignored is left out."""
    return [path for path in (files_known_to_git() or files_found_by_walking()) if path.is_file()]


def files_known_to_git() -> list[Path]:
    if shutil.which("git") is None:
        return []
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,  # outside a repository it fails, and there is the walk
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def files_found_by_walking() -> list[Path]:
    found = []
    for folder, inside, files in os.walk(ROOT):
        inside[:] = [name for name in inside if name not in MADE_BY_TOOLS and not name.endswith("cache")]
        found += [Path(folder, name) for name in files]
    return found


def machine_details(text: str) -> Iterator[str]:
    small = text.lower()
    if not any(pattern.search(small) for pattern in OF_ONE_MACHINE.values()):
        return
    for number, line in enumerate(small.splitlines(), start=1):
        for what, pattern in OF_ONE_MACHINE.items():
            if pattern.search(line):
                yield f"{number}: {what}: {line.strip()}"


READS_TYPES = re.compile(r"msgspec\.(?:convert|(?:json|msgpack|yaml|toml)\.Decoder)\(|msgspec\.[\w.]*decode\(.*\btype=")


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(path: Path) -> Iterator[ast.AST]:
    """All of a module, also within others, without going through what they are made of."""
    left: list[ast.AST] = [tree(path)]
    while left:
        within = [
            one
            for one in ast.iter_child_nodes(left.pop())
            if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case)
        ]
        yield from within
        left += within


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def distribution_names(requirements: Iterator[str] | list[str]) -> set[str]:
    """The distributions that lines of requirements ask for, without extras, versions, options and comments."""
    asked = (re.match(r"[A-Za-z][\w.-]*", line) for line in requirements)
    return {match[0].lower().replace("_", "-") for match in asked if match}


def requirements(name: str) -> set[str]:
    return distribution_names((ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines())


def test_no_file_tells_of_one_machine() -> None:
    told = [
        f"{path.relative_to(ROOT)}:{detail}"
        for path in files_of_the_repository()
        for detail in machine_details(path.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize(
    "line",
    [
        "https://" + "PyPI" + ".org/simple",
        "https://" + "pypi" + ".org/simple",
        "x = '/" + "tmp/thing'",
        "cd /" + "root/x",
        "see .." + "/shared/design.md",
    ],
)
def test_a_line_that_tells_of_one_machine_is_found(line: str) -> None:
    assert list(machine_details(f"first\n{line}\n"))


@pytest.mark.parametrize(
    "line", [str(Path("src", "work", "x.py")), "./" + "tmp/thing", "a /tmp/ folder", "shared/design.md"]
)
def test_a_line_that_only_looks_like_it_is_not(line: str) -> None:
    assert not list(machine_details(line))


def test_the_walk_finds_what_git_knows() -> None:
    known = files_known_to_git()
    if not known:
        pytest.skip("there is no git here")
    assert {path for path in known if path.is_file()} <= set(files_found_by_walking())


def test_a_module_is_a_noun_of_the_domain() -> None:
    vague = [
        str(path.relative_to(ROOT)) for path in modules() if VAGUE_NAMES & {path.stem, *path.relative_to(SOURCE).parts}
    ]
    assert not vague, f"name these after what they hold: {', '.join(vague)}"


# Within a tag, whatever a template fills in is escaped and stands in quotation marks. In a script it has no place.
JINJA_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
TAG = re.compile(r"<[a-zA-Z](?:\{\{.*?\}\}|\{%.*?%\}|\"[^\"{]*\"|[^>])*>", re.DOTALL)
UNSAFE_IN_A_TAG = {
    "not escaped": re.compile(r"\{\{[^}]*\|\s*(?:tojson|safe|markdown|xmlattr)\b"),
    "not in quotation marks": re.compile(r"\s[\w.:@-]+\s*=\s*\{\{"),
    "a script": re.compile(r"\s(?:on\w+|hx-on[\w:-]*|style|srcdoc)\s*=[^>]*\{\{|[\"']js:"),
}


def unsafe_in_tags(template: str) -> Iterator[str]:
    for tag in TAG.findall(JINJA_COMMENT.sub("", template)):
        for what, pattern in UNSAFE_IN_A_TAG.items():
            if pattern.search(tag):
                yield f"{what}: {tag}"


def test_templates_fill_nothing_into_a_tag_that_could_leave_its_attribute() -> None:
    templates = (SOURCE / "surfaces" / "web" / "templates").rglob("*.html")
    found = [f"{path.name}: {one}" for path in templates for one in unsafe_in_tags(path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "template",
    [
        '<button name="hero" value="{{ repair.hero | tojson }}">',
        "<button value='{{ hero|tojson }}'>",
        "<i{{ words | safe if words }}></i>",
        "<b>x</b>\n<input\n value={{ words }}>",
        '<form hx-vals="js:{x: 1}">',
        '<a href="{{ url(\'/\') }}" onclick="go({{ name }})">',
    ],
)
def test_a_template_that_fills_in_what_could_leave_its_attribute_is_found(template: str) -> None:
    assert list(unsafe_in_tags(template))


@pytest.mark.parametrize(
    "template",
    ['<a href="{{ one }}">{{ words | safe }}</a>', "{# <a href={{ x }}> #}", '<i{% if n > 1 %} class="on"{% endif %}>'],
)
def test_a_template_whose_attributes_hold_is_not(template: str) -> None:
    assert not list(unsafe_in_tags(template))


def test_every_package_of_the_core_is_under_its_contract() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    (covered,) = (contract["source_modules"] for contract in contracts if contract["type"] == "forbidden")
    present = {f"astragal.{name}" for name in CORE if list((SOURCE / name).glob("*.py"))}
    assert present <= set(covered), "add it to 'The core reaches for nothing outside' in pyproject.toml"


def test_the_package_asks_for_what_the_requirements_pin() -> None:
    project = pyproject()["project"]
    asked = distribution_names([*project["dependencies"], *chain(*project["optional-dependencies"].values())])
    assert asked - {"astragal"} | {"hatchling"} == requirements("runtime.in")


def test_all_is_every_extra() -> None:
    extras = pyproject()["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(everything.removeprefix("astragal[").removesuffix("]").split(",")) == extras.keys() - {"all"}


def test_a_command_without_its_extra_says_which() -> None:
    """In one place: what every extra brings is known there by the name it is imported by."""
    extras = pyproject()["project"]["optional-dependencies"]
    imported = {
        "markdown_it": "markdown-it-py",
        "multipart": "python-multipart",
        "PIL": "pillow",
        "pydantic_ai": "pydantic-ai-slim",
    }
    for module, extra in EXTRA_OF.items():
        distribution = imported.get(module, module.replace("_", "-"))
        assert distribution in distribution_names(extras[extra]), (module, extra)
    brought = {name for extra in extras.keys() - {"all"} for name in distribution_names(extras[extra])}
    known = {imported.get(module, module.replace("_", "-")) for module in EXTRA_OF}
    assert brought - {"astragal"} == known


def test_every_library_has_its_credit() -> None:
    credits_page = (ROOT / "docs" / "credits.md").read_text(encoding="utf-8").lower().replace("_", "-")
    missing = [
        name for name in requirements("runtime.in") if not re.search(rf"(?<![\w-]){name}(?![\w-])", credits_page)
    ]
    assert not missing, f"docs/credits.md says nothing of {', '.join(missing)}"


@pytest.mark.parametrize("name", ["runtime", "test"])
def test_what_is_asked_for_is_pinned(name: str) -> None:
    missing = requirements(f"{name}.in") - requirements(f"{name}.txt")
    assert not missing, f"./run lock pins {', '.join(sorted(missing))}"


def test_what_the_browser_loads_is_pinned_by_checksum() -> None:
    browser = ROOT / "browser"
    asked = json.loads((browser / "package.json").read_text(encoding="utf-8"))
    packages = json.loads((browser / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    pinned = {name.removeprefix("node_modules/"): package for name, package in packages.items() if name}
    assert {name: package["version"] for name, package in pinned.items()} == (
        asked["dependencies"] | asked["devDependencies"]
    ), "npm install --package-lock-only in browser/ pins what package.json asks for"
    assert all(package["integrity"].startswith("sha512-") for package in pinned.values())
    assert not any("resolved" in package for package in pinned.values()), "a lock file names no host"


def test_every_npm_package_that_is_shipped_has_its_licence_beside_it() -> None:
    asked = json.loads((ROOT / "browser" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    licensed = {name.split("/")[0] for name in SHIPPED if name.endswith("LICENSE")}
    assert {name.split("/")[0] for name in SHIPPED} == licensed == set(asked)


def test_types_are_read_in_one_place_which_lets_one_thread_at_a_time_do_it() -> None:
    """msgspec ends the process where two threads make it learn one class at once."""
    found = [path.name for path in modules() if READS_TYPES.search(path.read_text(encoding="utf-8"))]
    assert found == ["declarations.py"]


TAKES_TYPES_APART = re.compile(r"\b(?:get_origin|get_args|__metadata__|__args__|__origin__)\b")
MAY_TAKE_TYPES_APART = {
    "table/fields/definitions.py": "finds the shape of a field, which everybody else reads",
    "chance/contract.py": "tries rules, whose parameters are no fields; chance knows no table",
    "surfaces/cli/parser.py": "reads the signatures of sub-commands",
}


def test_definitions_have_one_reader() -> None:
    """Validation, schemas, forms, help and settings files read the shape of a field (`Field.shape`)."""
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in modules()
        if TAKES_TYPES_APART.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(MAY_TAKE_TYPES_APART)


def test_the_architecture_names_files_that_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|examples|docs|benchmarks)[\w./-]*)`", text)
    assert len(named) > 20
    assert not [path for path in named if not (ROOT / path).exists()]


TASKS = (
    "change how soak works",
    "add a field to a hero's sheet",
    "change the look of an odds bar in the browser",
    "add a sub-command",
    "add an MCP tool",
    "change what a rewind costs",
    "add a store",
    "find where a secret is redacted",
    "add a skin",
    "change a log line's words",
    "find where passes are checked",
    "write a game in one file",
)


@pytest.mark.parametrize("task", TASKS)
def test_the_architecture_says_where_each_common_change_is_made(task: str) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (named,) = re.findall(rf"^\| {re.escape(task)}[^|]*\| (.*) \|$", text, re.MULTILINE)
    assert all((ROOT / path).exists() for path in re.findall(r"`([^`]+)`", named))


# ---------------------------------------------------------------- prose

RIDDLE = re.compile(r"(?:What|Who|Whoever|Whose|Whom|Where|How|Which|Whether|When)\b")
OLD_WORDS = re.compile(r"reckon|unsaid\b(?<!\wunsaid)")


def test_a_modules_docstring_begins_with_a_word_to_search_for() -> None:
    """Not with What, Who, Where or How."""
    found = [
        path.relative_to(ROOT).as_posix() for path in modules() if RIDDLE.match(ast.get_docstring(tree(path)) or "")
    ]
    assert not found


def test_words_that_nobody_uses_any_more_are_not_used() -> None:
    """Calculated, not reckoned; by default, not unsaid."""
    readers = [*modules(), *SOURCE.rglob("*.html"), *SOURCE.rglob("static/js/**/*.js"), *ROOT.glob("docs/**/*.md")]
    found = [
        path.relative_to(ROOT).as_posix()
        for path in readers
        if OLD_WORDS.search(path.read_text(encoding="utf-8").lower())
    ]
    assert not found


# ---------------------------------------------------------------- structure


def imports_of(path: Path, known: Mapping[str, Path]) -> set[str]:
    """The modules of ours that a module imports, whether at once, later, or for types alone."""
    name = module_name(path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {inner if (inner := f"{base}.{one.name}") in known else base for one in node.names}
    return (found & known.keys()) - {name}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = {module_name(path): path for path in modules()}
    left = {name: imports_of(path, known) for name, path in known.items()}
    while ends := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in ends:
            del left[name]
    while starts := left.keys() - set().union(*left.values()):
        for name in starts:
            del left[name]
    assert not left


SAID_ELSEWHERE = {
    *("_repr_html_", "get_completions", "make_globals", "validateLink", "run_sync_in_worker_thread"),
    *("handle_starttag", "handle_startendtag", "handle_endtag", "handle_data"),  # html.parser
    *("current_player", "_legal_actions", "chance_outcomes", "_apply_action", "_action_to_string"),  # OpenSpiel
}
"""Called by libraries."""


def test_nothing_in_the_source_is_for_tests_alone() -> None:
    readers = [
        *modules(),
        *SOURCE.rglob("*.html"),
        *SOURCE.glob("page/*.mjs"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("*.md"),
        ROOT / "pyproject.toml",
    ]
    readers += [*ROOT.glob("benchmarks/*.py"), *ROOT.glob("examples/*.py")]
    words = Counter(chain.from_iterable(re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in readers))
    lonely = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in modules()
        for node in statements(path)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and words[node.name] == 1
        and not node.decorator_list
        and not node.name.startswith("__")
        and node.name not in SAID_ELSEWHERE
    ]
    assert not lonely
