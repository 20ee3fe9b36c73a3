// The page at the top. It shows the table in a frame, and hosts the engine in a worker; of several tabs one does, and the
// next takes its place when it is closed. What the frame shows is in the fragment of the address (`play/#/t/…`), so that
// a server that has only files finds this page at every address that people keep.

const scope = new URL("./", import.meta.url);
const start = document.getElementById("start");
const stepWords = document.getElementById("step");
const progress = document.getElementById("progress");
const { serviceWorker } = navigator;
const WARM_MEMORY = 8; // gigabytes from which on a tab that waits has its engine ready

let hosted = null; // the engine of this tab, once it has opened the tables

function fail(words) {
  document.querySelector("iframe")?.remove();
  start.hidden = false;
  stepWords.textContent = words;
  stepWords.setAttribute("role", "alert");
  progress.hidden = true;
}

// ------------------------------------------------------------ the service worker

async function controlled() {
  const registration = await serviceWorker.register(new URL("service-worker.js", scope), {
    scope: scope.pathname,
    updateViaCache: "none",
  });
  await serviceWorker.ready;
  if (!serviceWorker.controller) {
    await new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  }
  return registration;
}

// A new version waits until this one is let go: all tabs change over together, so that nothing old meets anything new.
function announceUpdates(registration) {
  const announce = () => {
    if (registration.waiting) document.getElementById("news").hidden = false;
  };
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", announce);
  });
  document.getElementById("update").addEventListener("click", () => {
    serviceWorker.addEventListener("controllerchange", () => location.reload());
    registration.waiting?.postMessage({ kind: "use" });
  });
  announce();
}

// The service worker asks every page for the engine, and passes on requests to the one that hosts it.
function answerServiceWorker({ data, ports }) {
  if (data.kind === "who") {
    if (hosted) ports[0].postMessage({ key: hosted.key });
  } else if (data.kind === "request") {
    const parts = data.body ? [ports[0], data.body] : [ports[0]];
    if (hosted?.key === data.key) hosted.worker.postMessage(data, parts);
    else ports[0].postMessage({ kind: "gone" });
  } else if (data.kind === "reload") {
    location.reload();
  }
}

// ------------------------------------------------------------ the engine

class Engine {
  constructor({ usesSnapshot, isQuiet }) {
    this.key = crypto.randomUUID();
    this.isQuiet = isQuiet; // it waits for another tab's turn to end, and reports nothing
    this.worker = new Worker(new URL("engine.js", scope), { type: "module", name: "engine" });
    this.warm = this.#message("warm");
    this.opened = this.#message("open");
    this.opened.catch(() => {}); // whoever opens it awaits it, too
    this.worker.addEventListener("message", ({ data }) => {
      if (data.kind === "step" && !this.isQuiet) showStep(data);
    });
    const address = scope.href.replace(/\/$/, "");
    const folder = ["astragal", encodeURIComponent(scope.pathname)];
    this.worker.postMessage({ kind: "boot", address, folder, usesSnapshot });
  }

  open() {
    this.worker.postMessage({ kind: "open" });
    return this.opened;
  }

  end() {
    this.worker.terminate();
  }

  #message(kind) {
    return new Promise((resolve, reject) => {
      this.worker.addEventListener("message", ({ data }) => {
        if (data.kind === kind) resolve(data);
        if (data.kind === "failed") reject(new Error(data.words));
      });
      this.worker.addEventListener("error", (event) => reject(new Error(event.message)));
    });
  }
}

function showStep({ step, share }) {
  stepWords.textContent = `${step} …`;
  if (share === null) progress.removeAttribute("value");
  else progress.value = share;
}

// A snapshot that fails is given up: the engine starts without one.
async function warmEngine(isQuiet) {
  const engine = new Engine({ usesSnapshot: true, isQuiet });
  try {
    await engine.warm;
    return engine;
  } catch (fault) {
    console.warn("starting without a snapshot:", fault);
    engine.end();
  }
  const plain = new Engine({ usesSnapshot: false, isQuiet });
  await plain.warm;
  return plain;
}

async function host() {
  const name = `engine ${scope.pathname}`;
  const { held } = await navigator.locks.query();
  const isAlone = !held.some((lock) => lock.name === name);
  const waitsWarm = !isAlone && navigator.deviceMemory >= WARM_MEMORY;
  const early = isAlone || waitsWarm ? warmEngine(!isAlone) : null;
  early?.catch(() => {}); // whoever holds the lock awaits it
  await navigator.locks.request(name, async () => {
    const engine = await (early ?? warmEngine(!isAlone));
    // A lock of its own tells the service worker at once when this tab is gone.
    await new Promise((resolve) => {
      navigator.locks.request(`host ${engine.key}`, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    await engine.open();
    hosted = engine;
    serviceWorker.controller.postMessage({ kind: "here", key: engine.key });
    await new Promise(() => {}); // until this tab is closed
  });
}

// ------------------------------------------------------------ the table

function showTable() {
  const frame = document.createElement("iframe");
  frame.name = "table";
  frame.title = "The table";
  frame.hidden = true;
  frame.addEventListener("load", () => {
    const { location: address, document: shown } = frame.contentWindow;
    if (address.href === "about:blank") return;
    start.hidden = true;
    frame.hidden = false;
    history.replaceState(null, "", `${scope.href}#/${address.href.slice(scope.href.length)}`);
    document.title = shown.title;
  });
  frame.src = wanted();
  document.body.append(frame);
}

// The page of the table that the address names: in its fragment or, in a tab that the table has opened, as its path.
function wanted() {
  const named = location.hash.startsWith("#/") ? new URL(`.${location.hash.slice(1)}`, scope) : new URL(location.href);
  const isOurs = named.href.startsWith(scope.href) && !named.pathname.endsWith("/index.html");
  return isOurs ? named.href : scope.href;
}

async function begin() {
  if (window.top !== window) return fail("The table doesn’t run inside another site’s page.");
  if (!serviceWorker || !navigator.locks || !navigator.storage?.getDirectory) {
    return fail("This browser can’t run the table: it needs https (or this computer itself), and no private window.");
  }
  stepWords.textContent = "Preparing the browser …";
  serviceWorker.addEventListener("message", answerServiceWorker);
  serviceWorker.startMessages();
  announceUpdates(await controlled());
  navigator.storage.persist?.();
  host().catch((fault) => {
    console.error(fault);
    fail("The table could not be set. Reload the page to try again; nothing that was stored is lost.");
  });
  showTable();
}

begin();
