import { isNotComputable, type SettlementAudit, type TokenImbalance } from "../../metrics/mod.ts";
import { priceOf } from "../../metrics/prices/price_interval.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Competition } from "../../schemas/mod.ts";
import { nativeValue } from "../../units/mod.ts";
import { amount, integer, native, text } from "../columns/columns.ts";
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
import { AUDIT_KIND, type AuditRow, byBlock, settlementColumns } from "./audit_columns.ts";

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

/** What one row is computed from. */
export interface ImbalanceRow extends AuditRow {
  /** Its place among the tokens of the settlement, from 1. */
  readonly position: number;
  /** The token; `null` if no token's imbalance is known. */
  readonly token: string | null;
  /** Its imbalance; `null` if unknown. */
  readonly imbalance: TokenImbalance | null;
  /** Why it is unknown. */
  readonly why: string | null;
}

/** One row per settlement and token; see {@linkcode imbalancesTable}. */
export const IMBALANCES: Table<ImbalanceRow> = {
  name: "imbalances",
  grain: "One token that a settlement moved into or out of the settlement contract",
  columns: [
    ...settlementColumns<ImbalanceRow>(),
    integer("position", {
      source: "place of the token among those of the settlement, from 1",
      cell: ({ position }) => position,
    }),
    text("token", {
      source: "the token; null if the source does not have the settlement's logs",
      cell: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("in_amount", {
      of: "token",
      source: "received by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.inAtoms,
      token: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("out_amount", {
      of: "token",
      source: "paid by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.outAtoms,
      token: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("net_amount", {
      of: "token",
      source: "in_amount - out_amount; negative if the contract's buffers paid",
      atoms: ({ imbalance }) => imbalance?.netAtoms,
      token: ({ token }) => token,
    }),
    text("imbalance_reason", {
      source: "why the imbalance is unknown; null if it is known",
      cell: ({ why }) => why,
    }),
  ],
};

/** Options of {@linkcode imbalancesTable}. */
export interface ImbalancesOptions extends SolverOptions, TokenOptions {}

const IMBALANCES_INPUT: TableInput<SettlementAudit, ImbalancesOptions> = {
  table: "imbalancesTable",
  records: AUDIT_KIND,
  options: { ...SOLVER_OPTIONS, ...TOKEN_OPTIONS },
};

/**
 * One row per settlement and token that went into or out of the settlement contract, sorted by
 * block. What is unknown has a row with the reason.
 *
 * @param audits Audits, from `auditSettlement` or `auditRange`.
 * @param options Decimals of tokens and names of solvers.
 * @returns A frame with the columns of {@linkcode IMBALANCES}; no audits give no rows.
 * @throws {InputError} If a record is no audit, or an option is unknown.
 *
 * @example No audits
 * ```ts
 * import { imbalancesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(imbalancesTable([]).height, 0);
 * ```
 */
export function imbalancesTable(
  audits: Iterable<SettlementAudit>,
  options: ImbalancesOptions = {},
): Frame {
  const rows = readRecords(audits, options, IMBALANCES_INPUT).flatMap(imbalanceRows);
  return buildFrame(IMBALANCES, rows.sort(byBlock), options);
}

/** The rows of one settlement. */
export function imbalanceRows(audit: SettlementAudit): ImbalanceRow[] {
  return tokensOf(audit).map((row, place) => ({ audit, ...row, position: place + 1 }));
}

function tokensOf({ imbalances }: SettlementAudit): Omit<ImbalanceRow, "audit" | "position">[] {
  if (isNotComputable(imbalances)) {
    return [{ token: null, imbalance: null, why: imbalances.reason }];
  }
  return [
    ...imbalances.tokens.map((one) => ({ token: one.token, imbalance: one, why: null })),
    ...imbalances.unknown.map(({ token, why }) => ({ token, imbalance: null, why })),
  ];
}
