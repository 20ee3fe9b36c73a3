// The table's page: views on a small screen, a log that stays at its end, signs on cards that have become history.
import "./live.js";
import "./odds.js";
import { tellTimes } from "./times.js";

const room = document.getElementById("room");
const log = document.getElementById("log");
const scroll = document.getElementById("scroll");
const openForm = document.getElementById("open-form");
const base = document.documentElement.dataset.base;
const table = room.dataset.table;

// ---------------------------------------------------------------- views on a small screen

function show(view) {
  room.dataset.view = view;
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.dataset.view === view) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  if (view === "play") toTheEnd();
}

for (const tab of document.querySelectorAll(".tabs a")) {
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    show(tab.dataset.view);
  });
}

// ---------------------------------------------------------------- the log

const NEAR = 120;
let following = true;

function toTheEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

scroll.addEventListener("scroll", () => {
  following = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
});
new ResizeObserver(() => following && toTheEnd()).observe(scroll);

const UNFOLDED = 3; // as many of the newest rolls as the server leaves open

// A card that is told of again takes its own place: what was hidden turns over where it lies.
function arrived(card) {
  tellTimes(card);
  const before = [...log.querySelectorAll(".deed")].find((one) => one !== card && one.id === card.id);
  if (before) {
    card.classList.add("turns");
    before.replaceWith(card);
  } else {
    card.classList.add("new");
    fold();
  }
  if ("rewinds" in card.dataset) {
    htmx.ajax("GET", `${base}/t/${table}/log/newest`, { target: "#log", swap: "innerHTML" });
  }
}

function fold() {
  const rolls = [...log.querySelectorAll(".rc > .fold:not(.touched)")];
  for (const one of rolls.slice(0, -UNFOLDED)) one.open = false;
}

log.addEventListener("click", (event) => event.target.closest(".fold > summary")?.parentElement.classList.add("touched"));

new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.matches?.(".deed"));
  if (added.length && added.length < log.children.length) added.filter((one) => one.isConnected).forEach(arrived);
  tellTimes(log);
  if (following) toTheEnd();
}).observe(log, { childList: true });

// ---------------------------------------------------------------- what waits

const waits = document.getElementById("panel-pending");

function markWaiting() {
  room.classList.toggle("awaited", Boolean(waits.querySelector(".mine")));
  if (following) toTheEnd();
}

new MutationObserver(markWaiting).observe(waits, { childList: true, subtree: true });

// ---------------------------------------------------------------- what is being done

let opener = null;

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.getAttribute("hx-target") === "#open-form") opener = ctx.sourceElement;
});

// Whoever goes by keyboard stays where they were; where that is gone, they read on in the log.
function closeForm() {
  const held = openForm.contains(document.activeElement) || document.activeElement === document.body;
  openForm.replaceChildren();
  if (held) (opener?.checkVisibility() ? opener : scroll).focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) closeForm();
  const menu = document.querySelector(".menu[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    document.querySelector(".menu[open]")?.removeAttribute("open");
    if (openForm.contains(event.target)) closeForm();
  }
  if (event.key === "Enter" && !event.shiftKey && event.target.id === "speak-words") {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});

document.addEventListener("input", (event) => {
  const sought = event.target.dataset?.sift;
  if (!sought) return;
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of event.target.parentElement.querySelectorAll(sought)) {
    const text = `${one.textContent} ${one.title}`.toLowerCase();
    one.hidden = !words.every((word) => text.includes(word));
  }
});

new MutationObserver((changes) => {
  const form = openForm.querySelector("form");
  if (!form) {
    if (openForm.childElementCount) closeForm(); // it was rolled, and its card is in the log
    return;
  }
  const added = changes.flatMap((change) => [...change.addedNodes]);
  if (!added.some((node) => node.contains(form))) return; // only its odds have changed
  if (form.querySelector(".said")) {
    closeForm(); // its card says it all
    return;
  }
  show("play");
  document.querySelector("details.all[open]")?.removeAttribute("open");
  const refused = form.querySelector(".refused");
  if (refused) return bringUp(refused);
  const card = openForm.firstElementChild;
  card.scrollIntoView({ block: card.offsetHeight > scroll.clientHeight ? "start" : "end" });
  const first = form.querySelector("button.roll") ?? form.querySelector("input:not([type=hidden]), select, textarea, button");
  first?.focus({ preventScroll: true });
}).observe(openForm, { childList: true, subtree: true });

// ---------------------------------------------------------------- what was refused

function bringUp(refused) {
  refused.focus({ preventScroll: true });
  refused.scrollIntoView({ block: "nearest" });
}

// Beside the button that was pressed; with the next answer it goes away.
function tell(sentence, form) {
  document.querySelectorAll(".refused.told").forEach((one) => one.remove());
  if (!sentence) return;
  const refused = document.createElement("p");
  refused.className = "refused told fault";
  refused.role = "alert";
  refused.tabIndex = -1;
  refused.textContent = sentence;
  form.append(refused);
  bringUp(refused);
}

document.addEventListener("htmx:after:request", (event) => {
  const { request, response, sourceElement, text } = event.detail.ctx ?? {};
  if (!response || request?.method === "GET") return;
  if (response.status < 400) {
    tell("");
    if (sourceElement?.matches("#speak, #tell")) sourceElement.querySelector("textarea").value = "";
  } else if (sourceElement?.getAttribute("hx-swap") === "none") {
    const part = new DOMParser().parseFromString(text ?? "", "text/html");
    tell(part.querySelector(".fault")?.textContent || "That can't be done now.", sourceElement);
  }
});

markWaiting();
toTheEnd();
