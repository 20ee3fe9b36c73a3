// The lab: shows a slider's number as it moves, dims inputs that vary, and keeps the URL up to date.

const form = document.getElementById("explore");
const answer = document.getElementById("answer");

function mark() {
  const varied = new Set([...form.querySelectorAll("select[name$='.over'], select[name$='.and']")].map((one) => one.name.replace(/\.(over|and)$/, "") + one.value));
  for (const one of form.querySelectorAll(".sides .field [name]")) {
    if (!one.name.endsWith(".over") && !one.name.endsWith(".and")) one.closest(".field").classList.toggle("varied", varied.has(one.name));
  }
}

form.addEventListener("input", ({ target }) => {
  const output = target.type === "range" && target.parentElement.querySelector("output");
  if (output) output.value = target.value;
  mark();
});

new MutationObserver(() => {
  const link = answer.querySelector("[data-link]");
  if (link && link.href !== location.href) history.replaceState(history.state, "", link.href);
}).observe(answer, { childList: true, subtree: true, attributes: true, attributeFilter: ["href"] });

mark();
