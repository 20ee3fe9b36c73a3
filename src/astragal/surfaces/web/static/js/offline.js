// The offline page: loads the page that was requested as soon as the server responds.

const RETRY = 2_000;
const { base } = document.documentElement.dataset;

async function look() {
  const answer = await fetch(`${base}/healthz`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) setTimeout(look, RETRY);
  else if (location.pathname === `${base}/offline`) location.replace(`${base}/`);
  else location.reload();
}

look();
