// The graph of scenes: a click on a way takes it; the view opens where the story is, and follows it.

const main = document.getElementById("main");
const base = document.documentElement.dataset.base;

document.addEventListener("click", (event) => {
  const way = event.target.closest?.("[data-press]");
  const button = way && document.getElementById(way.dataset.press);
  if (!button) return;
  event.preventDefault();
  button.click();
});

function toTheScene() {
  const pan = document.getElementById("pan");
  const here = pan?.querySelector(".box.chosen") ?? pan?.querySelector(".box.now");
  if (!here) return;
  const frame = here.getBoundingClientRect();
  const view = pan.getBoundingClientRect();
  pan.scrollLeft += frame.left + frame.width / 2 - view.left - view.width / 2;
  pan.scrollTop += frame.top + frame.height / 2 - view.top - view.height / 2;
}

// ---------------------------------------------------------------- following the story

const ABOUT = new Set([
  "scene_began", "scene_ended", "scene_written", "option_written", "option_opened", "option_taken", "scene_discarded",
  "save_node_marked", "rewound",
]);
const TYPED = "input:not([type=hidden]), textarea, select";

let isLate = false;

async function drawAgain() {
  isLate = Boolean(document.getElementById("write")) || Boolean(document.activeElement?.matches(`#main :is(${TYPED})`));
  if (isLate) return; // to lose nothing typed, wait until the input is sent or loses focus
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const held = document.activeElement?.id;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  main.replaceChildren(...found.childNodes);
  if (held) document.getElementById(held)?.focus();
  toTheScene();
}

main.addEventListener("focusout", () => isLate && setTimeout(drawAgain));

const stream = new EventSource(`${base}/api/tables/${main.dataset.table}/events?after=${main.dataset.cursor}`);
stream.addEventListener("happened", (event) => {
  if (JSON.parse(event.data).some((one) => ABOUT.has(one.name))) drawAgain();
});
stream.addEventListener("restarted", drawAgain);
stream.addEventListener("gone", () => stream.close());

toTheScene();
