import * as Plot from "@observablehq/plot";
import { createListAxis, type ListSize } from "../axes/row_axes.ts";
import { type ChartOptions, LIMIT } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import {
  createSeriesLegend,
  groupSeries,
  MAX_SERIES,
  type Series,
} from "../general/column_text.ts";
import { COLORS } from "../looks.ts";
import { declare, fillTexts, isNumber } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, formatList } from "../texts/count_text.ts";
import {
  fitText,
  formatAmount,
  formatExact,
  formatNumber,
  formatPair,
  measureLabel,
} from "../texts/label_text.ts";
import { shortenHex, shortenName, SolverNames } from "../texts/short_names.ts";

/** One amount that one account sent to another: columns of `token_flows`. */
export interface SettlementFlowRow {
  /** Hash of the settlement transaction. */
  tx_hash: string;
  /** Account that paid; `null` where the flow is not known. */
  sender: string | null;
  /** `contract` for the settlement contract, `trader`, `solver`, `wrapper`, `nobody` or `other`. */
  sender_role: string | null;
  /** Account that received. */
  receiver: string | null;
  /** Role of the receiver, as the sender's. */
  receiver_role: string | null;
  /** Symbol of the token, or its shortened address. */
  symbol: string | null;
  /** Address of the token, where several may have one symbol. */
  token?: string | null;
  /** Amount in atoms, as decimal text. */
  amount_atoms?: string | null;
  /** Amount in whole tokens; `null` if decimals are unknown. */
  amount_tokens: number | null;
  /** Reason for unknown flows of the token; `null` for a known flow. */
  flow_reason?: string | null;
}

/** Options of {@linkcode settlementFlows}. */
export interface SettlementFlowsOptions extends ChartOptions {
  /** Maximum number of flows drawn. @default {60} */
  limit?: number;
}

interface DrawnFlow extends SettlementFlowRow {
  sender: string;
  receiver: string;
}

/** Maximum number of tokens named in the caption. */
const MAX_NAMED = 3;

function isKnown(row: SettlementFlowRow): boolean {
  return row.flow_reason === null || row.flow_reason === undefined;
}

/** Formats the amounts that the settlement contract paid and kept, of tokens whose amounts are all known. */
function formatNet(flows: readonly DrawnFlow[], texts: FlowTexts): string {
  const nets = [...Map.groupBy(flows, texts.token)].flatMap(([token, members]) => {
    if (!members.every(({ amount_tokens: amount }) => isNumber(amount))) return [];
    const amounts = members.map(({ amount_tokens: amount, sender_role, receiver_role }) =>
      amount! * (Number(receiver_role === "contract") - Number(sender_role === "contract"))
    );
    const net = sum(amounts);
    return Math.abs(net) <= ROUNDING * sum(amounts, Math.abs) ? [] : [{ token, net }];
  });
  const formatSide = (sign: number) => {
    const tokenTexts = nets.filter(({ net }) => net * sign > 0)
      .map(({ token, net }) => `${formatAmount(Math.abs(net))} ${shortenName(token)}`);
    const more = tokenTexts.length - MAX_NAMED;
    return formatList(
      more <= 0 ? tokenTexts : [...tokenTexts.slice(0, MAX_NAMED), count(more, "more token")],
    );
  };
  const [keptText, paidText] = [formatSide(1), formatSide(-1)];
  if (keptText === "" && paidText === "") return "kept nothing";
  return [paidText && `paid ${paidText} from its buffers`, keptText && `kept ${keptText}`]
    .filter((part) => part !== "").join(" and ");
}

/** Sums of doubles differ by less than this part of their terms. */
const ROUNDING = 1e-12;

function formatTokens(rows: readonly SettlementFlowRow[]): string {
  const names = [...new Set(rows.map(({ symbol }) => shortenName(String(symbol ?? "unknown"))))];
  const more = names.length - MAX_NAMED;
  return more > 0
    ? `${names.slice(0, MAX_NAMED).join(", ")} and ${count(more, "more token")}`
    : names.join(", ");
}

