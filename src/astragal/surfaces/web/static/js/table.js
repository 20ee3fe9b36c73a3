// The table's page: views on a small screen, a log that stays at its end, open forms, and messages.
import "./live.js";
import "./odds.js";
import { tellTimes } from "./times.js";
import { nudge, waitsFor } from "./turn.js";

const room = document.getElementById("room");
const log = document.getElementById("log");
const scroll = document.getElementById("scroll");
const openForm = document.getElementById("open-form");
const base = document.documentElement.dataset.base;
const table = room.dataset.table;
const WELCOMED = room.matches(".game-master") ? ".pictured" : ".pictured, .minor, .minors"; // last cards that keep the welcome
let broughtTo = 0; // where the script scrolled the log to

// ---------------------------------------------------------------- views on a small screen

function show(view) {
  room.dataset.view = view;
  for (const tab of document.querySelectorAll(".tabs a")) {
    if (tab.dataset.view === view) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  if (view === "play") toTheEnd();
}

const asked = location.hash.replace("#view-", "");
show(document.getElementById(`view-${asked}`) ? asked : "play");

for (const tab of document.querySelectorAll(".tabs a")) {
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    show(tab.dataset.view);
  });
}

// ---------------------------------------------------------------- the log

const NEAR = 120;
let following = true;

// Newcomers begin with the welcome, and bookkeeping (others arrive) doesn't scroll it away from a player. A scene that
// has just begun is shown from its picture on; everything else, from its end.
function toTheEnd() {
  const last = document.querySelector("#open-form > *, #panel-pending > *") ? null : log.lastElementChild;
  const welcomed = document.querySelector("#panel-welcome > *")?.checkVisibility();
  if (welcomed && last?.matches(WELCOMED)) scroll.scrollTop = 0;
  else if (last?.matches(".pictured")) scroll.scrollTop += last.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
  else scroll.scrollTop = scroll.scrollHeight;
  broughtTo = scroll.scrollTop;
}

scroll.addEventListener("scroll", () => {
  const left = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight;
  following = left < NEAR || Math.abs(scroll.scrollTop - broughtTo) < 2;
});
const sizes = new ResizeObserver(() => following && toTheEnd());
sizes.observe(scroll);
sizes.observe(document.getElementById("panel-ai")); // it grows while an AI writes

const fallen = new Set(); // cards whose dice lay on the table while somebody decided
const UNFOLDED = 3; // as many of the newest rolls as the server leaves open

// A card that is sent again replaces itself: what was hidden turns over where it lies.
function arrived(card) {
  tellTimes(card);
  const before = [...log.querySelectorAll(".log-card")].find((one) => one !== card && one.id === card.id);
  if (before) {
    card.classList.add("turns");
    before.replaceWith(card);
  } else {
    card.classList.add("new");
    card.classList.toggle("fallen", fallen.has(card.id));
    fold();
    gather(card);
  }
  if ("rewinds" in card.dataset) redraw();
}

// Reload the cards, which may look different now: something was undone, or a picture removed.
function redraw() {
  htmx.ajax("GET", `${base}/t/${table}/log/newest`, { target: "#log", swap: "innerHTML" });
}

document.getElementById("live").addEventListener("redraw", redraw);

function fold() {
  const rolls = [...log.querySelectorAll(".rc > .fold:not(.touched)")];
  for (const one of rolls.slice(0, -UNFOLDED)) one.open = false;
}

// Bookkeeping folds into one line with the bookkeeping just before it, as the server does it on a fresh page.
function gather(card) {
  const before = card.previousElementSibling;
  if (!card.matches(".minor") || !before?.matches(".minor, .minors")) return;
  let minors = before;
  if (before.matches(".minor")) {
    minors = document.createElement("details");
    minors.className = "minors";
    minors.append(document.createElement("summary"));
    before.replaceWith(minors);
    minors.append(before);
  }
  minors.append(card);
  const briefs = [...minors.querySelectorAll(".minor")].map((one) => one.dataset.brief);
  minors.querySelector("summary").textContent = `${briefs.length} more: ${briefs.join(", ")}`;
}

log.addEventListener("click", (event) => event.target.closest(".fold > summary")?.parentElement.classList.add("touched"));

new MutationObserver((changes) => {
  const elements = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.matches);
  const added = elements.filter((node) => node.matches(".log-card"));
  if (added.length && elements.length < log.children.length) added.filter((one) => one.isConnected).forEach(arrived);
  tellTimes(log);
  if (following) toTheEnd();
}).observe(log, { childList: true });

// ---------------------------------------------------------------- pending decisions

const waits = document.getElementById("panel-pending");

function markWaiting(changes) {
  const mine = waits.querySelectorAll(".mine:not(.mine .mine)").length;
  waitsFor(mine, !changes);
  for (const card of waits.querySelectorAll(".rc:has(.throw)")) fallen.add(card.id);
  room.classList.toggle("awaited", mine > 0);
  if (following) toTheEnd();
}

new MutationObserver(markWaiting).observe(waits, { childList: true, subtree: true });

