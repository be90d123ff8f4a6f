import * as Plot from "@observablehq/plot";
import { checkOptions, defineRule, type OptionRules } from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { isNetworkName, NETWORKS } from "../../networks/mod.ts";
import { listSymlogTicks } from "../axes/axis_scale.ts";
import { type Chart, escapeText, type PngOptions, toDataUri } from "../figure/chart.ts";
import { readNumber, readOpenRows } from "../general/column_text.ts";
import { figure } from "../general/figure.ts";
import { COLORS } from "../looks.ts";
import { listColumns, readText, type Rows } from "../rows.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import { formatNumber } from "../texts/label_text.ts";
import { EXPLORATION_STYLE } from "./exploration_style.ts";
import { createExplorationScript } from "./exploration_script.ts";
import { createExploredData, type ExploredData, type ExploredPoints } from "./explored_data.ts";
import type { ExploredScale } from "./explored_scale.ts";

/** Options of {@linkcode explore}: names of columns, all with defaults by the table. */
export interface ExploreOptions {
  /** Column of numbers along the horizontal axis; those that end in `_ms` are times. @default {by the table} */
  x?: string;
  /** Column of numbers along the vertical axis; of several, one is chosen in the page. @default {by the table} */
  y?: string | readonly string[];
  /** Column of texts by which rows are coloured; `null` for one colour. @default {by the table} */
  color?: string | null;
  /** Columns of texts to choose from. @default {by the table} */
  filters?: readonly string[];
  /** Columns of the list of rows in view. @default {what the row is about, the filters and `x`} */
  columns?: readonly string[];
  /**
   * Target of links from UIDs, auctions, solvers and transactions: the address of a running `orderlens serve`,
   * such as `http://127.0.0.1:8080`, or a network, for its explorers. What ends in `=`, such as
   * `search.html?q=`, is followed by the name alone.
   *
   * @default {the network that the frame names, if it is a public one}
   */
  href?: string | null;
  /**
   * The frame in code that the page copies: the name of a variable; `null` for no code.
   *
   * @default {"frame"}
   */
  frame?: string | null;
  /**
   * The table in SQL that the page copies, as `market.sql` names it; `null` for no SQL.
   *
   * @default {the table of the frame, if its columns are of one}
   */
  table?: string | null;
}

const NAMES = defineRule<readonly string[]>(
  "a list of names of columns",
  (names) => Array.isArray(names) && names.every((name) => typeof name === "string"),
);

/** An address beside the page to which a name is added. */
const SEARCH_PAGE = /^(?:[\w.-]+\/)*[\w.-]+\?\w+=$/;

