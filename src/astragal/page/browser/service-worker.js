// Hands every request below its folder to the engine, which lives in a worker of one of the pages, and streams the
// answer back. The program's own files come from a cache of this one version.

const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
const PACKED = {
  "pyodide/pyodide.asm.wasm": ["pyodide/wasm.pack", "application/wasm"],
  "pyodide/pyodide.asm.mjs": ["pyodide/script.pack", "text/javascript"],
  "pyodide/python_stdlib.zip": ["pyodide/library.pack", "application/zip"],
};

const scope = new URL(registration.scope);
const OWN_CACHE = `astragal-page-${VERSION} ${scope.pathname}`;
const LONGEST_WAIT = 60_000; // milliseconds for an engine to be there
const ASK_PAGES = 100;
const LOOK_AGAIN = 30;
const WITHOUT_BODY = new Set([101, 204, 205, 304]);
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const TOP_POLICY = "frame-ancestors 'none'";

let host = null; // the page that hosts the engine, and the engine's key
const answering = new Map(); // for each engine's key, what ends its answers when it is gone

// ------------------------------------------------------------ versions

addEventListener("install", (event) => {
  if (registration.active) event.waitUntil(fetchAll());
  else skipWaiting();
});

addEventListener("activate", (event) => event.waitUntil(becomeTheOnlyVersion()));

addEventListener("message", (event) => {
  if (event.data.kind === "here") {
    take(event.source.id, event.data.key);
    event.waitUntil(Promise.all(FILES.map(ownFile))); // what is not here yet, for when there is no network
  }
  if (event.data.kind === "use") event.waitUntil(replaceTheOldVersion());
});

async function fetchAll() {
  const cache = await caches.open(OWN_CACHE);
  await cache.addAll(FILES.map((name) => new Request(new URL(name, scope), { cache: "no-cache" })));
}

async function replaceTheOldVersion() {
  await skipWaiting();
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage({ kind: "reload" });
}

async function becomeTheOnlyVersion() {
  for (const name of await caches.keys()) {
    const isOurs = name.startsWith("astragal-page-") && name.endsWith(` ${scope.pathname}`);
    if (isOurs && name !== OWN_CACHE) await caches.delete(name);
  }
  await clients.claim();
}

// ------------------------------------------------------------ the engine

function take(client, key) {
  if (host?.key === key) return;
  host = { client, key };
  answering.set(key, new Set());
  navigator.locks.request(`host ${key}`, () => {
    // granted once that page is gone
    if (host?.key === key) host = null;
    for (const end of answering.get(key)) end();
    answering.delete(key);
  });
}

// A browser stops a service worker that has nothing to do; when it starts again it has to ask who hosts the engine.
async function askPages() {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const answers = pages.map(
    (page) =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => {
          take(page.id, data.key);
          resolve();
        };
        page.postMessage({ kind: "who" }, [port2]);
      }),
  );
  await Promise.race([Promise.any(answers).catch(() => {}), pause(ASK_PAGES)]);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function engine() {
  const until = Date.now() + LONGEST_WAIT;
  while (Date.now() < until) {
    if (!host) await askPages();
    const page = host && (await clients.get(host.client));
    if (page) return { page, key: host.key };
    host = null;
    await pause(LOOK_AGAIN);
  }
  return null;
}

// A worker sees neither Origin nor Sec-Fetch-Site, and all requests would count as the owner's. Another site can leave
// the referrer out, but can't forge it; a request without navigation is always of one of our pages.
function originOf(request) {
  if (request.referrer) return new URL(request.referrer).origin;
  return request.mode === "navigate" ? "null" : scope.origin;
}

function headersOf(request) {
  const headers = [...request.headers].filter(([name]) => name !== "accept-encoding");
  const origin = originOf(request);
  if (request.method !== "GET" && request.method !== "HEAD") headers.push(["origin", origin]);
  if (request.referrer && origin === scope.origin) headers.push(["referer", request.referrer]);
  return headers;
}