document.getElementById("live").addEventListener("nudge", () =>
  nudge(() => {
    show("play");
    waits.querySelector(".mine")?.scrollIntoView({ block: "nearest" });
    waits.querySelector(".mine :is(button, input, textarea):not([type=hidden])")?.focus({ preventScroll: true });
  }),
);

// ---------------------------------------------------------------- open forms

const INPUTS = "input:not([type=hidden]), select, textarea";
let opener = null;

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.getAttribute("hx-target") !== "#open-form") return;
  opener = ctx.sourceElement;
  openForm.dataset.opened = opener.value; // a draft belongs to the form as it was opened: of this score, for this request
});

// Keyboard users get the focus back where they were; if that is gone, in the log.
function putAway() {
  const held = openForm.contains(document.activeElement) || document.activeElement === document.body;
  openForm.replaceChildren();
  if (held) (opener?.checkVisibility() ? opener : scroll).focus({ preventScroll: true });
}

// An open form is a step in the browser's history: Back closes it, and stays at the table. A step back is asynchronous:
// a second one before the first is done would leave the table.
let isGoingBack = false;

function stepIn() {
  if (!history.state?.form) history.pushState({ form: true }, "");
}

function stepBack() {
  if (!history.state?.form || isGoingBack) return;
  isGoingBack = true;
  history.back();
}

function closeForm() {
  putAway();
  stepBack();
}

history.scrollRestoration = "manual"; // columns scroll, not the page, and the focus must not move
addEventListener("popstate", () => {
  const wasClosed = isGoingBack;
  isGoingBack = false;
  if (wasClosed && openForm.querySelector("form")) stepIn(); // another was opened meanwhile
  else if (!history.state?.form) putAway();
});
stepBack(); // after a reload, no form is open

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) closeForm();
  const suggested = event.target.closest("[data-says]");
  if (suggested) {
    const input = suggested.closest(".field").querySelector("input");
    input.value = suggested.dataset.says;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const menu = document.querySelector(".menu[open]");
  if (menu && (!menu.contains(event.target) || event.target.closest("[hx-get]"))) menu.open = false;
});

// Scroll to details that open at the end of a column.
document.addEventListener(
  "toggle",
  ({ target }) => target.matches(".bring[open]") && target.scrollIntoView({ block: "nearest" }),
  true,
);

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
  stepIn();
  show("play");
  const refused = form.querySelector(".refused");
  if (refused) return bringUp(refused, form.querySelector(".field:has(> .doc .fault)")?.querySelector(INPUTS));
  const card = openForm.firstElementChild;
  card.scrollIntoView({ block: card.offsetHeight > scroll.clientHeight ? "start" : "end" });
  const first = form.querySelector("button.roll") ?? form.querySelector(INPUTS) ?? form.querySelector("button");
  first?.focus({ preventScroll: true });
}).observe(openForm, { childList: true, subtree: true });

// ---------------------------------------------------------------- refusals

// The reason is beside the button, which stays in view. If an input has to change, it gets the focus.
function bringUp(refused, field) {
  (field ?? refused).focus({ preventScroll: true });
  refused.scrollIntoView({ block: "nearest" });
  field?.closest(".field").scrollIntoView({ block: "nearest" });
}

// Shows a refusal beside the button that was pressed, until the next response.
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

// ---------------------------------------------------------------- undo after a click on a pip

const toast = document.getElementById("toast");

/** Shows what was changed, with a button that sets the number back. It stays until the next command. */
function offerUndo({ name, from, to, who, what }) {
  const { elements } = toast;
  Object.assign(elements.who, { value: who });
  Object.assign(elements.what, { value: what });
  Object.assign(elements.value, { value: from });
  toast.querySelector("span").textContent = `${name} ${from} → ${to}`;
  toast.hidden = false;
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const { undo, name } = ctx.sourceElement.dataset ?? {};
  const sent = ctx.request.body;
  if (undo) ctx.changed = { name, from: undo, to: sent.get("value"), who: sent.get("who"), what: sent.get("what") };
});

document.addEventListener("htmx:after:request", (event) => {
  const { changed, request, response, sourceElement } = event.detail.ctx ?? {};
  if (!toast || !response || response.status >= 400 || request?.method === "GET" || sourceElement.id === "odds") return;
  toast.hidden = true;
  if (changed) offerUndo(changed);
});

toast?.querySelector("[data-dismiss]").addEventListener("click", () => (toast.hidden = true));

document.addEventListener("htmx:after:request", (event) => {
  const { request, response, sourceElement, text } = event.detail.ctx ?? {};
  if (!response || request?.method === "GET") return;
  if (response.status < 400) {
    tell("");
    if (sourceElement?.matches("#speak")) sourceElement.querySelector("textarea").value = "";
  } else if (sourceElement?.getAttribute("hx-swap") === "none") {
    const part = new DOMParser().parseFromString(text ?? "", "text/html");
    tell(part.querySelector(".fault")?.textContent || "That can't be done now.", sourceElement);
  }
});

markWaiting();
toTheEnd();
