import { rule } from "../../errors/option_rules.ts";
import type { OnchainSettlement } from "../../evm/mod.ts";
import { isNotComputable, type TokenFlow, tokenFlows } from "../../metrics/mod.ts";
import { amount, integer, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import {
  readRecords,
  type RecordKind,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";

/** What one row is computed from. */
export interface TokenFlowRow {
  /** The settlement. */
  readonly settlement: OnchainSettlement;
  /** Position of the flow in it, from 1; `null` for what is unknown. */
  readonly step: number | null;
  /** The flow; `null` if unknown. */
  readonly flow: TokenFlow | null;
  /** Its token; `null` if no flow is known. */
  readonly token: string | null;
  /** Why it is unknown. */
  readonly why: string | null;
}

/** One row per flow; see {@linkcode tokenFlowsTable}. */
export const TOKEN_FLOWS: Table<TokenFlowRow> = {
  name: "token_flows",
  grain: "One amount of a token that one account sent to another in a settlement",
  columns: [
    text("tx_hash", { source: "settlement.txHash", cell: ({ settlement }) => settlement.txHash }),
    integer("block_number", {
      source: "settlement.blockNumber",
      cell: ({ settlement }) => settlement.blockNumber,
    }),
    integer("auction_id", {
      source: "settlement.auctionId: from the calldata; null if it has none",
      cell: ({ settlement }) => settlement.auctionId,
    }),
    integer("step", {
      source: "position in the settlement, from 1; null if the flow is unknown",
      cell: ({ step }) => step,
    }),
    integer("log_index", {
      source: "index in the block of the log; null for native atoms paid to a trader",
      cell: ({ flow }) => flow?.logIndex ?? null,
    }),
    text("sender", { source: "account that paid", cell: ({ flow }) => flow?.from ?? null }),
    text("sender_role", {
      source: "contract (the settlement contract), trader, solver, wrapper (the wrapped native " +
        "token), nobody (atoms are created) or other",
      cell: ({ flow }) => flow?.fromRole ?? null,
    }),
    text("receiver", { source: "account that received", cell: ({ flow }) => flow?.to ?? null }),
    text("receiver_role", {
      source: "as sender_role; nobody where atoms are destroyed",
      cell: ({ flow }) => flow?.toRole ?? null,
    }),
    text("token", {
      source: "the token; null if the source does not have the settlement's logs",
      cell: ({ token }) => token,
    }),
    text("symbol", {
      source: "symbol of the token, or its shortened address",
      cell: ({ token }, amounts) => token === null ? null : amounts.label(token),
    }),
    ...amount<TokenFlowRow>("amount", {
      of: "token",
      source: "what was sent",
      atoms: ({ flow }) => flow?.atoms,
      token: ({ token }) => token,
    }),
    text("flow_reason", {
      source: "why flows of the token are unknown; null if the flow is known",
      cell: ({ why }) => why,
    }),
  ],
};

/** Options of {@linkcode tokenFlowsTable}. */
export interface TokenFlowsOptions extends TokenOptions {
  /** Wrapped native token of the network. @default {those of the public networks} */
  wrappedNativeToken?: string;
}

const SETTLEMENT_KIND: RecordKind<OnchainSettlement> = {
  noun: "settlements",
  fields: ["txHash", "transfers"],
  from: "`settlement` of `orderlens/evm` returns one",
};

const ADDRESS = rule<string>(
  "an address, 0x and 40 hex digits,",
  (value) => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value),
);

const INPUT: TableInput<OnchainSettlement, TokenFlowsOptions> = {
  table: "tokenFlowsTable",
  records: SETTLEMENT_KIND,
  options: { ...TOKEN_OPTIONS, wrappedNativeToken: ADDRESS },
};

/**
 * Who sent which token to whom in settlements: one row per flow, in the order of the settlements
 * and of their logs. What is unknown has a row with the reason; see `tokenFlows`.
 *
 * @param settlements Settlements, from `settlement` of `orderlens/evm`.
 * @param options Decimals and symbols of tokens, and the wrapped native token.
 * @returns A frame with the columns of {@linkcode TOKEN_FLOWS}; no settlements give no rows.
 * @throws {InputError} If a record is no settlement, or an option is unknown.
 *
 * @example The flows of a sandbox's settlement
 * ```ts
 * import { connect } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { tokenFlowsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const found = await Array.fromAsync(connect(sandbox).competitions({ last: 20 }));
 * const [txHash] = found.flatMap(({ competition }) => competition?.transactionHashes ?? []);
 *
 * const flows = tokenFlowsTable([await settlement(sandbox, txHash!)]);
 * assertEquals(flows.row(0).slice(5, 9).filter((_, at) => at % 2 === 1), ["trader", "contract"]);
 * ```
 */
export function tokenFlowsTable(
  settlements: Iterable<OnchainSettlement>,
  options: TokenFlowsOptions = {},
): Frame {
  const rows = readRecords(settlements, options, INPUT).flatMap((one) => rowsOf(one, options));
  return buildFrame(TOKEN_FLOWS, rows, options);
}

function rowsOf(
  settlement: OnchainSettlement,
  { wrappedNativeToken }: TokenFlowsOptions,
): TokenFlowRow[] {
  const found = tokenFlows(
    settlement,
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  const unknown = { settlement, step: null, flow: null };
  if (isNotComputable(found)) return [{ ...unknown, token: null, why: found.reason }];
  return [
    ...found.flows.map((flow, place) => ({
      settlement,
      step: place + 1,
      flow,
      token: flow.token,
      why: null,
    })),
    ...found.unknown.map(({ token, why }) => ({ ...unknown, token, why })),
  ];
}