const OPTIONS: OptionRules<ExploreOptions> = {
  x: String,
  y: defineRule(
    "the name of a column, or a list of them",
    (y) => typeof y === "string" || NAMES.accepts(y as never),
  ),
  color: defineRule(
    "the name of a column, or null",
    (color) => color === null || typeof color === "string",
  ),
  filters: NAMES,
  columns: NAMES,
  href: defineRule(
    "the address of a running `orderlens serve`, or the name of a network",
    (href) =>
      href === null ||
      (typeof href === "string" &&
        (isNetworkName(href) || /^(?:https?:\/)?\//.test(href) || SEARCH_PAGE.test(href))),
  ),
  frame: defineRule(
    "the name of a variable, or null",
    (name) => name === null || (typeof name === "string" && /^[\p{L}_$][\p{L}\d_$.]*$/u.test(name)),
  ),
  table: defineRule(
    "the name of a table in SQL, or null",
    (name) => name === null || (typeof name === "string" && /^[a-z_][\w.]*$/i.test(name)),
  ),
};

const ACTION = "Cannot draw explore";

/** Defaults by table: the first whose `x` and first `y` are columns of the frame. */
const TABLES = [
  {
    noun: "fills",
    table: "fills",
    x: "volume_native",
    y: ["slippage_net_bps", "slippage_gross_bps", "slippage_user_shown_bps", "slippage_limit_bps"],
    color: "solver_name",
    filters: ["solver_name", "pair", "kind", "market_position"],
    id: "order_uid",
  },
  {
    noun: "fees",
    table: "fees",
    x: "fee_native",
    y: ["fee_bps"],
    color: "policy_kind",
    filters: ["policy_kind", "solver_name", "pair", "verdict"],
    id: "order_uid",
  },
  {
    noun: "solutions",
    table: "outcomes",
    x: "auction_at_ms",
    y: ["margin_native", "score_native"],
    color: "solver_name",
    filters: ["solver_name", "outcome"],
    id: "auction_id",
  },
  {
    noun: "winners",
    table: "reference_scores",
    x: "auction_id",
    y: ["margin_share", "margin_native"],
    color: "solver_name",
    filters: ["solver_name"],
    id: "auction_id",
  },
  {
    noun: "orders",
    table: "lifecycle",
    x: "created_at_ms",
    y: ["time_to_first_fill_seconds", "time_to_last_fill_seconds", "observed_seconds"],
    color: "status",
    filters: ["status", "kind", "pair", "market_position"],
    id: "order_uid",
  },
];

/** Columns that name one row each, to copy it. */
const IDS = ["order_uid", "tx_hash", "auction_id"];

/** Columns by which a reader knows an order. */
const NAMING = ["order_uid", "pair", "solver_name"];

const HINT = "For the report of each order, run `orderlens serve` and pass its address as " +
  '{ href: "http://127.0.0.1:8080" }.';

/** Pages that columns link to: of `orderlens serve`, and of an explorer of the network. */
const PAGES: Readonly<
  Record<string, { serve: string; root?: "explorer" | "blockExplorer"; path?: string }>
> = {
  order_uid: { serve: "orders", root: "explorer", path: "orders" },
  auction_id: { serve: "auctions" },
  tx_hash: { serve: "transactions", root: "blockExplorer", path: "tx" },
  solver: { serve: "solvers", root: "blockExplorer", path: "address" },
  owner: { serve: "accounts", root: "blockExplorer", path: "address" },
};

/**
 * Draws the rows of any table as a view that answers: filters by text, a brush over the picture and
 * over the distribution below it, a sentence that counts what is in view, and a list of it with links
 * to each order. It runs in the page, without a kernel, and loads nothing. The list is sorted by any
 * column; its UIDs are copied, and it is saved as CSV. The selection is copied as a polars filter for the
 * next cell, and as SQL for `market.sql`, which select the rows in view among the frame's and the table's.
 *
 * Frames of fills, fees, outcomes, reference scores and lifecycles need no options. Up to 20,000 rows
 * are listed with links and up to 50,000 are drawn one by one; more are counted in bins, which the
 * page says. Where scripts do not run, there is a picture of the same rows.
 *
 * @param frame A frame, or an array of rows, with the columns that the options name.
 * @returns What `show` displays; `html` is a fragment for any page.
 * @throws {InputError} If the rows have no such columns, a column of an axis is text, or an option is
 *   unknown or invalid.
 *
 * @example Slippage by size, as a file
 * ```ts
 * import { explore } from "orderlens/charts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const fills = [
 *   { volume_native: 0.5, slippage_net_bps: 3, solver_name: "solver_a" },
 *   { volume_native: 12, slippage_net_bps: -1.5, solver_name: "solver_b" },
 * ];
 * const page = `<!doctype html><meta charset="utf-8">${explore(fills).html}`;
 *
 * assertStringIncludes(page, "2 fills: slippage net by volume");
 * ```
 */
export function explore<Row extends object>(
  frame: Rows<Row>,
  options: ExploreOptions = {},
): Exploration {
  checkOptions(options, OPTIONS, ACTION);
  const names = listColumns(frame);
  const has = (name: string) => names.includes(name);
  const table = TABLES.find(({ x, y: [y] }) => has(x) && has(y!));
  const x = options.x ?? table?.x;
  const y = options.y === undefined ? table?.y.filter(has) ?? [] : [options.y].flat();
  if (names.length > 0 && (x === undefined || y.length === 0)) {
    const rows = readOpenRows(frame, { required: {}, optional: names }, ACTION);
    const numeric = names.filter((name) => rows.some((row) => readNumber(row, name) !== null));
    throw new InputError(`${ACTION} rows of this kind without a column for each axis`, {
      remedy: numeric.length === 0
        ? `Pass rows with a column of numbers; these have only ${names.join(", ")}`
        : `Pass columns of numbers as { x: "…", y: "…" }: ${numeric.join(", ")}`,
    });
  }
  const time = y.find((name) => name.endsWith("_ms"));
  if (time !== undefined) {
    throw new InputError(`${ACTION} with ${time} as y: times belong on the horizontal axis`, {
      remedy: `Pass it as { x: "${time}" }`,
    });
  }
  const filters = options.filters ?? table?.filters.filter(has) ?? [];
  const tableColor = table === undefined || !has(table.color) ? null : table.color;
  const color = options.color === undefined ? tableColor : options.color;
  const across = x ?? "x";
  const ids = table !== undefined && has(table.id) ? [table.id] : [];
  const listedColumns = options.columns ?? [...new Set([...ids, ...filters, across])];
  const id = [...ids, ...IDS].find((name) => listedColumns.includes(name)) ?? null;
  const texts = [...filters, ...listedColumns, ...(color === null ? [] : [color])];
  const required = {
    ...Object.fromEntries(texts.map((name) => [name, "text" as const])),
    ...Object.fromEntries([across, ...y].map((name) => [name, "number" as const])),
  };
  const optional = ["network", "is_winner", ...NAMING];
  const rows = readOpenRows(frame, { required, optional }, ACTION);
  const { noun = "rows" } = table ?? {};
  const { frame: variable = "frame" } = options;
  const isWon = rows.length > 0 && rows.every((row) => Reflect.get(row, "is_winner") === true);
  const href = options.href === undefined ? findNetwork(rows) : options.href;
  const { data, points } = createExploredData(rows, {
    noun: noun === "solutions" && isWon ? `winning ${noun}` : noun,
    x: across,
    y: y.length === 0 ? ["y"] : y,
    color,
    filters,
    listed: listedColumns,
    id,
    named: [...new Set([...(id === null ? [] : [id]), ...NAMING.filter(has)])],
    code: {
      frame: variable !== null && Array.isArray(frame) ? `pl.DataFrame(${variable})` : variable,
      table: options.table === undefined ? table?.table ?? null : options.table,
      always: isWon ? ["is_winner"] : [],
    },
    hint: href === null && id === "order_uid" ? HINT : "",
    findLink: createLinks(href),
  });
  return new Exploration(data, drawExploration(data, points));
}

/** Protocol by which a Jupyter kernel gets a value's representations. */
const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display") as never;

/** Rows that a reader explores in the page; {@linkcode explore} makes it. */
export class Exploration {
  /** Title of the view, in one sentence. */
  readonly title: string;
  /** A picture of the rows, a standalone `<svg>` document, for places where no script runs. */
  readonly svg: string;

  readonly #data: ExploredData;
  readonly #picture: Chart;

  /** Wraps what a page takes, and its picture. */
  constructor(data: ExploredData, picture: Chart) {
    this.title = picture.title;
    this.svg = picture.svg;
    this.#data = data;
    this.#picture = picture;
  }

  /** The view as a self-contained HTML fragment, for a page of any width, light or dark. */
  get html(): string {
    return this.#render(
      `<style>${EXPLORATION_STYLE}</style>`,
      `<script type="application/json">${this.#json}</script><script>${createExplorationScript()}</script>`,
    );
  }

  /**
   * The view for a page whose style, script and data are files beside it: no page has to fetch them, and
   * they also load from a disk.
   *
   * @param files Addresses of files with `EXPLORATION_STYLE`, `createExplorationScript()` and `dataScript`.
   * @internal
   */
  linkFiles(
    files: { readonly style: string; readonly script: string; readonly data: string },
  ): string {
    const link = (address: string) => `<script src="${escapeText(address)}"></script>`;
    return this.#render(
      `<link rel="stylesheet" href="${escapeText(files.style)}">`,
      link(files.data) + link(files.script),
    );
  }

  /**
   * The data as a script that puts itself in the place of its element.
   *
   * @internal
   */
  get dataScript(): string {
    return `{const data=document.createElement("script");data.type="application/json";` +
      `data.textContent=${JSON.stringify(this.#json)};document.currentScript.replaceWith(data);}\n`;
  }

  get #json(): string {
    return JSON.stringify(this.#data).replaceAll("<", "\\u003c");
  }

  #render(style: string, scripts: string): string {
    return `<figure class="orderlens-explore">${style}` +
      `<img alt="${escapeText(this.title)}" src="${toDataUri(this.svg)}">${scripts}</figure>`;
  }

  /**
   * The picture as a PNG file.
   *
   * @returns The bytes of the file.
   * @throws {InputError} If `scale` is not above 0 and at most 10.
   */
  png(options: PngOptions = {}): Promise<Uint8Array> {
    return this.#picture.png(options);
  }

  /** Returns the representations that the Jupyter kernel displays. */
  [jupyterDisplay](): Record<string, string> {
    return { "text/html": this.html, "image/svg+xml": this.svg, "text/plain": this.title };
  }
}