async function ask(request, url) {
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await request.arrayBuffer() : null;
  const headers = headersOf(request);
  const found = await engine();
  if (!found) return new Response("The table is not there.", { status: 503 });
  const { port1, port2 } = new MessageChannel();
  const others = answering.get(found.key) ?? new Set();
  return new Promise((resolve) => {
    let stream = null;
    const end = () => {
      others.delete(lose);
      port1.close();
    };
    const lose = () => {
      end();
      if (stream) stream.error(new Error("the engine is gone"));
      else resolve(new Response("The table went away while it answered.", { status: 503 }));
    };
    const cancel = () => {
      port1.postMessage({ kind: "cancel" });
      end();
    };
    others.add(lose);
    port1.onmessage = ({ data }) => {
      if (data.kind === "start") {
        const body = new ReadableStream({ start: (controller) => (stream = controller), cancel });
        const head = { status: data.status, headers: headersFor(data.headers) };
        resolve(new Response(WITHOUT_BODY.has(data.status) ? null : body, head));
      } else if (data.kind === "body") {
        stream.enqueue(new Uint8Array(data.chunk));
      } else if (data.kind === "end") {
        end();
        stream.close();
      } else if (data.kind === "gone") {
        host = null;
        lose();
      }
    };
    request.signal.addEventListener("abort", () => port1.postMessage({ kind: "cancel" }));
    const { method } = request;
    const path = url.pathname;
    const query = url.search.slice(1);
    const parts = body ? [port2, body] : [port2];
    found.page.postMessage({ kind: "request", key: found.key, method, path, query, headers, body }, parts);
  });
}

function headersFor(pairs) {
  const headers = new Headers();
  for (const [name, value] of pairs) {
    if (name !== "set-cookie" && name !== "content-length") headers.append(name, value);
  }
  return headers;
}

// ------------------------------------------------------------ files

async function ownFile(name) {
  const cache = await caches.open(OWN_CACHE);
  const address = new URL(name, scope).href;
  const kept = await cache.match(address);
  if (kept) return kept;
  const answer = await fetch(address, { cache: "no-cache" });
  if (answer.ok) await cache.put(address, answer.clone());
  return answer;
}

async function unpackedFile([name, type]) {
  const answer = await ownFile(name);
  if (!answer.ok) return answer;
  const body = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "content-type": type } });
}

async function workerScript() {
  const answer = await ownFile("engine.js");
  const headers = { "content-type": "text/javascript", "content-security-policy": WORKER_POLICY };
  return new Response(answer.body, { status: answer.status, headers });
}

async function shell() {
  const page = await ownFile("index.html");
  const text = (await page.text()).replace('<base href="./">', `<base href="${scope.pathname}">`);
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": TOP_POLICY,
    "x-frame-options": "DENY",
  };
  return new Response(text, { headers });
}

// Answers of a service worker are not put into the browser's HTTP cache, so files of the application are kept here.
async function applicationFile(request, url) {
  const cache = await caches.open(OWN_CACHE);
  const kept = await cache.match(url.href);
  if (kept) return kept;
  const answer = await ask(request, url);
  const isForGood = /immutable/.test(answer.headers.get("cache-control"));
  if (answer.status === 200 && isForGood) await cache.put(url.href, answer.clone());
  return answer;
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length);
  if (path === "engine.js") event.respondWith(workerScript());
  else if (PACKED[path]) event.respondWith(unpackedFile(PACKED[path]));
  else if (FILES.includes(path) && path !== "index.html") event.respondWith(ownFile(path));
  else if (request.mode === "navigate" && request.destination === "document") {
    if (request.method === "GET") event.respondWith(shell());
    else event.respondWith(new Response("This was sent from another site, so nothing was done.", { status: 403 }));
  } else if (path.startsWith("static/")) event.respondWith(applicationFile(request, url));
  else event.respondWith(ask(request, url));
});
