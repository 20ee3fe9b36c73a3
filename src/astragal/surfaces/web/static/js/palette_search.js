// Search of the palette, independent of the page: takes entries, returns the best matches.

const SHOWN = 24;
const FEW = 4;
const APART = /[^\p{L}\p{N}+]+/u;
const ROLLED = /^(?:\/(?:r|roll|gmr|gmroll|gr)(?:\s|$)|\d*d(?:\d|%|f\b))/i;

export const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
export const split = (text) => plain(text).split(APART).filter(Boolean);

/** Returns whether a line is no search: dice, or a slash and a word. */
export const isLine = (query) => query.startsWith("/") || ROLLED.test(query);
export const isRoll = (query) => ROLLED.test(query);

/** Splits the words of every entry once, so that a key press only compares. */
export function prepared(entries) {
  for (const one of entries) {
    one.inTitle = split(one.title);
    one.phrases = (one.words ?? "").split(",").map((phrase) => split(phrase).join(" ")).filter(Boolean);
    one.inWords = one.phrases.flatMap((phrase) => phrase.split(" "));
    one.inHint = split(one.hint ?? "");
  }
  return entries;
}

function best(token, words, whole, begun) {
  let found = 0;
  for (const word of words) {
    if (word === token) return whole;
    if (word.startsWith(token)) found = begun;
  }
  return found;
}

/** Scores how well one word of a query fits an entry; 0 if it doesn't. */
function fits(token, entry) {
  return Math.max(
    best(token, entry.inTitle, 12, 10),
    best(token, entry.inWords, 9, 6),
    token.length > 2 ? best(token, entry.inHint, 3, 2) : 0,
    token.length > 2 && entry.inTitle.some((word) => word.includes(token)) ? 3 : 0,
  );
}

function whole(query, entry) {
  const title = entry.inTitle.join(" ");
  if (title === query) return 30;
  if (entry.phrases.includes(query)) return 16;
  return title.startsWith(query) ? 8 : 0;
}

/** Fills a person into a command, as the actor or as the target. */
export function about(entry, person, role) {
  const id = person.id.slice(4);
  const name = role === "actor" ? entry.actor : entry.target;
  const sign = entry.form.includes("?") ? "&" : "?";
  return {
    ...entry,
    id: `${entry.id} ${role} ${id}`,
    title: `${entry.title}${role === "actor" ? " as" : entry.actor ? " →" : ":"} ${person.title}`,
    hint: (role === "actor" ? entry.who_acts : entry.who_suffers) || entry.hint,
    form: `${entry.form}${sign}${name}=${encodeURIComponent(id)}`,
    face: person.title,
    whose: id,
    actor: "",
    target: "",
  };
}

/** Lists the roles that a person can have in a command: a player's own heroes act, everybody else is a target. */
function roles(entry, person, { acts, runs }) {
  const actor = entry.actor && acts(person);
  const target = entry.target && (runs || !actor);
  return [...(target ? ["target"] : []), ...(actor ? ["actor"] : [])];
}

/** Lists all that can be done with a person. `acts` tells for whom this seat may act; `runs`, if it runs the game. */
export function* withPerson(entries, person, seat) {
  for (const entry of entries) {
    if (!entry.form || entry.why_not) continue;
    for (const role of roles(entry, person, seat)) yield about(entry, person, role);
  }
}

const rare = (one) => (one.why_not ? 5 : 0) + (one.rank ?? 4) / 4;

/** Finds the best entries for a query. `recent` are the ids of what was last done, newest first. */
export function search(entries, query, { recent = [], seat = { acts: () => true, runs: true } } = {}) {
  const tokens = split(query);
  const said = tokens.join(" ");
  if (!tokens.length) return [];
  const people = entries.filter((one) => one.id.startsWith("who:"));
  const found = [];
  for (const entry of entries) {
    const scores = tokens.map((token) => fits(token, entry));
    const late = recent.indexOf(entry.id);
    const bonus = whole(said, entry) - rare(entry) + (late < 0 ? 0 : 4 - late / 4);
    if (scores.every(Boolean)) {
      found.push([scores.reduce((one, other) => one + other) / tokens.length + bonus, entry]);
    } else if ((entry.actor || entry.target) && entry.form && !entry.why_not && scores.some(Boolean)) {
      for (const person of people) {
        const left = tokens.filter((_, place) => !scores[place]);
        if (!left.every((token) => person.inTitle.some((word) => word.startsWith(token)))) continue;
        const score = 10 + scores.reduce((one, other) => Math.max(one, other)) - rare(entry);
        for (const role of roles(entry, person, seat)) found.push([score + (role === "target" ? 0.1 : 0), about(entry, person, role)]);
      }
    }
  }
  found.sort((one, other) => other[0] - one[0]);
  const shown = found.slice(0, SHOWN).map(([, entry]) => entry);
  const [first] = shown;
  if (shown.length > FEW || !first?.form || first.why_not) return shown;
  const named = people.filter((person) => roles(first, person, seat).includes("target")).map((person) => about(first, person, "target"));
  return [first, ...named, ...shown.slice(1)]; // few results: list the targets, too
}
