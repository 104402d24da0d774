// Keeps the screen awake by the browser's Wake Lock, which needs HTTPS or localhost; where that fails, names the
// setting of the device to change, for a while. It must not know what is on the screen.

const SHOWN_MS = 45_000;

/** Returns the key of the sentence that names the setting, by the device that a browser says it runs on. */
export const settingKey = ({ userAgent, maxTouchPoints }) => {
  if (/Android/.test(userAgent)) {
    return "page awake-android";
  }
  // an iPad calls itself a Mac, but no Mac has a touchscreen
  const isApple = /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isApple ? "page awake-apple" : "page awake-other";
};

/** Makes what keeps the screen awake: `hint()` is the key of a sentence to show now, or "". */
export const makeAwake = (agent = navigator) => {
  const listeners = new Set();
  let lock = null;
  let hint = "";
  let told = false;

  const change = (key) => {
    hint = key;
    listeners.forEach((listener) => listener());
  };
  const request = async () => {
    if (document.hidden || lock !== null) {
      return;
    }
    try {
      lock = await agent.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null)); // as when another window comes to the front
      change("");
    } catch {
      // no Wake Lock over plain HTTP, and none while the battery is low
      if (!told) {
        told = true;
        change(settingKey(agent));
        setTimeout(() => change(""), SHOWN_MS);
      }
    }
  };
  document.addEventListener("visibilitychange", request);
  request();
  return {
    hint: () => hint,
    onChange: (listener) => listeners.add(listener),
  };
};
