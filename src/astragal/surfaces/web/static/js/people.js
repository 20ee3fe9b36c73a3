// The people page, updated live: who comes and goes, new seats, new names. Parts that are in use are left alone.

const PATIENCE = 150; // batches several changes into one update
const ABOUT = /hx-target="#panel-(people|seats)"/;

const list = document.getElementById("people");
const base = document.documentElement.dataset.base;
const { table, cursor } = list.dataset;
const here = `${base}/t/${table}/people`;

async function drawAnew() {
  const answer = await fetch(here);
  if (!answer.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("people");
  for (const seat of [...list.children]) if (!found.querySelector(`#${CSS.escape(seat.id)}`)) seat.remove();
  for (const fresh of [...found.children]) take(fresh);
}

function take(fresh) {
  const seat = document.getElementById(fresh.id);
  if (!seat) list.append(fresh);
  else if (seat.querySelector("details[open]") || seat.contains(document.activeElement)) {
    seat.className = fresh.className;
    seat.querySelector(".who").replaceWith(fresh.querySelector(".who"));
  } else if (!seat.isEqualNode(fresh)) seat.replaceWith(fresh);
}

let due = null;
const stream = new EventSource(`${base}/t/${table}/events?after=${encodeURIComponent(cursor)}`);
stream.addEventListener("message", ({ data }) => {
  if (!ABOUT.test(data)) return;
  clearTimeout(due);
  due = setTimeout(drawAnew, PATIENCE);
});
stream.addEventListener("reload", () => location.assign(here)); // never resend a form
stream.addEventListener("gone", () => stream.close());
// A submitted form loads a page with a stream of its own. A reload would interrupt it.
addEventListener("submit", (event) => event.defaultPrevented || stream.close());
