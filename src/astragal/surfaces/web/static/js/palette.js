// The command palette (Ctrl-K, / or a tap), and the keys of the table's page with their help.

import { openTray, showOdds } from "./dice_tray.js";
import { isLine, isRoll, plain, prepared, search, split, withPerson } from "./palette_search.js";

const room = document.getElementById("room");
const dialog = document.getElementById("palette");
const field = document.getElementById("palette-q");
const list = document.getElementById("palette-list");
const odds = document.getElementById("palette-odds");
const whom = dialog.querySelector(".whom");
const help = document.getElementById("keys");
const find = document.getElementById("find");
const doing = document.getElementById("doing");
const base = document.documentElement.dataset.base;
const { table, seat } = room.dataset;
const RECENT = `palette ${table} ${seat}`;
const SINGLE = "single keys";
const MOST_RECENT = 8;
const AT_FIRST = 10;
const SIGNS = { Now: "!", Do: "▸", Scenes: "¶", Rules: "§", "Go to": "↗", Settings: "⚙", Say: "“", Roll: "⬡" };
const HUES = 6;

let entries = [];
let shown = [];
let chosen = 0;
let person = null;
let stale = true;

const recent = () => JSON.parse(localStorage.getItem(RECENT) ?? "[]");
const runs = room.classList.contains("game-master");
const acts = (one) => runs || Boolean(document.querySelector(`#panel-hero [data-who="${CSS.escape(one.id.slice(4))}"]`));
const own = { acts, runs };

// ---------------------------------------------------------------- the index

let loading = Promise.resolve();

async function read() {
  if (!stale) return;
  stale = false;
  const answer = await fetch(`${base}/t/${table}/palette.json`);
  if (answer.ok) entries = prepared(await answer.json());
  const isThere = shown.length && JSON.stringify([...grouped().values()].flat()) === JSON.stringify(shown);
  if (!dialog.open || isThere) return; // don't move what somebody is about to tap
  const { id } = shown[chosen] ?? {};
  draw(); // search for what was typed meanwhile, and keep the choice
  choose(shown.findIndex((one) => one.id === id));
}

function load() {
  loading = loading.then(read).catch(() => (stale = true)); // offline: retry at the next opening
}

const changed = new MutationObserver(() => {
  stale = true;
  if (dialog.open) load();
});
for (const panel of document.querySelectorAll('[id^="panel-"]:not(#panel-ai, #panel-people)'))
  changed.observe(panel, { childList: true, subtree: true, characterData: true });

// Loaded as soon as somebody seems to want it: it is nearly as large as the page, and most windows never need it.
for (const event of ["pointerenter", "focus"]) find.addEventListener(event, load);
document.addEventListener("pointerdown", ({ target }) => target.closest("[data-palette]") && load());
document.addEventListener("keydown", ({ key }) => ["Control", "Meta"].includes(key) && load());

// ---------------------------------------------------------------- results

/** Lists entries for an empty query: what was done last, what the game proposes, and what is usual. */
function atFirst() {
  const known = new Map(entries.map((one) => [one.id, one]));
  const last = recent().map(({ id }) => known.get(id)).filter(Boolean).map((one) => ({ ...one, group: "Recent" }));
  const ids = new Set(last.map((one) => one.id));
  const likely = entries.filter((one) => !one.why_not && !ids.has(one.id) && ["Now", "Do", "People"].includes(one.group));
  return [...last.slice(0, 4), ...likely.slice(0, AT_FIRST), ...entries.filter((one) => one.id === "set:keys" || one.id === "go:/recap")];
}

function ofLine(line) {
  const rolls = isRoll(line);
  const text = rolls && !line.startsWith("/") ? `/roll ${line}` : line;
  const hidden = /^\/g/i.test(text);
  const title = rolls ? `Roll ${text.replace(/^\/\S+\s*/, "") || "dice"}` : `Say ${line}`;
  const hint = hidden ? "only the game master sees it" : rolls ? "for all to see" : "/roll 2d6+3, /w name words, /me does something";
  return [{ id: "line", group: rolls ? "Roll" : "Say", title, hint, post: "speak", fields: { words: text } }];
}

