// Service worker: where the server can't be reached, the offline page is shown in the place of any other.
// Nothing of a table or a seat is kept. The cache holds that page and its files, which are the same for everybody.

const KIND = "astragal {{ url('/') }} ";
const CACHE = `${KIND}{{ version }}`;
const OFFLINE = "{{ url('/offline') }}";
const FILES = [{% for file in files %}"{{ url(file) }}"{{ ", " if not loop.last }}{% endfor %}];

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE, ...FILES].map((address) => new Request(address, { credentials: "omit" })));
  await skipWaiting();
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(KIND) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