/**
 * Draws who sent which token to whom in one settlement: an arrow per flow, between the lanes of
 * traders, the settlement contract, and pools and others, in the order of the logs.
 *
 * Left of an arrow stands who dealt with the settlement contract, such as `trader A`, or both sides
 * where it had no part; over it the amount, in atoms where the token's decimals are unknown. Tokens
 * are distinguished by colour; tips have the addresses.
 *
 * @param rows Rows or a frame. Flows of one settlement; without rows the figure says so. Those of
 * another settlement than the first row's are left out, and the caption says so, as it names tokens
 * whose flows are not all known.
 * @returns The figure; its `rows` are those drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A trader pays the contract, and it pays a pool
 * ```ts
 * import { settlementFlows } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const flow = { tx_hash: "0x01", symbol: "WETH" };
 * const [trader, contract, pool] = ["0x0a", "0x90", "0x0b"];
 * const chart = settlementFlows([
 *   {
 *     ...flow,
 *     sender: trader,
 *     sender_role: "trader",
 *     receiver: contract,
 *     receiver_role: "contract",
 *     amount_tokens: 1.5,
 *   },
 *   {
 *     ...flow,
 *     sender: contract,
 *     sender_role: "contract",
 *     receiver: pool,
 *     receiver_role: "other",
 *     amount_tokens: 1.49,
 *   },
 * ]);
 *
 * assertEquals(chart.title, "The contract kept 0.01 WETH, in a settlement with 1 trader");
 * ```
 */
export const settlementFlows: Draw<SettlementFlowRow, SettlementFlowsOptions> = defineChart({
  chart: "settlementFlows",
  table: "token_flows",
  columns: {
    ...declare("text", "tx_hash", "sender", "sender_role", "receiver", "receiver_role", "symbol"),
    ...declare("text?", "token", "amount_atoms", "flow_reason"),
    ...declare("number", "amount_tokens"),
  },
  options: { limit: LIMIT },
  defaults: { limit: 60 },
  select: (rows, { limit }) => {
    const [settlement = []] = Map.groupBy(fillTexts(rows, ["tx_hash"]), ({ tx_hash }) => tx_hash)
      .values();
    const flows = fillTexts(settlement.filter(isKnown), ["sender", "receiver"]) as DrawnFlow[];
    const texts = createFlowTexts(flows);
    const drawnRows = flows.slice(0, limit);
    return {
      flows,
      texts,
      drawnRows,
      txHash: settlement[0]?.tx_hash ?? "",
      unknownRows: settlement.filter((row) => !isKnown(row)),
      otherCount: new Set(rows.map(({ tx_hash }) => String(tx_hash))).size - 1,
      tokens: groupSeries(drawnRows, {
        readKey: texts.token,
        measure: (points) => points.length,
        limit: MAX_SERIES,
        noun: "token",
      }),
    };
  },
  empty: ({ unknownRows }) => ({
    title: "Who sent what to whom in a settlement",
    noRows: "No settlement to draw",
    noValues: unknownRows.some(({ flow_reason }) => flow_reason === "logs_incomplete")
      ? "The source lacks the logs of tokens, which show the flows"
      : "No flow of this settlement is known",
  }),
  panels: ({ drawnRows, ...size }) => [createLanesPanel(drawnRows, size)],
  legend: ({ tokens }) => createSeriesLegend(tokens, { shape: "line" }),
  finding: ({ flows, texts }) => [
    `In ${count(flows.length, "transfer")}, the contract ${formatNet(flows, texts)}`,
  ],
  title: ({ flows, texts }) => {
    const traders = new Set(flows.flatMap(({ sender, sender_role, receiver, receiver_role }) => [
      ...(sender_role === "trader" ? [sender] : []),
      ...(receiver_role === "trader" ? [receiver] : []),
    ])).size;
    const tradersText = `in a settlement with ${count(traders, "trader")}`;
    return `The contract ${formatNet(flows, texts)}, ${tradersText}`;
  },
  caption: ({ txHash, flows, drawnRows, unknownRows, otherCount, tokens }) => [
    flows.length > 0 && `Settlement ${shortenHex(txHash)}`,
    drawnRows.length > 0 && "From top to bottom, in the order of the logs",
    flows.length > drawnRows.length &&
    `${count(flows.length - drawnRows.length, "more flow")} not shown`,
    flows.length > 0 && unknownRows.length > 0 &&
    `Some flows of ${formatTokens(unknownRows)} are unknown`,
    tokens.length > MAX_SERIES && `${tokens.at(-1)!.label} share a colour`,
    otherCount > 0 && `${count(otherCount, "other settlement")} left out`,
  ],
});

