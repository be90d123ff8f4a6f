import {
  evenTicks,
  type ExploredColumn,
  type ExploredData,
  placed,
  powerTicks,
  scaleOf,
  valueAt,
} from "./explored_data.ts";

/**
 * The script that turns the figures of explorations on a page into views that answer: filters,
 * brushes, a list of the rows in view with their links.
 *
 * It is the text of the functions of this file and of the scale, so they use nothing else. It defines
 * no global, loads nothing, and may run more than once and from any place on the page. Where it cannot
 * run, the figure keeps its picture.
 */
export function explorationScript(): string {
  const parts = [
    ...[placed, valueAt, evenTicks, powerTicks, scaleOf],
    ...[make, bytesOf, viewOf, numberText, shortText, start, startAll],
  ];
  return `(() => {\n${parts.join("\n")}\nstartAll();\n})();`.replaceAll(/\n +/g, "\n");
}

function startAll(): void {
  const current = document.currentScript;
  const place = current?.isConnected ? current.getRootNode() as Document : document;
  for (const figure of place.querySelectorAll<HTMLElement>("figure.orderlens-explore")) {
    const data = figure.querySelector(":scope > script[type='application/json']");
    if (data === null || figure.dataset["ready"] !== undefined) continue;
    figure.dataset["ready"] = "";
    try {
      start(figure, JSON.parse(data.textContent ?? ""));
    } catch (error) {
      reportError(error);
    }
  }
}

/** A column whose cells can be read. */
interface View {
  readonly column: ExploredColumn;
  /** The number of a row; its code where cells are texts. */
  readonly at: (row: number) => number;
  readonly textAt: (row: number) => string;
}

/** What is chosen: a code for each filter, and a range for each axis; `null` is everything. */
interface Choice {
  y: number;
  readonly codes: (number | null)[];
  x: readonly [number, number] | null;
  yRange: readonly [number, number] | null;
}

type Child = Node | string;

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function viewOf(column: ExploredColumn): View {
  const { cells } = column;
  if (cells.kind === "hex") {
    const bytes = bytesOf(cells.bytes);
    const textAt = (row: number) => {
      const own = bytes.subarray(row * cells.width, (row + 1) * cells.width);
      return "0x" + Array.from(own, (byte) => byte.toString(16).padStart(2, "0")).join("");
    };
    return { column, at: (row) => row, textAt };
  }
  const { buffer } = bytesOf(cells.bytes);
  if (cells.kind === "texts") {
    const codes = cells.width === 1 ? new Uint8Array(buffer) : new Uint32Array(buffer);
    const at = (row: number) => codes[row] ?? 0;
    return { column, at, textAt: (row) => cells.texts[at(row)] ?? "" };
  }
  const numbers = cells.width === 4 ? new Float32Array(buffer) : new Float64Array(buffer);
  const at = (row: number) => numbers[row] ?? NaN;
  return { column, at, textAt: (row) => numberText(at(row), column.isTime) };
}

function numberText(value: number, isTime: boolean): string {
  if (Number.isNaN(value)) return "";
  if (isTime) return new Date(value).toISOString().slice(0, 19).replace("T", " ");
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e9)
    ? value.toExponential(3)
    : Number(value.toPrecision(6)).toLocaleString("en-US", { maximumSignificantDigits: 6 });
  return text.replace("-", "−");
}

/** A number of a sentence or an axis, in four digits at most. */
function shortText(value: number, isTime: boolean): string {
  return numberText(isTime ? value : Number(value.toPrecision(4)), isTime);
}