function found() {
  const query = field.value.trim();
  if (person) {
    const all = prepared([...withPerson(entries, person, own)]);
    return query ? search(all, query, { seat: own }) : all.slice(0, 40);
  }
  if (isLine(query)) return ofLine(query);
  return query ? search(entries, query, { recent: recent().map(({ id }) => id), seat: own }) : atFirst();
}

function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function marked(title) {
  const tokens = split(field.value);
  const parts = title.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u);
  return parts.flatMap((part) => {
    const token = tokens.filter((one) => plain(part).startsWith(one)).sort((one, other) => other.length - one.length)[0];
    return token ? [element("mark", {}, part.slice(0, token.length)), part.slice(token.length)] : [part];
  });
}

function sign(entry) {
  const name = entry.face ?? (entry.id.startsWith("who:") ? entry.title : null);
  if (!name) return element("i", { "aria-hidden": "true" }, SIGNS[entry.group] ?? SIGNS[entry.from] ?? "▸");
  const id = CSS.escape(entry.whose ?? entry.id.slice(4));
  const there = document.querySelector(`:is(#panel-party, #panel-hero) [data-who="${id}"] .face`);
  if (there) {
    const copy = there.cloneNode(true);
    copy.classList.remove("large");
    return copy;
  }
  const parts = name.split(/\s+/);
  const initials = parts.length > 1 ? (parts[0][0] + parts[1][0]).toUpperCase() : name.slice(0, 2);
  const hue = [...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % HUES;
  return element("span", { class: `face hue-${hue}`, "aria-hidden": "true" }, initials);
}

function option(entry, place) {
  const hint = entry.why_not ?? entry.hint ?? "";
  const words = element("span", {}, element("span", { class: "t" }, ...marked(entry.title)), element("small", {}, hint));
  const attributes = { role: "option", id: `found-${place}`, "aria-selected": "false", "aria-disabled": entry.why_not ? "true" : undefined };
  return element("div", attributes, sign(entry), words);
}

function grouped() {
  const groups = new Map();
  for (const one of found()) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}

function draw() {
  const groups = grouped();
  shown = [...groups.values()].flat();
  let place = 0;
  const drawn = [...groups].map(([name, some]) => {
    const id = `group-${name.replace(/\W/g, "")}`;
    return element("div", { role: "group", "aria-labelledby": id }, element("div", { class: "grp", id, role: "presentation" }, name), ...some.map((one) => option(one, place++)));
  });
  list.replaceChildren(...drawn);
  const none = entries.length ? "Nothing is called that." : "One moment…";
  if (!shown.length) list.replaceChildren(element("div", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, element("i", { "aria-hidden": "true" }, "–"), element("span", {}, none)));
  choose(0);
  const line = field.value.trim();
  showOdds(!person && isRoll(line) && /\dd|d\d|d%/i.test(line) ? line : "", odds);
}

function choose(place) {
  list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
  chosen = Math.max(0, Math.min(place, shown.length - 1));
  const one = document.getElementById(`found-${chosen}`);
  if (!one) return field.removeAttribute("aria-activedescendant");
  one.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", one.id);
  if (chosen) one.scrollIntoView({ block: "nearest" });
  else list.scrollTop = 0;
}

// ---------------------------------------------------------------- opening and doing

function about(one) {
  person = one;
  whom.hidden = !one;
  whom.textContent = one ? `${one.title} ×` : "";
  if (one) whom.setAttribute("aria-label", `Not only ${one.title}`);
  field.value = "";
  draw();
  field.focus();
}

/** Opens the palette at once. What is typed before the index is loaded is kept. */
function openPalette(who = "") {
  load();
  if (!dialog.open) dialog.showModal();
  about(entries.find((one) => one.id === `who:${who}`) ?? null);
  if (who && !person) loading.then(() => about(entries.find((one) => one.id === `who:${who}`) ?? null));
}

function remember({ id }) {
  if (id === "line") return;
  const known = id.split(" ")[0];
  localStorage.setItem(RECENT, JSON.stringify([{ id: known }, ...recent().filter((one) => one.id !== known)].slice(0, MOST_RECENT)));
}

function run(entry) {
  if (!entry || entry.why_not) return;
  if (entry.id.startsWith("who:")) return about(entry);
  remember(entry);
  dialog.close();
  if (entry.form) {
    find.value = entry.form;
    htmx.ajax("GET", `${base}/t/${table}/${entry.form}`, { source: find, target: "#open-form", swap: "innerHTML" });
  } else if (entry.post) {
    const values = { ".id": crypto.randomUUID?.() ?? `${Date.now()}${Math.random()}`, ...entry.fields };
    htmx.ajax("POST", `${base}/t/${table}/${entry.post}`, { source: doing, swap: "none", values });
  } else if (entry.href) location.href = base + entry.href;
  else if (entry.id === "set:theme") document.getElementById("theme").click();
  else if (entry.id === "set:keys") help.showModal();
  else if (entry.id === "set:tray") openTray(true);
}

find.setAttribute("hx-target", "#open-form"); // forms that it opens are recognised by it

field.addEventListener("input", draw);
field.addEventListener("keydown", (event) => {
  const { key } = event;
  const steps = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + 6, PageUp: chosen - 6 };
  if (key in steps) choose(key === "ArrowUp" && !chosen ? shown.length - 1 : key === "ArrowDown" && chosen === shown.length - 1 ? 0 : steps[key]);
  else if (key === "Enter") shown[chosen] ? run(shown[chosen]) : loading.then(() => run(shown[chosen]));
  else if (key === "Backspace" && !field.value && person) about(null);
  else if (key === "?" && !field.value) {
    dialog.close();
    help.showModal();
  } else return;
  event.preventDefault();
});
list.addEventListener("click", ({ target }) => run(shown[Number(target.closest('[id^="found-"]')?.id.slice(6))]));
list.addEventListener("pointermove", ({ target }) => {
  const one = target.closest('[id^="found-"]');
  if (one && Number(one.id.slice(6)) !== chosen) choose(Number(one.id.slice(6)));
});
whom.addEventListener("click", () => about(null));

