// The OLED module in the middle of the table: the picture its driver sent, pixel by pixel, on a canvas. Knows nothing
// of what the picture shows.

const GLASS = "#05090e";
const LEAST_BRIGHT = 0.35;
/** With fewer device pixels for one of the glass it is drawn larger, and the browser makes it smaller. */
const SMALLEST = 2;

const unpack = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * The module, with its canvas and its plug.
 * @returns {{element: HTMLElement, show: (glass: {width: number, height: number, bits: string, contrast: number}) =>
 *   void, plugged: (there: boolean) => void, label: (name: string, gone: string) => void}}
 */
export const makeGlass = () => {
  const element = document.createElement("div");
  element.className = "oled";
  const bezel = document.createElement("div");
  bezel.className = "oled-bezel";
  const canvas = document.createElement("canvas");
  canvas.className = "oled-glass";
  canvas.setAttribute("role", "img");
  const gone = document.createElement("p");
  gone.className = "oled-gone";
  gone.hidden = true;
  const pins = document.createElement("div");
  pins.className = "oled-pins";
  pins.setAttribute("aria-hidden", "true");
  for (let pin = 0; pin < 4; pin += 1) pins.append(document.createElement("i"));
  bezel.append(canvas, gone);
  element.append(pins, bezel);

  /** @type {{width: number, height: number, bits: string, contrast: number} | null} */
  let picture = null;
  let drawn = "";

  const draw = () => {
    if (picture === null || bezel.clientWidth === 0) return;
    const { width, height, bits, contrast } = picture;
    const dots = devicePixelRatio || 1;
    const room = bezel.clientWidth - 2 * parseFloat(getComputedStyle(bezel).paddingLeft);
    // whole device pixels for each pixel of the glass, or there would be a pattern of thick and thin ones
    const whole = Math.floor((room * dots) / width);
    const cell = Math.max(SMALLEST, whole);
    const key = `${cell} ${room} ${dots} ${contrast} ${bits}`;
    if (key === drawn) return;
    drawn = key;
    canvas.width = width * cell;
    canvas.height = height * cell;
    const wide = Math.min(room, (width * cell) / dots);
    canvas.dataset.smooth = String(whole < SMALLEST);
    canvas.style.setProperty("width", `${wide}px`);
    canvas.style.setProperty("height", `${(wide * height) / width}px`);
    const gap = cell >= 6 ? 2 : cell >= 3 ? 1 : 0;
    const pen = canvas.getContext("2d", { alpha: false });
    pen.fillStyle = GLASS;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.globalAlpha = LEAST_BRIGHT + (1 - LEAST_BRIGHT) * (contrast / 255);
    pen.fillStyle = getComputedStyle(element).getPropertyValue("--pixel") || "#a5deff";
    const bytes = unpack(bits);
    const stride = Math.ceil(width / 8);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (bytes[y * stride + (x >> 3)] & (0x80 >> (x & 7))) pen.fillRect(x * cell, y * cell, cell - gap, cell - gap);
      }
    }
    pen.globalAlpha = 1;
  };

  new ResizeObserver(draw).observe(bezel);

  return {
    element,
    show(glass) {
      picture = glass;
      draw();
    },
    plugged(there) {
      element.dataset.plugged = String(there);
      gone.hidden = there;
    },
    label(name, without) {
      canvas.setAttribute("aria-label", name);
      gone.textContent = without;
    },
  };
};
