import type { SettlementAudit } from "../../metrics/mod.ts";
import { priceOf } from "../../metrics/prices/price_of.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Competition } from "../../schemas/mod.ts";
import { nativeValue } from "../../units/mod.ts";
import { amount, native, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import {
  COMPETITION_KIND,
  readRecords,
  recordsRule,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";
import { AUDIT_KIND, byBlock, settlementColumns } from "./audit_columns.ts";
import { type ImbalanceRow, imbalanceRows } from "./imbalances.ts";

/** What one row is computed from. */
export interface ImbalanceValueRow extends ImbalanceRow {
  /** Native price of the token: native atoms for 10^18 of its atoms; `null` if unknown. */
  readonly price: bigint | null;
}

/** One row per settlement and token; see {@linkcode imbalanceValuesTable}. */
export const IMBALANCE_VALUES: Table<ImbalanceValueRow> = {
  name: "imbalance_values",
  grain: "One token that a settlement left in or took from the settlement contract, with its value",
  columns: [
    ...settlementColumns<ImbalanceValueRow>(),
    text("token", {
      source: "the token; null if the source does not have the settlement's logs",
      cell: ({ token }) => token,
    }),
    text("symbol", {
      source: "symbol of the token, or its shortened address",
      cell: ({ token }, amounts) => token === null ? null : amounts.label(token),
    }),
    ...amount<ImbalanceValueRow>("net_amount", {
      of: "token",
      source: "received less paid by the settlement contract; negative if its buffers paid",
      atoms: ({ imbalance }) => imbalance?.netAtoms,
      token: ({ token }) => token,
    }),
    text("native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "competition.auction.prices of the settlement's auction",
      cell: ({ price }) => price?.toString() ?? null,
    }),
    ...native<ImbalanceValueRow>("net_value", {
      source: "floor(net_amount * native_price / 10^18); 0 if net_amount is",
      atoms: valueOf,
    }),
    text("value_reason", {
      source: "why the value is unknown: why the imbalance is, no_auction if the competition was " +
        "not passed, no_native_price if it has none for the token; null if it is known",
      cell: (row) => valueOf(row) === null ? row.why ?? "no_native_price" : null,
    }),
  ],
};

/** Options of {@linkcode imbalanceValuesTable}. */
export interface ImbalanceValuesOptions extends SolverOptions, TokenOptions {
  /** Auctions of the settlements, whose native prices count. @default {none: values are unknown} */
  competitions?: Iterable<Competition>;
}

const INPUT: TableInput<SettlementAudit, ImbalanceValuesOptions> = {
  table: "imbalanceValuesTable",
  records: AUDIT_KIND,
  options: {
    ...SOLVER_OPTIONS,
    ...TOKEN_OPTIONS,
    competitions: recordsRule(COMPETITION_KIND),
  },
};

/** The native token is worth itself. */
const NATIVE_PRICE = 10n ** 18n;

/**
 * The token imbalances of the settlement contract, valued at the native prices of the auctions: one
 * row per settlement and token, sorted by block. What is unknown has a row with the reason.
 *
 * @param audits Audits, from `auditSettlement` or `auditRange`.
 * @param options The auctions, decimals of tokens and names of solvers.
 * @returns A frame with the columns of {@linkcode IMBALANCE_VALUES}; no audits give no rows.
 * @throws {InputError} If a record is no audit, or an option is unknown.
 *
 * @example No audits
 * ```ts
 * import { imbalanceValuesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(imbalanceValuesTable([]).height, 0);
 * ```
 */
export function imbalanceValuesTable(
  audits: Iterable<SettlementAudit>,
  options: ImbalanceValuesOptions = {},
): Frame {
  const given = readRecords(audits, options, INPUT);
  const auctions = new Map(
    Array.from(options.competitions ?? [], ({ auctionId, auction }) => [auctionId, auction]),
  );
  const rows = given.flatMap(imbalanceRows).map((row) => {
    const { audit: { auctionId }, token, why } = row;
    if (token === NATIVE_TOKEN_ADDRESS) return { ...row, price: NATIVE_PRICE };
    const auction = auctionId === null ? undefined : auctions.get(auctionId);
    if (auction === undefined) return { ...row, price: null, why: why ?? "no_auction" };
    return { ...row, price: token === null ? null : priceOf(auction, token) ?? null };
  });
  return buildFrame(IMBALANCE_VALUES, rows.sort(byBlock), options);
}

function valueOf({ imbalance, price }: ImbalanceValueRow): bigint | null {
  if (imbalance === null) return null;
  if (imbalance.netAtoms === 0n) return 0n;
  return price === null ? null : nativeValue(imbalance.netAtoms, price);
}