/** Lanes from left to right, with short names for narrow figures. */
const LANES = [
  { name: "Traders", short: "Traders" },
  { name: "Settlement contract", short: "Contract" },
  { name: "Pools and others", short: "Others" },
] as const;

const [TOP, BOTTOM] = [34, 14];
const RIGHT = 16;

/** Height of a flow with its amount over it, in pixels. */
const ROW_HEIGHT = 28;

/** Distance of the first and the last lane from the edges, in distances of lanes. */
const EDGE = 0.5;

/** Half of the length of an arrow within one lane. */
const WITHIN = 0.22;

function findLane(role: string | null): number {
  return role === "trader" ? 0 : role === "contract" ? 1 : 2;
}

function placeFlow(flow: DrawnFlow, index: number) {
  const [from, to] = [findLane(flow.sender_role), findLane(flow.receiver_role)];
  return from === to
    ? { flow, index, from: from - WITHIN, to: to + WITHIN }
    : { flow, index, from, to };
}

type PlacedFlow = ReturnType<typeof placeFlow>;

/** Draws an arrow per flow, from lane to lane, in the given order. */
function createLanesPanel(
  flows: readonly DrawnFlow[],
  { texts, tokens, ...size }: ListSize & {
    texts: FlowTexts;
    tokens: readonly Series<DrawnFlow>[];
  },
): Panel {
  const places = new Map(flows.map((flow, index) => [flow, index]));
  const room = { ...size, marginTop: TOP };
  const { y, marginLeft } = createListAxis(flows.map(texts.label), room);
  const pitch = (size.width - marginLeft - RIGHT) / (LANES.length - 1 + 2 * EDGE);
  return {
    plot: {
      height: size.height ?? flows.length * ROW_HEIGHT + TOP + BOTTOM,
      marginLeft,
      marginRight: RIGHT,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { type: "linear", domain: [-EDGE, LANES.length - 1 + EDGE], axis: null },
      y: { ...y, tickSize: 0 },
      marks: [
        Plot.ruleX(LANES.keys(), { stroke: COLORS.grey, strokeDasharray: "2 3" }),
        Plot.text(LANES, {
          x: (_: unknown, lane: number) => lane,
          text: ({ name, short }: typeof LANES[number]) => {
            const fitted = fitText(name, pitch - 6);
            return fitted === name ? name : fitText(short, pitch - 6);
          },
          frameAnchor: "top",
          dy: -16,
          fill: COLORS.muted,
          className: "lane",
        }),
        ...tokens.flatMap(({ color, points }) =>
          drawArrows(points.map((flow) => placeFlow(flow, places.get(flow) ?? 0)), {
            color,
            texts,
            pitch,
          })
        ),
      ],
    },
  };
}

function drawArrows(
  flows: readonly PlacedFlow[],
  { color, texts, pitch }: { color: string; texts: FlowTexts; pitch: number },
): Plot.Markish[] {
  const title = ({ flow }: PlacedFlow) => texts.title(flow);
  return [
    Plot.dot(flows, { x: "from", y: "index", r: 3, fill: color, title, className: "sender" }),
    Plot.arrow(flows, {
      x1: "from",
      x2: "to",
      y1: "index",
      y2: "index",
      stroke: color,
      strokeWidth: 2,
      headLength: 5,
      insetEnd: 1,
      title,
      className: "flow",
    }),
    Plot.text(flows, {
      x: ({ from, to }: PlacedFlow) => (from + to) / 2,
      y: "index",
      text: ({ flow }: PlacedFlow) => {
        const amount = texts.amount(flow);
        return measureLabel(amount) <= pitch ? amount : texts.amount(flow, SHORT_DIGITS);
      },
      dy: -9,
      stroke: "white",
      fill: COLORS.ink,
      className: "amount",
    }),
  ];
}

const SHORT_DIGITS = 3;

/** Longest number of atoms that is written in full. */
const MAX_DIGITS = 12;

const [MIN_PLAIN, MAX_PLAIN] = [1e-4, 1e9];

