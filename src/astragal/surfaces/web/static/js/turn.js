// Your turn: the window's title, a sound that can be muted, a vibration, a badge on the app's icon.

const KEY = "astragal-sound";
const NOTES = [523.25, 783.99]; // C and G
const title = document.title;
const mute = document.getElementById("sound");
const nudged = document.getElementById("nudged");

let waiting = 0;
let audio = null;
let sounding = 0;

// ---------------------------------------------------------------- sound

const isLoud = () => localStorage.getItem(KEY) !== "off";

/** Returns whether somebody has touched the page: only then do browsers let it make a sound. */
function touched() {
  return navigator.userActivation?.hasBeenActive ?? false;
}

function sound() {
  if (!isLoud() || !touched()) return;
  audio ??= new AudioContext();
  audio.resume();
  sounding += NOTES.length;
  NOTES.forEach((pitch, number) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + number * 0.14;
    tone.frequency.value = pitch;
    tone.type = "triangle";
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.16, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.55);
    tone.onended = () => --sounding || audio.suspend(); // a silent context would keep a phone busy, too
  });
}

function alarm() {
  sound();
  if (touched()) navigator.vibrate?.([90, 60, 90]);
}

if (mute) {
  mute.hidden = false;
  mute.setAttribute("aria-pressed", isLoud());
  mute.addEventListener("click", () => {
    localStorage.setItem(KEY, isLoud() ? "off" : "on");
    mute.setAttribute("aria-pressed", isLoud());
    sound(); // a sample of what was switched on
  });
}

// ---------------------------------------------------------------- whose turn it is

/** Shows how many things wait for this seat. There is no sound when the page is first shown. */
export function waitsFor(number, isFirst) {
  if (number > waiting && !isFirst) alarm();
  waiting = number;
  document.title = number ? `● Your turn – ${title}` : title;
  const done = number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.();
  done?.catch(() => {}); // a page that is not installed has no badge
  if (!number && nudged) nudged.hidden = true;
}

/** Shows a reminder of the game master to this seat. */
export function nudge(show) {
  if (!nudged) return;
  nudged.hidden = false;
  nudged.querySelector("button").onclick = () => {
    nudged.hidden = true;
    show();
  };
  alarm();
}
