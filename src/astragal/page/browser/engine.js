// The worker in which Python runs. It starts in two steps: everything but the tables ("warm"), then the tables.
//
// `rest.pack` has what is rarely imported. It is unpacked when something in it is missed.

import { mountPrivateFiles } from "./private-files.js";
import { interpreterWith, layOut, unpack } from "./pack.js";

const SITE = "/site";
const TABLES = "/tables";
const FILES = ["tables.db", "tables.db-wal", "tables.db-journal", "jar.db", "jar.db-journal"];
const VERSION = "@VERSION@";
const here = (name) => new URL(name, import.meta.url).href;

let python = null;
let begun = null;

// Emscripten's fdatasync does nothing, and SQLite calls that one: without this, no commit would ever be flushed.
for (const name of ["instantiate", "instantiateStreaming"]) {
  const instantiate = WebAssembly[name];
  WebAssembly[name] = (source, imports, ...options) => {
    if (imports?.env?.__syscall_fdatasync) imports.env.__syscall_fdatasync = flush;
    return instantiate.call(WebAssembly, source, imports, ...options);
  };
}

function flush(descriptor) {
  const stream = python?.FS.getStream(descriptor);
  return stream?.stream_ops?.fsync?.(stream) ?? 0;
}

function report(step, share = null) {
  postMessage({ kind: "step", step, share });
}

async function fetched(name, step) {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name} can't be loaded (${answer.status})`);
  const all = Number(answer.headers.get("content-length"));
  let size = 0;
  const counting = new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (step && all) report(step, size / all);
      controller.enqueue(chunk);
    },
  });
  return answer.body.pipeThrough(counting);
}

async function gunzipped(name, step) {
  const stream = (await fetched(name, step)).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A snapshot of the memory with everything imported. Each browser makes its own, at its first visit: where functions
// lie differs between browsers.
const ownCache = () => caches.open(`astragal-page-${VERSION} ${new URL("./", import.meta.url).pathname}`);
const SNAPSHOT = here("snapshot");

async function boot({ address, folder, usesSnapshot }) {
  report("Fetching the program", 0);
  const kept = usesSnapshot ? await (await ownCache()).match(SNAPSHOT) : null;
  const [pack, memory, { default: create }, { loadPyodide }] = await Promise.all([
    gunzipped("site.pack", "Fetching the program"),
    kept?.arrayBuffer().then((buffer) => new Uint8Array(buffer)),
    import("./pyodide/pyodide.asm.mjs"),
    import("./pyodide/pyodide.mjs"),
  ]);
  report("Starting Python");
  const createPyodideModule = interpreterWith(create, unpack(pack), SITE, memory?.length ?? 0);
  const options = { indexURL: here("pyodide/"), createPyodideModule };
  if (memory) options._loadSnapshot = memory;
  else if (usesSnapshot) options._makeSnapshot = true;
  python = await loadPyodide(options);
  if (!memory) {
    report("Loading the games");
    python.runPython(`import sys; sys.path[:0] = ["${SITE}"]; sys.dont_write_bytecode = True`);
    python.runPython("import astragal.page.engine");
    if (usesSnapshot) await keepSnapshot();
  }
  begun = { address, folder };
  postMessage({ kind: "warm" });
}

async function keepSnapshot() {
  try {
    const memory = python.makeMemorySnapshot();
    await (await ownCache()).put(SNAPSHOT, new Response(memory));
  } catch (fault) {
    console.warn("no snapshot was made, so the next start is slower:", fault);
  }
}

async function open() {
  report("Opening your tables");
  await mountPrivateFiles(python.FS, TABLES, FILES, begun.folder);
  const engine = python.pyimport("astragal.page.engine");
  await engine.begin(begun.address, TABLES, reencode, fetchRest);
  begun.serve = engine.serve;
  postMessage({ kind: "open" });
}

// Fetch what is rarely imported, at once: the import waits for it.
function fetchRest() {
  const request = new XMLHttpRequest();
  request.open("GET", here("rest.pack"), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`rest.pack can't be loaded (${request.status})`);
  const gunzip = python.runPython("import gzip; lambda data: gzip.decompress(data.to_bytes())");
  const pack = gunzip(new Uint8Array(request.response)).toJs();
  layOut(python.FS, unpack(pack), python.pyimport("astragal.page.engine").REST);
}

// Make a picture from outside anew: only its pixels are copied.
async function reencode(data, longestSide, mostBytes) {
  try {
    const bitmap = await createImageBitmap(new Blob([data.toJs()]));
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.max(1, bitmap.width * scale), Math.max(1, bitmap.height * scale));
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.82, 0.66, 0.5, 0.34]) {
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      if (blob.size <= mostBytes) return new Uint8Array(await blob.arrayBuffer());
    }
  } catch {
    // no picture that this browser can read
  }
  return null;
}

addEventListener("message", async ({ data, ports }) => {
  try {
    if (data.kind === "boot") await boot(data);
    else if (data.kind === "open") await open();
    else if (data.kind === "request")
      begun.serve(data.method, data.path, data.query, data.headers, data.body, ports[0]);
  } catch (fault) {
    postMessage({ kind: "failed", words: String(fault).slice(-2000) });
  }
});