/** Longest symbol beside an amount. */
const MAX_SYMBOL = 14;

/** Names of accounts that are not called by an address. */
const BY_ROLE: ReadonlyMap<string | null, string> = new Map([
  ["contract", "settlement contract"],
  ["solver", "solver"],
  ["wrapper", "wrapped native token"],
  ["nobody", "nobody"],
]);

/** Names all tokens and accounts of a settlement, so that different ones have different names. */
function createFlowTexts(flows: readonly DrawnFlow[]) {
  const tokens = new SolverNames(flows.map((flow) => [readTokenKey(flow), flow.symbol]));
  const names = nameAccounts(flows);
  const nameAccount = (account: string) => names.get(account) ?? account;
  const token = (flow: SettlementFlowRow) => tokens.format(readTokenKey(flow));
  return {
    token,
    label: (flow: DrawnFlow) => {
      const { sender, sender_role, receiver, receiver_role } = flow;
      if (sender_role === "contract") return nameAccount(receiver);
      if (receiver_role === "contract") return nameAccount(sender);
      return formatPair(nameAccount(sender), nameAccount(receiver));
    },
    amount: (flow: DrawnFlow, digits?: number) => {
      const letters = [...token(flow)];
      const symbol = letters.length <= MAX_SYMBOL
        ? letters.join("")
        : `${letters.slice(0, MAX_SYMBOL - 1).join("")}…`;
      const { amount_tokens: tokens } = flow;
      return isNumber(tokens)
        ? `${formatTokenAmount(tokens, digits)} ${symbol}`
        : `${formatAtoms(flow) ?? "unknown amount of"} ${symbol}`;
    },
    title: (flow: DrawnFlow) => {
      const { sender, sender_role, receiver, receiver_role, amount_tokens, amount_atoms: amount } =
        flow;
      const formatAccount = (account: string, role: string | null) =>
        role === null || role === "other" ? account : `${BY_ROLE.get(role) ?? role} ${account}`;
      return [
        isNumber(amount_tokens)
          ? `${formatExact(amount_tokens)} ${token(flow)}`
          : `${token(flow)}, decimals unknown`,
        isAtoms(amount) ? `${amount} atoms` : null,
        `from ${formatAccount(sender, sender_role)}`,
        `to ${formatAccount(receiver, receiver_role)}`,
      ].filter((line) => line !== null).join("\n");
    },
  };
}

type FlowTexts = ReturnType<typeof createFlowTexts>;

/** Names accounts by role, in the order in which they come. */
function nameAccounts(flows: readonly DrawnFlow[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let [traderCount, otherCount] = [0, 0];
  for (const { sender, sender_role, receiver, receiver_role } of flows) {
    for (const [account, role] of [[sender, sender_role], [receiver, receiver_role]] as const) {
      if (names.has(account)) continue;
      names.set(
        account,
        role === "trader"
          ? `trader ${LETTERS[traderCount++] ?? traderCount}`
          : BY_ROLE.get(role) ?? `account ${++otherCount}`,
      );
    }
  }
  return names;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Formats whole tokens with some significant digits; very large and small amounts with an exponent. */
function formatTokenAmount(tokens: number, digits?: number): string {
  const size = Math.abs(tokens);
  if (size < MIN_PLAIN || size >= MAX_PLAIN) return formatNumber(tokens);
  return digits !== undefined
    ? formatAmount(tokens, digits)
    : tokens.toLocaleString("en-US", { maximumSignificantDigits: 6 }).replace("-", "−");
}

function readTokenKey({ token, symbol }: SettlementFlowRow): string {
  return token ?? symbol ?? "unknown";
}

/** Formats an amount in atoms: in full if it is short, else with an exponent. */
function formatAtoms({ amount_atoms: amount }: SettlementFlowRow): string | null {
  if (!isAtoms(amount)) return null;
  return amount.length <= MAX_DIGITS
    ? `${Number(amount).toLocaleString("en-US")} atoms of`
    : `${amount[0]}.${amount.slice(1, 3)}e${amount.length - 1} atoms of`;
}

function isAtoms(amount: unknown): amount is string {
  return typeof amount === "string" && /^\d+$/.test(amount);
}
