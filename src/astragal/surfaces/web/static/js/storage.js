// Inside a page: how much this browser stores for the tables, and whether it may delete them when it needs room.

const use = document.getElementById("storage-use");
const persist = document.getElementById("storage-persist");

function inMegabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function show() {
  const { usage, quota } = await navigator.storage.estimate();
  const isKept = await navigator.storage.persisted();
  const keeps = isKept
    ? "The browser keeps them until you delete them."
    : "The browser may delete them when the device runs out of room.";
  use.textContent = `${inMegabytes(usage)} of about ${inMegabytes(quota)} are in use, the program included. ${keeps}`;
  persist.hidden = isKept;
}

persist.addEventListener("click", async () => {
  await navigator.storage.persist();
  await show();
});

show();
