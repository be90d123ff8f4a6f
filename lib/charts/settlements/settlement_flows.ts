import type { Chart } from "../figure/chart.ts";
import { type ChartOptions, LIMIT } from "../figure/chart_options.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { MOST_SERIES, seriesLegend, seriesOf } from "../general/series.ts";
import type { Rows } from "../rows/row_kind.ts";
import { count, rowsWithTexts } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { shortName } from "../texts/short_names.ts";
import { lanesPanel } from "./flow_lanes.ts";
import { flowTexts } from "./flow_texts.ts";
import {
  type DrawnFlow,
  SETTLEMENT_FLOW_ROWS,
  type SettlementFlowRow,
} from "./settlement_flow_row.ts";

/** Options of {@linkcode settlementFlows}. */
export interface SettlementFlowsOptions extends ChartOptions {
  /** Maximum number of flows drawn. @default {60} */
  limit?: number;
}

const INPUT: ChartInput<SettlementFlowRow, SettlementFlowsOptions> = {
  chart: "settlementFlows",
  rows: SETTLEMENT_FLOW_ROWS,
  options: { limit: LIMIT },
};

/** At most so many tokens are named in the caption. */
const MOST_NAMED = 3;

function isKnown(row: SettlementFlowRow): boolean {
  return row.flow_reason === null || row.flow_reason === undefined;
}

const draw = picture(INPUT, {
  defaults: { limit: 60 },
  select: (rows, { limit }) => {
    const [own = []] = Map.groupBy(rowsWithTexts(rows, ["tx_hash"]), ({ tx_hash }) => tx_hash)
      .values();
    const flows = rowsWithTexts(own.filter(isKnown), ["sender", "receiver"]) as DrawnFlow[];
    const texts = flowTexts(flows);
    const drawn = flows.slice(0, limit);
    return {
      flows,
      texts,
      drawn,
      txHash: own[0]?.tx_hash ?? "",
      unknown: own.filter((row) => !isKnown(row)),
      others: new Set(rows.map(({ tx_hash }) => String(tx_hash))).size - 1,
      tokens: seriesOf(drawn, {
        keyOf: texts.token,
        sizeOf: (points) => points.length,
        limit: MOST_SERIES,
        noun: "token",
      }),
    };
  },
  empty: ({ unknown }) => ({
    title: "Who sent what to whom in a settlement",
    noRows: "No settlement to draw",
    noValues: unknown.some(({ flow_reason }) => flow_reason === "logs_incomplete")
      ? "The source does not have the logs of tokens, which show the flows"
      : "No flow of this settlement is known",
  }),
  panels: ({ drawn, ...size }) => [lanesPanel(drawn, size)],
  legend: ({ tokens }) => seriesLegend(tokens, { shape: "line" }),
  title: ({ flows, texts }) => {
    const tokens = new Set(flows.map(texts.token)).size;
    const sides = flows.flatMap((flow) => [
      { account: flow.sender, role: flow.sender_role },
      { account: flow.receiver, role: flow.receiver_role },
    ]);
    const number = (isOf: (role: string | null) => boolean) =>
      new Set(sides.filter(({ role }) => isOf(role)).map(({ account }) => account)).size;
    const traders = number((role) => role === "trader");
    const others = number((role) => role !== "trader" && role !== "contract");
    return `${count(flows.length, "flow")} of ${count(tokens, "token")} in a settlement with ` +
      `${count(traders, "trader")} and ${count(others, "other account")}`;
  },
  caption: ({ txHash, flows, drawn, unknown, others, tokens }) => [
    flows.length > 0 && `Settlement ${shortHex(txHash)}`,
    drawn.length > 0 && "From top to bottom in the order of the logs",
    flows.length > drawn.length && `${count(flows.length - drawn.length, "more flow")} not drawn`,
    flows.length > 0 && unknown.length > 0 &&
    `Not all flows are known of ${namesOf(unknown)}`,
    tokens.length > MOST_SERIES && `${tokens.at(-1)!.label} share a colour`,
    others > 0 && `${count(others, "other settlement")} left out`,
  ],
});

function namesOf(rows: readonly SettlementFlowRow[]): string {
  const names = [...new Set(rows.map(({ symbol }) => shortName(String(symbol ?? "unknown"))))];
  const more = names.length - MOST_NAMED;
  return more > 0
    ? `${names.slice(0, MOST_NAMED).join(", ")} and ${count(more, "more token")}`
    : names.join(", ");
}

/**
 * Draws who sent which token to whom in one settlement: an arrow per flow, between the lanes of
 * traders, the settlement contract, and pools and others, in the order of the logs.
 *
 * Left of an arrow stands the account that dealt with the settlement contract, or both where it had
 * no part; right of it the amount, in atoms where the token's decimals are unknown. Tokens are told
 * apart by colour.
 *
 * @param given Rows or a frame. Flows of one settlement; without rows the figure says so. Those of
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
 * assertEquals(chart.title, "2 flows of 1 token in a settlement with 1 trader and 1 other account");
 * ```
 */
export function settlementFlows(
  given: Rows<SettlementFlowRow>,
  options: SettlementFlowsOptions = {},
): Chart<SettlementFlowRow> {
  return draw(given, options);
}
