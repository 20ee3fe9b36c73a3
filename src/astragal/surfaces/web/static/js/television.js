// The screen across a room: a large one shows the table as a picture, unless its viewers prefer the log.

const KEY = "astragal-television";
const LARGE = matchMedia("(min-width: 100rem) and (min-height: 50rem)");

const room = document.getElementById("room");
const button = document.getElementById("television");

function draw() {
  const chosen = localStorage.getItem(KEY);
  const on = chosen ? chosen === "on" : LARGE.matches;
  room.classList.toggle("tv", on);
  button.setAttribute("aria-pressed", on);
}

button.hidden = false;
button.addEventListener("click", () => {
  localStorage.setItem(KEY, room.classList.contains("tv") ? "off" : "on");
  draw();
});
LARGE.addEventListener("change", draw);
draw();