/** Finds the network that all rows name; `null` if it has no explorers. */
function findNetwork(rows: readonly object[]): string | null {
  const [name, ...otherNames] = new Set(rows.map((row) => readText(row, "network")));
  return otherNames.length === 0 && name != null && isNetworkName(name) ? name : null;
}

function createLinks(href: string | null): (column: string) => string | null {
  return (column) => {
    const page = PAGES[column];
    if (page === undefined || href === null) return null;
    if (href.endsWith("=")) return href;
    if (!isNetworkName(href)) return `${href.replace(/\/+$/, "")}/${page.serve}/`;
    return page.root === undefined ? null : `${NETWORKS[href][page.root]}/${page.path}/`;
  };
}

const MAX_DOTS = 2_000;

/** Renders all dots as one path of lines without length: a dot in some 13 bytes, of 60. */
const renderAsPath: Plot.RenderFunction = (index, _scales, { x, y }, _dimensions, context) => {
  const path = context.document.createElementNS("http://www.w3.org/2000/svg", "path");
  const dots = [...index].map((dot) => `M${x![dot]!.toFixed(1)},${y![dot]!.toFixed(1)}h0`);
  path.setAttribute("d", dots.join(""));
  path.setAttribute("stroke", COLORS.blue);
  path.setAttribute("stroke-width", "4");
  path.setAttribute("stroke-linecap", "round");
  path.setAttribute("opacity", "0.6");
  return path;
};

