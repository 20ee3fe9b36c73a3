// Compile the packages of the page to bytecode with the very interpreter that will run them, and find out what an evening
// imports: node compile.mjs PYODIDE SOURCES COMPILED
//
// SOURCES has a folder `site`. COMPILED gets `site` and `library` (the standard library), with bytecode in the place of
// sources, and `site/imported.json`.

import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const [pyodide, sources, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(join(pyodide, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: pyodide });

function* filesIn(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

for (const path of filesIn(sources)) {
  const inside = `/sources/${relative(sources, path)}`;
  python.FS.mkdirTree(dirname(inside));
  python.FS.writeFile(inside, new Uint8Array(readFileSync(path)));
}
python.unpackArchive(new Uint8Array(readFileSync(join(pyodide, "python_stdlib.zip"))), "zip", {
  extractDir: "/sources/library",
});
try {
  python.runPython(readFileSync(new URL("compile_all.py", import.meta.url), "utf8"));
  python.runPython("compile_sources()");
  await python.runPythonAsync("from astragal.page.rehearsal import rehearse; await rehearse(Path('/tables'))");
} catch (fault) {
  console.error(String(fault).slice(-4000));
  process.exit(1);
}
for (const path of python.runPython("compiled_files()").toJs()) {
  const outside = join(compiled, path);
  mkdirSync(dirname(outside), { recursive: true });
  writeFileSync(outside, python.FS.readFile(path));
}
process.exit(0); // the rehearsal's event loop would go on