for (const one of [dialog, help]) {
  one.addEventListener("click", ({ target }) => (target === one || target.closest("[data-dismiss]")) && one.close());
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-palette]");
  if (!opener || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openPalette(opener.dataset.palette);
});

// ---------------------------------------------------------------- keys

const single = document.getElementById("single-keys");
single.checked = localStorage.getItem(SINGLE) !== "off";
single.addEventListener("change", () => localStorage.setItem(SINGLE, single.checked ? "on" : "off"));

function step(by) {
  const people = [...document.querySelectorAll("#panel-party .choose > summary")];
  const at = people.indexOf(document.activeElement);
  people[(at < 0 ? (by > 0 ? 0 : people.length - 1) : at + by + people.length) % people.length]?.focus();
}

const KEYS = {
  "/": () => openPalette(),
  "?": () => help.showModal(),
  t: () => document.getElementById("speak-words")?.focus(),
  d: () => openTray(true),
  j: () => step(1),
  k: () => step(-1),
  a: () => document.querySelector(".ask-roll")?.click(),
};

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && !event.altKey) {
    event.preventDefault();
    if (dialog.open) dialog.close();
    else openPalette();
    return;
  }
  const typing = event.target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  if (typing || !single.checked || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const work = KEYS[event.key.length === 1 ? event.key.toLowerCase() : ""];
  if (!work) return;
  event.preventDefault();
  work();
});
