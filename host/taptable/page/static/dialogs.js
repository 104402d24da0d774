// How a dialog closes without an answer: by Escape, by a tap outside, and by Back in the browser, which then stays in
// the view. It must not know what a dialog asks.

const GUARD = { dialog: true };
/** What is open, as functions that close it; the last one lies on top. */
const open = [];
const isGuard = () => history.state?.dialog === true;
/** Whether the entry of the browser's history is one that Back may use up, by which address. */
let guarded = isGuard() ? location.href : null;

/** Put an entry on the browser's history for Back to take away; one that was put there before is used again. */
const guard = () => {
  if (guarded !== location.href) {
    history.pushState(GUARD, "");
    guarded = location.href;
  }
};

addEventListener("popstate", () => {
  const was = guarded;
  guarded = isGuard() ? location.href : null;
  if (guarded !== null) {
    return;
  }
  const [top, below] = [open.at(-1), open.length > 1];
  if (top !== undefined) {
    top();
    if (below) {
      guard(); // it stays open
    }
  } else if (was === location.href) {
    history.back(); // the dialog was closed otherwise: this Back was meant for what was before
  }
});

/** Let Back call `close`, until the function that is given back is called. */
export const closeByBack = (close) => {
  open.push(close);
  guard();
  return () => open.splice(open.indexOf(close), 1);
};

const isOutside = (dialog, { target, clientX, clientY }) => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
};

/**
 * A dialog that lies over all else: a function that opens it. Its `returnValue` is "" then, and stays so but for
 * `dialog.close(answer)`.
 */
export const makeModal = (dialog) => {
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressedOutside = isOutside(dialog, event);
  });
  dialog.addEventListener("click", (event) => {
    if (pressedOutside && isOutside(dialog, event)) {
      dialog.close();
    }
  });
  return () => {
    if (dialog.open) {
      return;
    }
    dialog.returnValue = "";
    dialog.showModal();
    const closed = closeByBack(() => dialog.close());
    dialog.addEventListener("close", closed, { once: true });
  };
};
