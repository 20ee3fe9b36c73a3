// Registers the service worker, which shows the offline page. Browsers allow it only on this computer and over https.

const { base } = document.documentElement.dataset;

addEventListener("load", () => {
  navigator.serviceWorker
    ?.register(`${base}/service-worker.js`, { scope: `${base}/`, updateViaCache: "none" })
    .catch(() => {}); // the table works without it
});
