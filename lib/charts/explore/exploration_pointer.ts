import { draw } from "./exploration_canvas.ts";
import { listRows, shortenHex } from "./exploration_rows.ts";
import { nameText, selectY, type View } from "./exploration_view.ts";

/** Pixels from the corner of a canvas. */
type Point = readonly [x: number, y: number];

/** Makes a drag select what is in view, a click pick a row, and a move show it. */
export function followPointer(view: View, refresh: () => void): void {
  const { bars, box, canvas, choice, drawing, room, xScale, tip } = view;
  const shareAcross = (x: number) =>
    clamp((x - room.left) / (drawing.width - room.right - room.left));
  const pixelAcross = () => 1 / (drawing.width - room.right - room.left);
  const { isTime } = view.x.column;
  followBrush(view, canvas, (from, to) => {
    const [left, right] = sortEnds(from[0], to[0]);
    const [top, low] = sortEnds(from[1], to[1]);
    Object.assign(box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${low - top}px`,
    });
    box.hidden = false;
    const bottom = room.height - room.bottom;
    const { yScale } = selectY(view);
    const pixelUp = 1 / (bottom - room.top);
    const readUp = (y: number) => readEnd(yScale.value, clamp((bottom - y) * pixelUp), pixelUp);
    const readAcross = (x: number) => readEnd(xScale.value, shareAcross(x), pixelAcross(), isTime);
    choice.x = [readAcross(left), readAcross(right)];
    choice.yRange = [readUp(low), readUp(top)];
    refresh();
  });
  followBrush(view, bars, (from, to) => {
    const [left, right] = sortEnds(from[0], to[0]);
    const { yScale } = selectY(view);
    const readAcross = (x: number) => readEnd(yScale.value, shareAcross(x), pixelAcross());
    choice.yRange = [readAcross(left), readAcross(right)];
    refresh();
  });
  canvas.addEventListener("pointerleave", () => tip.hidden = true);
  view.figure.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tip.hidden = true;
  });
}

export function followBrush(
  view: View,
  canvas: HTMLCanvasElement,
  drag: (from: Point, to: Point) => void,
): void {
  const isMain = canvas === view.canvas;
  const locate = (event: PointerEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  let from: Point | null = null;
  let isDrag = false;
  canvas.addEventListener("pointerdown", (event) => {
    from = locate(event);
    isDrag = false;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const to = locate(event);
    if (from === null) return isMain ? showTip(view, to) : undefined;
    isDrag ||= Math.hypot(to[0] - from[0], to[1] - from[1]) > 4;
    if (!isDrag) return;
    view.tip.hidden = true;
    drag(from, to);
  });
  const end = (event: PointerEvent) => {
    if (from !== null && !isDrag && isMain && event.type === "pointerup") {
      view.pinned = findNearest(view, from);
      draw(view);
      listRows(view);
    }
    from = null;
    view.box.hidden = true;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}

/** Finds the row in view nearest to a point, within 12 pixels. */
export function findNearest(
  { visibleRows, drawing: { px, py } }: View,
  [x, y]: Point,
): number | null {
  let [best, distance] = [null as number | null, 144];
  for (const row of visibleRows) {
    const away = (px[row]! - x) ** 2 + (py[row]! - y) ** 2;
    if (away < distance) [best, distance] = [row, away];
  }
  return best;
}

/** Describes the row nearest to a point. */
export function showTip(view: View, point: Point): void {
  const { tip, drawing: { px, py, width } } = view;
  const row = findNearest(view, point);
  tip.hidden = row === null;
  if (row === null) return;
  const named = view.data.named.map((index) => view.columns[index]!);
  const columns = [...new Set([...named, ...view.filters, view.x, selectY(view).y])];
  tip.textContent = columns.map(({ column, readText }) =>
    `${column.label}: ${nameText(shortenHex(readText(row)))}`
  ).join("\n");
  tip.style.left = `${Math.max(0, Math.min(px[row]! + 10, width - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, py[row]! - tip.offsetHeight - 8)}px`;
}

/**
 * Reads the value at a share of an axis, in as many digits as a pixel tells apart; times in whole
 * milliseconds. What the page says is then what it compares.
 */
export function readEnd(
  read: (share: number) => number,
  share: number,
  pixel: number,
  isTime = false,
): number {
  const value = read(share);
  const step = 10 ** Math.floor(Math.log10(Math.abs(read(share + pixel) - value)));
  const rounded = Number((Math.round(value / step) * step).toPrecision(12));
  const end = Number.isFinite(rounded) ? rounded : value;
  return isTime ? Math.round(end) : end;
}

export function sortEnds(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}

export function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