/** Draws the rows as a picture, for places where no script runs. */
function drawExploration(data: ExploredData, { x, y, total }: ExploredPoints): Chart {
  const { noun, columns, xScale, y: [first], note } = data;
  const [across, up] = [columns[data.x]!, columns[first!.column]!];
  const dots = x.map((value, row) => ({ x: across.isTime ? new Date(value) : value, y: y[row]! }));
  const placedDots = dots.filter((dot) => !Number.isNaN(dot.y));
  const channels = { x: "x", y: "y", fill: COLORS.blue };
  const marks = placedDots.length <= MAX_DOTS
    ? Plot.dot(placedDots, { ...channels, render: renderAsPath })
    : Plot.rect(placedDots, Plot.bin({ fillOpacity: "count" }, { ...channels, thresholds: 60 }));
  return figure({
    marks: [marks],
    x: { ...createPlotScale(xScale, across.isTime), label: `${across.label} →` },
    y: { ...createPlotScale(first!.scale, false), label: `↑ ${up.label}`, grid: true },
    height: 340,
  }, {
    title: `${count(total, noun.replace(/s$/, ""))}: ${up.name} by ${across.name}`,
    caption: [
      placedDots.length < dots.length &&
      `${formatWhole(dots.length - placedDots.length)} without a ${up.name} left out.`,
      note,
    ].filter(Boolean).join(" "),
  });
}

function createPlotScale(
  { kind, domain, constant }: ExploredScale,
  isTime: boolean,
): Plot.ScaleOptions {
  if (isTime) return { type: "utc", domain: domain.map((end) => new Date(end)) };
  if (kind === "symlog") {
    return { type: kind, domain: [...domain], constant, ticks: listSymlogTicks(domain, constant) };
  }
  return { type: kind, domain: [...domain], ticks: 6, tickFormat: formatNumber };
}