function start(figure: HTMLElement, data: ExploredData): void {
  const views = data.columns.map(viewOf);
  const [xView, ...yViews] = [data.x, ...data.y.map(({ column }) => column)]
    .map((at) => views[at]!) as [View, ...View[]];
  const filters = data.filters.map((at) => views[at]!);
  const weights = data.weights === null ? null : new Uint32Array(bytesOf(data.weights).buffer);
  const weightOf = (row: number) => weights === null ? 1 : weights[row] ?? 0;
  const xScale = scaleOf(data.xScale);
  const yScales = data.y.map(({ scale }) => scaleOf(scale));
  const choice: Choice = { y: 0, codes: filters.map(() => null), x: null, yRange: null };
  const inView = new Uint8Array(data.height);
  let shown: number[] = [];
  let pinned: number | null = null;
  let page = 0;

  const status = make("p", { role: "status" });
  const main = make("canvas", { role: "img" });
  const bars = make("canvas", { role: "img" });
  const tip = make("div", { class: "tip", "aria-hidden": "true" });
  const box = make("div", { class: "brush" });
  const table = make("table");
  const legend = make("div", { class: "legend", role: "group", "aria-label": "Colours" });
  const controls = make("div", { class: "controls" });
  const stage = make("div", { class: "stage" }, main, box, tip);
  const pages = make("div", { class: "pages" });
  const note = make("p", { class: "note" }, data.note);
  const scroll = make(
    "div",
    { class: "rows", tabindex: "0", role: "group", "aria-label": `The ${data.noun} in view` },
    table,
  );
  figure.querySelector(":scope > img")?.remove();
  figure.setAttribute("data-lm-suppress-shortcuts", "true");
  figure.append(status, controls, legend, stage, bars, scroll, pages, note);

  const labelled = (text: string, ...inputs: HTMLElement[]) =>
    make("label", {}, make("span", {}, text), ...inputs);
  const select = (text: string, options: readonly string[], chosen: (at: number) => void) => {
    const input = make(
      "select",
      { "aria-label": text },
      ...options.map((one) => make("option", {}, one)),
    );
    input.addEventListener("change", () => {
      chosen(input.selectedIndex);
      update();
    });
    controls.append(labelled(text, input));
    return input;
  };

  if (yViews.length > 1) {
    select("Vertical axis", yViews.map(({ column }) => column.label), (at) => {
      choice.y = at;
      choice.yRange = null;
    });
  }
  const selects = filters.map(({ column }, at) => {
    const texts = column.cells.kind === "texts" ? column.cells.texts : [];
    return select(column.label, [`all ${texts.length}`, ...texts], (chosen) => {
      choice.codes[at] = chosen === 0 ? null : chosen - 1;
    });
  });
  const ends = (axis: "x" | "yRange", isTime: boolean) =>
    ["from", "to"].map((name, end) => {
      const kind = isTime
        ? { type: "datetime-local", step: "1" }
        : { type: "number", step: "any", placeholder: name };
      const input = make("input", { ...kind, "aria-label": name });
      input.addEventListener("change", () => {
        const range = choice[axis] ?? [-Infinity, Infinity];
        const typed = isTime ? Date.parse(`${input.value}Z`) : Number.parseFloat(input.value);
        const value = Number.isNaN(typed) ? [-Infinity, Infinity][end]! : typed;
        const next: [number, number] = end === 0 ? [value, range[1]] : [range[0], value];
        choice[axis] = next.some(Number.isFinite) ? next : null;
        update();
      });
      return input;
    });
  const xEnds = ends("x", xView.column.isTime);
  const yEnds = ends("yRange", false);
  const yName = make("span");
  controls.append(
    make("div", { role: "group" }, make("span", {}, xView.column.label), ...xEnds),
    make("div", { role: "group" }, yName, ...yEnds),
  );
  const reset = make("button", { type: "button" }, "Show all");
  reset.addEventListener("click", () => {
    choice.codes.fill(null);
    choice.x = choice.yRange = pinned = null;
    update();
  });
  controls.append(reset);

  const colored = data.color === null ? null : views[data.color]!;
  const colorTexts = colored?.column.cells.kind === "texts" ? colored.column.cells.texts : [];
  const colorFilter = data.color === null ? -1 : data.filters.indexOf(data.color);
  const entries = data.colors.map((_, at) => {
    const isRest = at === data.colors.length - 1 && colorTexts.length > data.colors.length;
    const text = isRest ? "others" : colorTexts[at] ?? "";
    const swatch = make("i", { style: `background:var(--color${at})` });
    const entry = make("button", { type: "button", "aria-pressed": "false" }, swatch, text);
    if (isRest || colorFilter === -1) entry.disabled = true;
    entry.addEventListener("click", () => {
      choice.codes[colorFilter] = choice.codes[colorFilter] === at ? null : at;
      update();
    });
    return entry;
  });
  if (colored !== null) legend.append(`${colored.column.label}: `, ...entries);

  const within = (value: number, range: readonly [number, number] | null) =>
    range === null || (value >= range[0] && value <= range[1]);

  /** Decides which rows are in view; a row without a value on an axis is not. */
  function filter(): void {
    const y = yViews[choice.y]!;
    shown = [];
    for (let row = 0; row < data.height; row++) {
      const value = y.at(row);
      const isIn = !Number.isNaN(value) && within(value, choice.yRange) &&
        within(xView.at(row), choice.x) &&
        choice.codes.every((code, at) => code === null || filters[at]!.at(row) === code);
      inView[row] = isIn ? 1 : 0;
      if (isIn) shown.push(row);
    }
  }

  /** The median of what is in view; each bin of many rows counts as often as it has rows. */
  function median(): number | null {
    const y = yViews[choice.y]!;
    if (weights === null) {
      const values = Float64Array.from(shown, y.at).sort();
      const [low, high] = [values[(values.length - 1) >> 1], values[values.length >> 1]];
      return low === undefined || high === undefined ? null : (low + high) / 2;
    }
    const sorted = shown.toSorted((a, b) => y.at(a) - y.at(b));
    const total = sorted.reduce((sum, row) => sum + weightOf(row), 0);
    let below = 0;
    for (const [at, row] of sorted.entries()) {
      below += weightOf(row);
      if (below * 2 > total) return y.at(row);
      if (below * 2 === total) return (y.at(row) + y.at(sorted[at + 1] ?? row)) / 2;
    }
    return null;
  }

  const withUnit = ({ unit }: ExploredColumn, text: string) =>
    unit === null ? text : `${text} ${unit}`;

  const rangeText = ({ column }: View, [low, high]: readonly [number, number]) => {
    const text = (value: number) => shortText(value, column.isTime);
    const ends = low === -Infinity
      ? `up to ${text(high)}`
      : high === Infinity
      ? `from ${text(low)}`
      : `${text(low)} to ${text(high)}`;
    return `${column.name} ${withUnit(column, ends)}`;
  };

  /** The recount: how many rows are in view, of how many, by what, and their median. */
  function recount(): void {
    const y = yViews[choice.y]!;
    let all = 0;
    for (let row = 0; row < data.height; row++) all += weightOf(row);
    const count = shown.reduce((sum, row) => sum + weightOf(row), 0);
    const number = (value: number) => value.toLocaleString("en-US");
    const chosen = [
      ...choice.codes.flatMap((code, at) => {
        const { column } = filters[at]!;
        return code === null || column.cells.kind !== "texts"
          ? []
          : [`${column.name} ${column.cells.texts[code]}`];
      }),
      ...(choice.x === null ? [] : [rangeText(xView, choice.x)]),
      ...(choice.yRange === null ? [] : [rangeText(y, choice.yRange)]),
    ];
    const middle = median();
    const about = weights === null ? "" : "about ";
    status.textContent = `${number(count)} of ${number(all)} ${data.noun}` +
      (chosen.length === 0 ? "" : `: ${chosen.join(", ")}`) +
      (middle === null
        ? "."
        : `. Median ${y.column.name}: ${about}${withUnit(y.column, shortText(middle, false))}.`);
  }

  /** Shows what is chosen in the controls, however it was chosen. */
  function syncControls(): void {
    for (const [at, input] of selects.entries()) {
      input.selectedIndex = (choice.codes[at] ?? -1) + 1;
    }
    const write = (inputs: readonly HTMLInputElement[], range: Choice["x"], isTime: boolean) => {
      for (const [end, input] of inputs.entries()) {
        const value = range?.[end] ?? NaN;
        input.value = !Number.isFinite(value)
          ? ""
          : isTime
          ? new Date(value).toISOString().slice(0, 19)
          : String(Number(value.toPrecision(6)));
      }
    };
    write(xEnds, choice.x, xView.column.isTime);
    write(yEnds, choice.yRange, false);
    yName.textContent = yViews[choice.y]!.column.label;
    for (const [at, entry] of entries.entries()) {
      if (!entry.disabled) entry.ariaPressed = String(choice.codes[colorFilter] === at);
    }
  }

  // The drawing.

  const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT, BARS] = [56, 12, 8, 40, 340, 90];
  let width = 0;
  let paint: Readonly<Record<string, string>> = {};
  const BINS = 48;
  let laidOut = { width: 0, y: -1 };
  const bins = new Uint8Array(data.height);
  const px = new Float32Array(data.height);
  const py = new Float32Array(data.height);

  function pen(canvas: HTMLCanvasElement, height: number): CanvasRenderingContext2D {
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

  /** A tick of the axis to the right: of times the day, or within two days the time of day. */
  function acrossText(value: number): string {
    if (!xView.column.isTime) return shortText(value, false);
    const [low, high] = data.xScale.domain;
    const text = new Date(value).toISOString();
    return high - low > 2 * 86_400_000 ? text.slice(5, 10) : text.slice(11, 19);
  }

  function drawAxes(to: CanvasRenderingContext2D): void {
    const [right, bottom] = [width - RIGHT, HEIGHT - BOTTOM];
    const yScale = yScales[choice.y]!;
    to.strokeStyle = paint["range"]!;
    to.fillStyle = paint["muted"]!;
    to.textBaseline = "middle";
    to.textAlign = "right";
    for (const value of yScale.ticks(7)) {
      const at = bottom - yScale.place(value) * (bottom - TOP);
      line(to, [LEFT, at], [right, at]);
      to.fillText(shortText(value, false), LEFT - 6, at);
    }
    to.textAlign = "center";
    to.textBaseline = "top";
    for (const value of xScale.ticks(Math.max(2, Math.floor(width / 85)))) {
      const at = LEFT + xScale.place(value) * (right - LEFT);
      line(to, [at, TOP], [at, bottom]);
      to.fillText(acrossText(value), at, bottom + 6);
    }
    to.fillText(`${xView.column.label} →`, (LEFT + right) / 2, bottom + 23);
  }

  function line(to: CanvasRenderingContext2D, from: [number, number], end: [number, number]) {
    to.beginPath();
    to.moveTo(...from);
    to.lineTo(...end);
    to.stroke();
  }

  /** Places the dots and the bins below them, for a width and an axis upwards. */
  function layOut(): void {
    const { at } = yViews[choice.y]!;
    const { place } = yScales[choice.y]!;
    for (let row = 0; row < data.height; row++) {
      const up = place(at(row));
      px[row] = LEFT + xScale.place(xView.at(row)) * (width - RIGHT - LEFT);
      py[row] = HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - TOP);
      bins[row] = Number.isNaN(up) ? BINS : Math.min(BINS - 1, Math.max(0, Math.floor(up * BINS)));
    }
    laidOut = { width, y: choice.y };
  }

  function draw(): void {
    if (laidOut.width !== width || laidOut.y !== choice.y) layOut();
    const y = yViews[choice.y]!;
    const [right, bottom] = [width - RIGHT, HEIGHT - BOTTOM];
    const to = pen(main, HEIGHT);
    drawAxes(to);
    const isSmall = data.height > 5_000;
    const size = isSmall ? 3 : 5;
    const heaviest = weights === null ? 1 : Math.log1p(weights.reduce((a, b) => Math.max(a, b), 1));
    const last = data.colors.length - 1;
    const colors = data.colors.map((_, at) => paint[`color${at}`]!);
    // Whole pixels are drawn much faster.
    const dot = (row: number) =>
      to.fillRect(Math.round(px[row]! - size / 2), Math.round(py[row]! - size / 2), size, size);
    to.save();
    to.beginPath();
    to.rect(LEFT - 4, TOP - 4, right - LEFT + 8, bottom - TOP + 8);
    to.clip();
    to.fillStyle = paint["range"]!;
    for (let row = 0; row < data.height; row++) if (inView[row] === 0) dot(row);
    to.globalAlpha = isSmall ? 0.6 : 0.75;
    for (const [at, color] of colors.entries()) {
      to.fillStyle = color;
      for (const row of shown) {
        if (colored !== null && Math.min(colored.at(row), last) !== at) continue;
        if (weights !== null) to.globalAlpha = 0.15 + 0.85 * Math.log1p(weightOf(row)) / heaviest;
        dot(row);
      }
    }
    to.restore();
    if (pinned !== null) {
      to.strokeStyle = paint["ink"]!;
      to.lineWidth = 2;
      to.strokeRect(px[pinned]! - 5, py[pinned]! - 5, 10, 10);
    }
    main.ariaLabel = `${y.column.label} by ${xView.column.label}. ${status.textContent}`;
    drawBars(y);
  }

  /** How the values in view are distributed, over the bins of the axis. */
  function drawBars(y: View): void {
    const yScale = yScales[choice.y]!;
    const to = pen(bars, BARS);
    const [all, seen] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1)];
    for (let row = 0; row < data.height; row++) {
      all[bins[row]!]! += weightOf(row);
      if (inView[row] === 1) seen[bins[row]!]! += weightOf(row);
    }
    const [right, bottom] = [width - RIGHT, BARS - 32];
    const most = all.subarray(0, BINS).reduce((a, b) => Math.max(a, b), 1);
    const step = (right - LEFT) / BINS;
    for (let bin = 0; bin < BINS; bin++) {
      for (const [counts, color] of [[all, "range"], [seen, "bar"]] as const) {
        const height = counts[bin]! / most * (bottom - 4);
        to.fillStyle = paint[color]!;
        to.fillRect(LEFT + bin * step, bottom - height, Math.max(1, step - 1), height);
      }
    }
    to.fillStyle = paint["muted"]!;
    to.textAlign = "center";
    to.textBaseline = "top";
    for (const value of yScale.ticks(Math.max(2, Math.floor(width / 90)))) {
      to.fillText(
        shortText(value, false),
        LEFT + yScale.place(value) * (right - LEFT),
        bottom + 3,
      );
    }
    to.fillText(`${y.column.label} →`, (LEFT + right) / 2, bottom + 18);
    bars.ariaLabel = `How many ${data.noun} by ${y.column.label}`;
  }

  // The rows in view.

  const ROWS = 8;

  function list(): void {
    scroll.hidden = pages.hidden = data.listed.length === 0;
    if (scroll.hidden) return;
    const listed = data.listed.map((at) => views[at]!);
    const y = yViews[choice.y]!;
    if (!listed.includes(y)) listed.push(y);
    const classOf = ({ column }: typeof y) => column.cells.kind === "numbers" ? "number" : "text";
    const head = make(
      "tr",
      {},
      ...listed.map((view) =>
        make("th", { scope: "col", class: classOf(view) }, view.column.label)
      ),
    );
    const rows = shown.slice(page * ROWS, (page + 1) * ROWS);
    const first = pinned === null ? rows : [pinned, ...rows.filter((row) => row !== pinned)];
    const cells = (row: number) =>
      listed.map((view) => {
        const text = view.textAt(row);
        const { label, link } = view.column;
        const short = /^0x[0-9a-f]{17,}$/.test(text)
          ? `${text.slice(0, 10)}…${text.slice(-8)}`
          : text;
        const kind = { class: classOf(view), title: text, "data-name": label };
        if (link === null || text === "") return make("td", kind, short);
        return make(
          "td",
          kind,
          make(
            "a",
            { href: link + encodeURIComponent(text), target: "_blank", rel: "noopener" },
            short,
          ),
        );
      });
    table.replaceChildren(
      make("caption", {}, `The ${data.noun} in view`),
      make("thead", {}, head),
      make(
        "tbody",
        {},
        ...first.map((row) =>
          make("tr", row === pinned ? { "aria-current": "true" } : {}, ...cells(row))
        ),
      ),
    );
    const last = Math.max(0, Math.ceil(shown.length / ROWS) - 1);
    const turn = (text: string, to: number) => {
      const button = make("button", { type: "button" }, text);
      button.disabled = to < 0 || to > last;
      button.addEventListener("click", () => {
        page = to;
        list();
      });
      return button;
    };
    pages.replaceChildren(
      turn("Previous", page - 1),
      ` ${(page + 1).toLocaleString("en-US")} of ${(last + 1).toLocaleString("en-US")} `,
      turn("Next", page + 1),
    );
  }

  function update(): void {
    page = 0;
    filter();
    if (pinned !== null && inView[pinned] === 0) pinned = null;
    recount();
    syncControls();
    draw();
    list();
  }

  // The pointer: a drag brushes, a click picks a row, a move shows it.

  const at = (canvas: HTMLElement, event: PointerEvent): [number, number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };

  function nearest([x, y]: readonly [number, number]): number | null {
    let [best, distance] = [null as number | null, 144];
    for (const row of shown) {
      const away = (px[row]! - x) ** 2 + (py[row]! - y) ** 2;
      if (away < distance) [best, distance] = [row, away];
    }
    return best;
  }

  function brush(
    canvas: HTMLCanvasElement,
    moved: (from: [number, number], to: [number, number]) => void,
  ) {
    let from: [number, number] | null = null;
    let isDrag = false;
    canvas.addEventListener("pointerdown", (event) => {
      from = at(canvas, event);
      isDrag = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const to = at(canvas, event);
      if (from === null) return canvas === main ? hover(to) : undefined;
      isDrag ||= Math.hypot(to[0] - from[0], to[1] - from[1]) > 4;
      if (!isDrag) return;
      tip.hidden = true;
      moved(from, to);
    });
    const end = (event: PointerEvent) => {
      if (from !== null && !isDrag && canvas === main && event.type === "pointerup") {
        pinned = nearest(from);
        draw();
        list();
      }
      from = null;
      box.hidden = true;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  function hover(to: readonly [number, number]): void {
    const row = nearest(to);
    tip.hidden = row === null;
    if (row === null) return;
    const told = [...new Set([...filters, xView, yViews[choice.y]!])];
    tip.textContent = told.map((view) => `${view.column.label}: ${view.textAt(row) || "unknown"}`)
      .join("\n");
    tip.style.left = `${Math.max(0, Math.min(px[row]! + 10, width - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, py[row]! - tip.offsetHeight - 8)}px`;
  }

  const sorted = (one: number, other: number): [number, number] =>
    one <= other ? [one, other] : [other, one];
  const clamp = (share: number) => Math.min(1, Math.max(0, share));
  const xAt = (x: number) => xScale.value(clamp((x - LEFT) / (width - RIGHT - LEFT)));

  brush(main, (from, to) => {
    const [left, right] = sorted(from[0], to[0]);
    const [top, low] = sorted(from[1], to[1]);
    Object.assign(box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${low - top}px`,
    });
    box.hidden = false;
    const plot = HEIGHT - BOTTOM - TOP;
    const yAt = (y: number) => yScales[choice.y]!.value(clamp((HEIGHT - BOTTOM - y) / plot));
    choice.x = [xAt(left), xAt(right)];
    choice.yRange = [yAt(low), yAt(top)];
    update();
  });
  brush(bars, (from, to) => {
    const [left, right] = sorted(from[0], to[0]);
    const share = (x: number) => clamp((x - LEFT) / (width - RIGHT - LEFT));
    const scale = yScales[choice.y]!;
    choice.yRange = [scale.value(share(left)), scale.value(share(right))];
    update();
  });
  main.addEventListener("pointerleave", () => tip.hidden = true);
  figure.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tip.hidden = true;
  });

  // Width and colours are those of the place.

  function repaint(): void {
    const style = getComputedStyle(figure);
    const names = ["ink", "muted", "range", "bar", ...data.colors.map((_, at) => `color${at}`)];
    paint = Object.fromEntries(
      names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
    );
    width = Math.max(240, stage.clientWidth);
    draw();
  }

  tip.hidden = box.hidden = true;
  update();
  repaint();
  new ResizeObserver(() => {
    if (stage.clientWidth > 0 && Math.max(240, stage.clientWidth) !== width) repaint();
  }).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  const theme = new MutationObserver(repaint);
  for (const element of [document.documentElement, document.body]) {
    theme.observe(element, { attributes: true });
  }
}
