// The dice tray, and the odds of dice that are typed anywhere: in the tray, after a slash in the talk, in the palette.

const base = document.documentElement.dataset.base;
const { table } = document.getElementById("room").dataset;
const tray = document.getElementById("tray");
const line = document.getElementById("tray-line");
const words = document.getElementById("speak-words");
const below = document.getElementById("speak-odds");
const ROLL = /^\/(?:r|roll|gmr|gmroll|gr)\s+\S/i;
const PAUSE = 70;

const asked = new WeakMap();

/** Shows the odds of a line in an element. Only the last request counts; an empty line clears the element. */
export function showOdds(text, place) {
  clearTimeout(asked.get(place));
  if (!text) return place.replaceChildren();
  const number = setTimeout(async () => {
    const answer = await fetch(`${base}/t/${table}/dice/odds?line=${encodeURIComponent(text)}`, { headers: { "HX-Request": "true" } });
    if (answer.ok && asked.get(place) === number) place.innerHTML = await answer.text();
  }, PAUSE);
  asked.set(place, number);
}

words?.addEventListener("input", () => showOdds(ROLL.test(words.value) ? words.value : "", below));
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx?.sourceElement?.id === "speak" && ctx.response?.status < 400) showOdds("", below);
});

export function openTray(open = document.querySelector("#speak [data-tray]")?.getAttribute("aria-expanded") !== "true") {
  document.querySelector("#speak [data-tray]")?.setAttribute("aria-expanded", String(open));
  (open ? line : words)?.focus();
}

/** Adds a die to a line: counts up the number before it, or appends it. */
function added(text, sides) {
  const [dice, label] = text.split(/(?=\s*#)/, 2);
  const again = new RegExp(`(\\d*)d${sides}(?!\\d)(?!.*\\dd${sides}(?!\\d))`);
  const more = again.test(dice) ? dice.replace(again, (_, many) => `${Number(many || 1) + 1}d${sides}`) : `${dice.trim()}${dice.trim() ? "+" : ""}1d${sides}`;
  return more + (label ?? "");
}

function plus(text, number) {
  const [dice, label] = text.split(/(?=\s*#)/, 2);
  const tail = /([+-]\s*\d+)\s*$/.exec(dice);
  const sum = (tail ? Number(tail[1].replace(/\s/g, "")) : 0) + number;
  const head = tail ? dice.slice(0, tail.index) : dice;
  return `${head.trim()}${sum ? (sum > 0 ? `+${sum}` : sum) : ""}${label ?? ""}`;
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-tray]")) openTray();
  const die = target.closest("#tray [data-die], #tray [data-add]");
  if (!die) return;
  line.value = die.dataset.die ? added(line.value, die.dataset.die) : plus(line.value, Number(die.dataset.add));
  line.dispatchEvent(new Event("input", { bubbles: true }));
});

tray?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") openTray(false);
});
