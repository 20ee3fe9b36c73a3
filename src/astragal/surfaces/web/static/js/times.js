// Shows times in the reader's own time zone and format.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function tellTimes(within) {
  for (const time of within.querySelectorAll("time[data-at]:empty")) {
    const at = new Date(Number(time.dataset.at));
    time.dateTime = at.toISOString();
    time.textContent = clock.format(at);
    time.title = calendar.format(at);
  }
}

tellTimes(document);
