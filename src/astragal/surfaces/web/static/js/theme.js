// Light or dark theme: the device's, until somebody chooses. Runs before anything is painted.

const root = document.documentElement;
const key = "astragal-theme";
const kept = localStorage.getItem(key);

if (kept === "light" || kept === "dark") root.dataset.theme = kept;
document.addEventListener("click", (event) => {
  if (!event.target.closest("#theme")) return;
  const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  localStorage.setItem(key, root.dataset.theme);
});
