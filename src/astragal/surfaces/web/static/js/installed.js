// The service worker, which shows the offline page. Browsers have it on this computer and over https alone.

const { base } = document.documentElement.dataset;

addEventListener("load", () => {
  navigator.serviceWorker
    ?.register(`${base}/service-worker.js`, { scope: `${base}/`, updateViaCache: "none" })
    .catch(() => {}); // the table works without it
});
