import { formatEnd, selectY, type View, type ViewColumn, weigh } from "./exploration_view.ts";

export function draw(view: View): void {
  const { data, room, drawing: { width, laidOut, px, py, paint }, choice, weights, colored } = view;
  if (laidOut.width !== width || laidOut.y !== choice.y) layOut(view);
  const { y } = selectY(view);
  const [right, bottom] = [width - room.right, room.height - room.bottom];
  const to = preparePen(view, view.canvas, room.height);
  drawAxes(view, to);
  const isSmall = data.height > 5_000;
  const size = isSmall ? 3 : 5;
  const heaviest = weights === null ? 1 : Math.log1p(weights.reduce((a, b) => Math.max(a, b), 1));
  const last = data.colors.length - 1;
  // Whole pixels are drawn much faster.
  const drawDot = (row: number) =>
    to.fillRect(Math.round(px[row]! - size / 2), Math.round(py[row]! - size / 2), size, size);
  to.save();
  to.beginPath();
  to.rect(room.left - 4, room.top - 4, right - room.left + 8, bottom - room.top + 8);
  to.clip();
  to.fillStyle = paint["range"]!;
  for (let row = 0; row < data.height; row++) if (view.inView[row] === 0) drawDot(row);
  to.globalAlpha = isSmall ? 0.6 : 0.75;
  for (const index of data.colors.keys()) {
    to.fillStyle = paint[`color${index}`]!;
    for (const row of view.visibleRows) {
      if (colored !== null && Math.min(colored.read(row), last) !== index) continue;
      if (weights !== null) to.globalAlpha = 0.15 + 0.85 * Math.log1p(weigh(view, row)) / heaviest;
      drawDot(row);
    }
  }
  to.restore();
  const { pinned } = view;
  if (pinned !== null) {
    to.strokeStyle = paint["ink"]!;
    to.lineWidth = 2;
    to.strokeRect(px[pinned]! - 5, py[pinned]! - 5, 10, 10);
  }
  view.canvas.ariaLabel = `${y.column.label} by ${view.x.column.label}. ${view.status.textContent}`;
  drawBars(view, y);
}

/** Positions the dots and the bins below them, for a width and a vertical axis. */
export function layOut(view: View): void {
  const { x, xScale, room, choice, drawing } = view;
  const { y, yScale } = selectY(view);
  const { width, px, py, bins } = drawing;
  const last = room.bins - 1;
  for (let row = 0; row < view.data.height; row++) {
    const up = yScale.toShare(y.read(row));
    px[row] = room.left + xScale.toShare(x.read(row)) * (width - room.right - room.left);
    py[row] = room.height - room.bottom - up * (room.height - room.bottom - room.top);
    bins[row] = Number.isNaN(up)
      ? room.bins
      : Math.min(last, Math.max(0, Math.floor(up * room.bins)));
  }
  drawing.laidOut = { width, y: choice.y };
}

/** Clears a canvas of a height, at the resolution of the screen. */
export function preparePen(
  { drawing: { width } }: View,
  canvas: HTMLCanvasElement,
  height: number,
): CanvasRenderingContext2D {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  context.font = "11px DejaVu Sans,Verdana,Geneva,sans-serif";
  context.clearRect(0, 0, width, height);
  return context;
}

/** Formats a tick of the horizontal axis: of times the day, or within two days the time of day. */
export function formatAcross({ x, data }: View, value: number): string {
  if (!x.column.isTime) return formatEnd(value, false);
  const [low, high] = data.xScale.domain;
  const text = new Date(value).toISOString();
  return high - low > 2 * 86_400_000 ? text.slice(5, 10) : text.slice(11, 19);
}

export function drawAxes(view: View, to: CanvasRenderingContext2D): void {
  const { room, x, xScale, drawing: { width, paint } } = view;
  const { yScale } = selectY(view);
  const [right, bottom] = [width - room.right, room.height - room.bottom];
  const drawLine = (from: [number, number], end: [number, number]) => {
    to.beginPath();
    to.moveTo(...from);
    to.lineTo(...end);
    to.stroke();
  };
  to.strokeStyle = paint["range"]!;
  to.fillStyle = paint["muted"]!;
  to.textBaseline = "middle";
  to.textAlign = "right";
  for (const value of yScale.ticks(7)) {
    const down = bottom - yScale.toShare(value) * (bottom - room.top);
    drawLine([room.left, down], [right, down]);
    to.fillText(formatEnd(value, false), room.left - 6, down);
  }
  to.textAlign = "center";
  to.textBaseline = "top";
  for (const value of xScale.ticks(Math.max(2, Math.floor(width / 85)))) {
    const across = room.left + xScale.toShare(value) * (right - room.left);
    drawLine([across, room.top], [across, bottom]);
    to.fillText(formatAcross(view, value), across, bottom + 6);
  }
  to.fillText(`${x.column.label} →`, (room.left + right) / 2, bottom + 23);
}

/** Draws the distribution of the values in view over the bins of the axis. */
export function drawBars(view: View, y: ViewColumn): void {
  const { data, room, bars, drawing: { width, paint, bins } } = view;
  const { yScale } = selectY(view);
  const to = preparePen(view, bars, room.bars);
  const [allCounts, viewCounts] = [
    new Float64Array(room.bins + 1),
    new Float64Array(room.bins + 1),
  ];
  for (let row = 0; row < data.height; row++) {
    allCounts[bins[row]!]! += weigh(view, row);
    if (view.inView[row] === 1) viewCounts[bins[row]!]! += weigh(view, row);
  }
  const [right, bottom] = [width - room.right, room.bars - 32];
  const maxCount = allCounts.subarray(0, room.bins).reduce((a, b) => Math.max(a, b), 1);
  const step = (right - room.left) / room.bins;
  for (let bin = 0; bin < room.bins; bin++) {
    for (const [counts, color] of [[allCounts, "range"], [viewCounts, "bar"]] as const) {
      const height = counts[bin]! / maxCount * (bottom - 4);
      to.fillStyle = paint[color]!;
      to.fillRect(room.left + bin * step, bottom - height, Math.max(1, step - 1), height);
    }
  }
  to.fillStyle = paint["muted"]!;
  to.textAlign = "center";
  to.textBaseline = "top";
  for (const value of yScale.ticks(Math.max(2, Math.floor(width / 90)))) {
    const across = room.left + yScale.toShare(value) * (right - room.left);
    to.fillText(formatEnd(value, false), across, bottom + 3);
  }
  to.fillText(`${y.column.label} →`, (room.left + right) / 2, bottom + 18);
  bars.ariaLabel = `Number of ${data.noun} by ${y.column.label}`;
}
