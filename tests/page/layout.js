// What is wrong with how the page in the window is laid out: what sticks out, is cut off, covered, too small to hit, or
// lies over something else. Handed to the browser by layout.py; knows the page by its hooks alone.
async (rules) => {
  const SLACK_PX = 1.5;
  const DRAWN_WITHIN_MS = 10_000;
  const faults = new Set();

  const described = (element) => {
    const name = element.tagName.toLowerCase();
    const hooks = [...element.attributes].filter((each) => each.name.startsWith("data-") || each.name === "class");
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${[name, ...hooks.map((each) => `${each.name}="${each.value}"`)].join(" ")}> “${text}”`;
  };

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const scrolls = (style, axis) => ["auto", "scroll"].includes(axis === "x" ? style.overflowX : style.overflowY);
  const clips = (style) => style.overflowX !== "visible" || style.overflowY !== "visible";

  // an element and those round it up to the root, each once
  const upwards = function* (element) {
    for (let each = element; each; each = each.parentElement) yield each;
  };

  const scrollsBelow = (box, from) => {
    for (const each of upwards(from)) {
      if (each === box) return false;
      if (scrolls(styleOf(each), "x") || scrolls(styleOf(each), "y")) return true;
    }
    return false;
  };

  // what lies there; where Firefox has jumped to, it finds only the root until it has drawn more than what was near
  const hitAt = async (x, y) => {
    const late = performance.now() + DRAWN_WITHIN_MS;
    let hit = document.elementFromPoint(x, y);
    while (hit === document.documentElement && performance.now() < late) {
      await new Promise(requestAnimationFrame);
      hit = document.elementFromPoint(x, y);
    }
    return hit;
  };

  const asBox = (rect) => ({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  const common = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const isNothing = (box) => box.right - box.left <= SLACK_PX || box.bottom - box.top <= SLACK_PX;
  const isWithin = (inner, outer) =>
    inner.left >= outer.left - SLACK_PX && inner.right <= outer.right + SLACK_PX &&
    inner.top >= outer.top - SLACK_PX && inner.bottom <= outer.bottom + SLACK_PX;

  const isDrawn = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest("[inert]");

  // what is left of a box once everything round it has clipped it; nothing of what is there for screen readers only
  const seenOf = (box, parent) => {
    let seen = box;
    for (const each of upwards(parent)) {
      if (styleOf(each).clipPath === "inset(50%)") return { left: 0, top: 0, right: 0, bottom: 0 };
      if (each !== document.body && each !== document.documentElement && clips(styleOf(each))) {
        seen = common(seen, each.getBoundingClientRect());
      }
      if (styleOf(each).position === "fixed") break;
    }
    return seen;
  };

  // whatever is fixed or sticks, a dialog, and what was opened, lies over the rest by intention
  const layerOf = (element) => {
    for (const each of upwards(element)) {
      if (each.matches("dialog") || each.matches(rules.layers)) return each;
      if (["fixed", "sticky"].includes(styleOf(each).position)) return each;
    }
    return document.documentElement;
  };

  const modal = document.querySelector("dialog:modal");
  const everything = [...(modal ?? document.body).querySelectorAll("*")].filter(
    (each) => !(each instanceof SVGElement && each.tagName !== "svg") && isDrawn(each),
  );

  // 1 the page as a whole
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth) faults.add(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
  if (!rules.pageScrolls && root.scrollHeight > root.clientHeight) {
    faults.add(`the page is ${root.scrollHeight - root.clientHeight} px too high`);
  }

  // 2 what is wider or higher than the box it is in
  for (const element of everything) {
    const style = styleOf(element);
    if (style.display === "inline" || element.matches("select, svg, input, option, canvas")) continue;
    if (element.clientWidth <= 1 || element.clientHeight <= 1) continue; // for screen readers
    const tooWide = element.scrollWidth - element.clientWidth;
    const tooHigh = element.scrollHeight - element.clientHeight;
    const isTitled = element.closest("[title]") !== null;
    const mayScroll = element.matches(rules.sideways);
    if (tooWide > SLACK_PX && style.overflowX !== "visible" && !mayScroll && !isTitled) {
      faults.add(`${tooWide} px too wide for its box: ${described(element)}`);
    }
    if (tooHigh > SLACK_PX && ["hidden", "clip"].includes(style.overflowY) && !isTitled) {
      faults.add(`${tooHigh} px too high for its box: ${described(element)}`);
    }
  }

  // the letters of a box of figures, which is higher than they are
  const pen = document.createElement("canvas").getContext("2d");
  const inkOf = (box, element) => {
    const { fontStyle, fontWeight, fontSize, fontFamily } = styleOf(element);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const letters = pen.measureText(element.textContent);
    return {
      ...box,
      top: box.top + letters.fontBoundingBoxAscent - letters.actualBoundingBoxAscent,
      bottom: box.bottom - letters.fontBoundingBoxDescent + letters.actualBoundingBoxDescent,
    };
  };

  // 3 words: in the window, in the box they belong to, not over other words
  const words = [];
  const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("option, script, style, title") || !isDrawn(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = parent.closest(rules.boxes);
    for (const rect of range.getClientRects()) {
      const letters = asBox(rect);
      const seen = seenOf(parent.matches(rules.figures) ? inkOf(letters, parent) : letters, parent);
      if (isNothing(seen)) continue;
      if (box && layerOf(box) === layerOf(parent) && !scrollsBelow(box, parent) && !isWithin(seen, box.getBoundingClientRect())) {
        faults.add(`words stick out of ${described(box)}: ${described(parent)}`);
      }
      words.push({ ...seen, element: parent });
    }
  }

  // 4 what lies over something else of its layer
  const shared = (one, other) => {
    const both = common(one, other);
    return isNothing(both) ? 0 : Math.min(both.right - both.left, both.bottom - both.top);
  };
  const compare = (boxes, what) => {
    boxes.sort((one, other) => one.top - other.top);
    boxes.forEach((one, index) => {
      for (let next = index + 1; next < boxes.length && boxes[next].top < one.bottom; next += 1) {
        const other = boxes[next];
        if (one.element === other.element || one.layer !== other.layer) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const over = shared(one, other);
        if (over > SLACK_PX) {
          faults.add(`${what} overlap by ${over.toFixed(1)} px: ${described(one.element)} and ${described(other.element)}`);
        }
      }
    });
  };
  const layered = (box) => ({ ...box, layer: layerOf(box.element) });
  compare(words.map(layered), "words");
  const hooks = everything
    .filter((each) => each.matches(rules.hooks))
    .map((each) => ({ ...seenOf(asBox(each.getBoundingClientRect()), each.parentElement), element: each }))
    .filter((each) => !isNothing(each));
  compare(hooks.map(layered), "boxes");
  for (const hook of hooks) {
    const box = hook.element.parentElement.closest(rules.boxes);
    if (box && !scrollsBelow(box, hook.element.parentElement) && !isWithin(hook, box.getBoundingClientRect())) {
      faults.add(`sticks out of ${described(box)}: ${described(hook.element)}`);
    }
  }

  // 5 what can be pressed: large enough, and nothing in front of it
  for (const element of everything) {
    if (!element.matches('button, select, a[href]:not([href^="#"]), input, summary') || element.disabled) continue;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const rect = element.getBoundingClientRect();
    if (isNothing(rect)) continue;
    if (Math.min(rect.width, rect.height) < rules.leastPx - 0.1) {
      faults.add(`only ${rect.width.toFixed(1)} × ${rect.height.toFixed(1)} px: ${described(element)}`);
    }
    const middle = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
    const hit = await hitAt(...middle);
    const label = element.closest("label");
    if (!hit) faults.add(`can’t be brought into the window: ${described(element)}`);
    else if (!element.contains(hit) && !(label && label.contains(hit)) && !hit.closest(rules.layers)) {
      faults.add(`covered by ${described(hit)}: ${described(element)}`);
    }
  }

  // 6 fields, those too that aren't to be seen yet
  for (const field of document.querySelectorAll("input, select, textarea")) {
    const px = parseFloat(styleOf(field).fontSize);
    if (px < rules.leastInAFieldPx) faults.add(`only letters of ${px} px in ${described(field)}`);
  }
  for (const each of document.querySelectorAll("*")) if (each.scrollLeft) each.scrollLeft = 0;
  window.scrollTo(0, 0);
  return [...faults];
}
