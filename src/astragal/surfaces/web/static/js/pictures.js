// Pictures: show a revealed one large for a moment, and shrink uploads before they are sent.

const reveal = document.getElementById("reveal");
const body = document.getElementById("reveal-body");
const log = document.getElementById("log");

// ---------------------------------------------------------------- shown to all

const LONG_ENOUGH = 14_000; // on a television, where nobody can tap
const known = new Set([...log.querySelectorAll("[data-reveals]")].map((card) => card.dataset.reveals));
let until = null;

function showCard(card) {
  body.replaceChildren(...[...card.querySelectorAll("h3, .plate, .prose")].map((part) => part.cloneNode(true)));
  const title = body.querySelector("h3");
  if (title) title.id = "reveal-title";
  if (!reveal.open) reveal.showModal();
  clearTimeout(until);
  if (document.querySelector(".room.spectator")) until = setTimeout(() => reveal.close(), LONG_ENOUGH);
}

new MutationObserver(() => {
  for (const card of log.querySelectorAll("[data-reveals]")) {
    if (known.has(card.dataset.reveals)) continue;
    known.add(card.dataset.reveals);
    showCard(card);
  }
}).observe(log, { childList: true });

reveal.addEventListener("click", () => reveal.close());

// ---------------------------------------------------------------- uploads

const SMALL_ENOUGH = 400_000;
const LONGEST_SIDE = 1600;

async function smaller(file) {
  if (file.size <= SMALL_ENOUGH || file.type === "image/gif") return file;
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const made = await canvas.convertToBlob({ type: "image/webp", quality: 0.85 });
  return new File([made], "picture.webp", { type: made.type });
}

async function put(input, file) {
  const files = new DataTransfer();
  files.items.add(await smaller(file).catch(() => file)); // if shrinking fails, the server reports what is wrong
  input.files = files.files;
  for (const one of input.form.querySelectorAll("input[name=picture]")) one.checked = false;
}

document.addEventListener("change", (event) => {
  const { target } = event;
  if (target.matches?.("#p-file") && target.files[0]) put(target, target.files[0]);
  if (target.matches?.("#pick input[name=picture]")) target.form.elements.file.value = "";
});

document.addEventListener("paste", (event) => {
  const input = document.getElementById("p-file");
  const file = [...(event.clipboardData?.files ?? [])].find((one) => one.type.startsWith("image/"));
  if (!input || !file) return;
  event.preventDefault();
  put(input, file);
});
