// The live connection to the table: reconnects by itself, catches up, and keeps drafts of what was typed.
import { keepReceipt } from "./receipts.js";

const live = document.getElementById("live");
const banner = document.getElementById("offline");

// ---------------------------------------------------------------- on- and offline

const SILENCE = 40_000; // the server sends something every 15 seconds
const PATIENCE = 1_500; // shorter interruptions are not shown
const RETRY = 3_000;
const NO_SEAT = new Set([401, 403, 404]);

let connection = null;
let isGone = false;
let late = null;
let silent = null;

function say(words) {
  banner.textContent = words;
  banner.hidden = !words;
  document.body.classList.toggle("is-offline", Boolean(words));
}

function heard() {
  clearTimeout(silent);
  silent = setTimeout(() => connection?.reader?.cancel(), SILENCE);
}

function connected() {
  clearTimeout(late);
  late = null;
  live.dataset.line = "up";
  say("");
  heard();
}

function lost() {
  live.dataset.line = "down";
  if (isGone || document.hidden) return;
  late ??= setTimeout(() => say("Offline. What you type is kept; the table catches up when you are back."), PATIENCE);
}

function gone() {
  isGone = true;
  clearTimeout(late);
  clearTimeout(silent);
  say("You no longer have a seat at this table.");
  document.body.classList.add("is-gone");
}

live.addEventListener("htmx:sse:before:connection", (event) => {
  connection = event.detail.connection;
  if (isGone) connection.cancelled = true;
  else if (connection.attempt > 0) lost();
});
live.addEventListener("htmx:sse:after:connection", connected);
live.addEventListener("htmx:sse:before:message", heard);
live.addEventListener("htmx:sse:error", (event) => (NO_SEAT.has(event.detail.status) ? gone() : lost()));
live.addEventListener("gone", gone);
live.addEventListener("reload", () => location.reload());
live.addEventListener("receipt", (event) => {
  event.stopPropagation();
  const { table, line, head } = JSON.parse(event.detail.data);
  keepReceipt(table, line, head);
});
document.addEventListener("receipt", ({ detail }) => keepReceipt(detail.table, detail.line, detail.head));

// The first connection is an ordinary request: if it fails, nothing else would retry it.
function begin() {
  if (!live._htmx?.sse && !isGone) htmx.ajax("GET", live.getAttribute("hx-sse:connect"), { source: live });
}

function failed(event) {
  if (event.target !== live || live._htmx?.sse) return;
  if (NO_SEAT.has(event.detail.ctx?.response?.status)) return gone();
  lost();
  setTimeout(begin, RETRY);
}

document.addEventListener("htmx:error", failed);
document.addEventListener("htmx:response:error", failed);

function hurry() {
  connection?.delayCanceller?.();
}

addEventListener("offline", lost);
addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.hidden || setTimeout(hurry));

// ---------------------------------------------------------------- drafts

const WORDS = "textarea[name], input[name]:is([type=text], :not([type]))";

function place(field) {
  const form = field.form;
  if (!form) return null;
  const opened = form.closest("[data-opened]")?.dataset.opened ?? "";
  return `draft ${location.pathname} ${form.getAttribute("action")} ${opened} ${field.name}`;
}

function keep(event) {
  const field = event.target;
  if (!field.matches?.(WORDS) || !place(field)) return;
  if (field.value && field.value !== field.defaultValue) sessionStorage.setItem(place(field), field.value);
  else sessionStorage.removeItem(place(field));
}

function restore(root) {
  for (const field of root.querySelectorAll(WORDS)) {
    const draft = place(field) && sessionStorage.getItem(place(field));
    if (draft && field.value === field.defaultValue) field.value = draft;
  }
}

function forget(form) {
  for (const field of form.querySelectorAll(WORDS)) if (place(field)) sessionStorage.removeItem(place(field));
}

document.addEventListener("input", keep);
document.addEventListener("submit", (event) => event.target.getAttribute("hx-post") || forget(event.target));
document.addEventListener("htmx:after:request", (event) => {
  const { sourceElement, response } = event.detail.ctx ?? {};
  if (sourceElement?.matches("form") && response?.status < 400) forget(sourceElement);
});
document.addEventListener("htmx:after:swap", () => restore(document));
restore(document);
