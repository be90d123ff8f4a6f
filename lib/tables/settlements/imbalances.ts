import type { OnchainSettlement } from "../../evm/mod.ts";
import {
  isNotComputable,
  type SettlementAudit,
  type TokenFlow,
  tokenFlows,
  type TokenImbalance,
} from "../../metrics/mod.ts";
import { findNativePrice } from "../../metrics/prices/price_interval.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { nativeValue } from "../../units/mod.ts";
import { amount, integer, native, symbol, text } from "../columns/columns.ts";
import { createAuctionRates, NATIVE_USD, type RatedRow } from "../columns/dollar_rates.ts";
import type { Column } from "../columns/frame.ts";
import { type AuditRow, readAudits, settlementColumns } from "./settlements.ts";
import { defineTable, type Table } from "../columns/table.ts";
import type { ReadRecords } from "../columns/records.ts";

/** A row with the token of moved atoms. */
interface MovedToken {
  readonly token: string | null;
}

function movedAmount<Row extends MovedToken>(
  name: string,
  declared: Pick<Parameters<typeof amount<Row>>[1], "source" | "atoms">,
): Column<Row>[] {
  return amount(name, { ...declared, role: "token", token: ({ token }) => token });
}

const TOKEN = text<MovedToken>("token", {
  source: "the token; null if the source does not have the settlement's logs",
  cell: ({ token }) => token,
});

const SYMBOL = symbol<MovedToken>("symbol", { label: "the token", token: ({ token }) => token });

/** The inputs of one row. */
interface ImbalanceValueRow extends ImbalanceRow, RatedRow {
  /** Native price of the token: native atoms for 10^18 of its atoms; `null` if unknown. */
  readonly price: bigint | null;
}

/**
 * The token imbalances of the settlement contract, valued at the native prices of the auctions: one
 * row per settlement and token, sorted by block. An unknown imbalance has a row with the reason.
 *
 * @example No audits
 * ```ts
 * import { buildTable, IMBALANCE_VALUES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(IMBALANCE_VALUES, { audits: [] }).height, 0);
 * ```
 */
export const IMBALANCE_VALUES: Table<"audits"> = defineTable<ImbalanceValueRow, "audits">({
  name: "imbalance_values",
  grain: "One token that a settlement left in or took from the settlement contract, with its value",
  kind: "derived",
  of: ["audits"],
  key: ["chain_id", "tx_hash", "position"],
  columns: [
    ...settlementColumns<ImbalanceValueRow>(),
    TOKEN,
    SYMBOL,
    ...movedAmount<ImbalanceValueRow>("net_amount", {
      source: "received less paid by the settlement contract; negative if its buffers paid",
      atoms: ({ imbalance }) => imbalance?.netAtoms,
    }),
    text("native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "competition.auction.prices of the settlement's auction",
      cell: ({ price }) => price?.toString() ?? null,
    }),
    ...native<ImbalanceValueRow>("net_value", {
      source: "floor(net_amount * native_price / 10^18); 0 if net_amount is",
      atoms: calculateValue,
    }),
    NATIVE_USD,
    text("value_reason", {
      source: "why the value is unknown: why the imbalance is, no_auction if the competition was " +
        "not passed, no_native_price if it has none for the token; null if it is known",
      cell: (row) => calculateValue(row) === null ? row.reason ?? "no_native_price" : null,
    }),
  ],
  rows: (records) => {
    const { audits, competitions = [] } = records;
    const auctions = new Map(competitions.map((auction) => [auction.auctionId, auction]));
    const findRate = createAuctionRates(records);
    return readAudits(audits).flatMap(listImbalances).map((row) => {
      const { audit: { auctionId }, token, reason } = row;
      const competition = auctionId === null ? undefined : auctions.get(auctionId);
      const rated = {
        ...row,
        dollarRate: competition === undefined ? NO_AUCTION : findRate(competition),
      };
      if (token === NATIVE_TOKEN_ADDRESS) return { ...rated, price: NATIVE_PRICE };
      if (competition === undefined) {
        return { ...rated, price: null, reason: reason ?? "no_auction" };
      }
      const price = token === null ? undefined : findNativePrice(competition.auction, token);
      return { ...rated, price: price ?? null };
    });
  },
});

const NO_AUCTION = { reason: "no_auction", detail: "The auction was not passed" } as const;

/** Native price of the native token. */
const NATIVE_PRICE = 10n ** 18n;

function calculateValue({ imbalance, price }: ImbalanceValueRow): bigint | null {
  if (imbalance === null) return null;
  if (imbalance.netAtoms === 0n) return 0n;
  return price === null ? null : nativeValue(imbalance.netAtoms, price);
}

/** The inputs of one row. */
interface ImbalanceRow extends AuditRow {
  /** Position among the tokens of the settlement, from 1. */
  readonly position: number;
  /** The token; `null` if no token's imbalance is known. */
  readonly token: string | null;
  /** Its imbalance; `null` if unknown. */
  readonly imbalance: TokenImbalance | null;
  /** Reason why it is unknown; `null` if it is known. */
  readonly reason: string | null;
}

/**
 * One row per settlement and token that went into or out of the settlement contract, sorted by
 * block. An unknown imbalance has a row with the reason.
 *
 * @example No audits
 * ```ts
 * import { buildTable, IMBALANCES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(IMBALANCES, { audits: [] }).height, 0);
 * ```
 */
export const IMBALANCES: Table<"audits"> = defineTable<ImbalanceRow, "audits">({
  name: "imbalances",
  grain: "One token that a settlement moved into or out of the settlement contract",
  kind: "record",
  of: ["audits"],
  key: ["chain_id", "tx_hash", "position"],
  needs: ["settlements"],
  references: [{ columns: ["chain_id", "tx_hash"], to: "settlements" }],
  columns: [
    ...settlementColumns<ImbalanceRow>(),
    integer("position", {
      source: "place of the token among those of the settlement, from 1",
      cell: ({ position }) => position,
    }),
    TOKEN,
    ...movedAmount<ImbalanceRow>("in_amount", {
      source: "received by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.inAtoms,
    }),
    ...movedAmount<ImbalanceRow>("out_amount", {
      source: "paid by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.outAtoms,
    }),
    ...movedAmount<ImbalanceRow>("net_amount", {
      source: "in_amount - out_amount; negative if the contract's buffers paid",
      atoms: ({ imbalance }) => imbalance?.netAtoms,
    }),
    text("imbalance_reason", {
      source: "why the imbalance is unknown; null if it is known",
      cell: ({ reason }) => reason,
    }),
  ],
  rows: ({ audits }) => readAudits(audits).flatMap(listImbalances),
});

/** Lists the imbalances of one settlement. */
function listImbalances(audit: SettlementAudit): ImbalanceRow[] {
  return listTokens(audit).map((row, index) => ({ audit, ...row, position: index + 1 }));
}

function listTokens({ imbalances }: SettlementAudit): Omit<ImbalanceRow, "audit" | "position">[] {
  if (isNotComputable(imbalances)) {
    return [{ token: null, imbalance: null, reason: imbalances.reason }];
  }
  return [
    ...imbalances.tokens.map((item) => ({ token: item.token, imbalance: item, reason: null })),
    ...imbalances.unknown.map(({ token, why }) => ({ token, imbalance: null, reason: why })),
  ];
}

/** The inputs of one row. */
interface TokenFlowRow {
  /** The settlement. */
  readonly settlement: OnchainSettlement;
  /** Position of the flow in it, from 1; `null` for what is unknown. */
  readonly step: number | null;
  /** The flow; `null` if unknown. */
  readonly flow: TokenFlow | null;
  /** Its token; `null` if no flow is known. */
  readonly token: string | null;
  /** Reason why it is unknown; `null` if it is known. */
  readonly reason: string | null;
}

/**
 * Token flows between accounts in settlements: one row per flow, in the order of the settlements and of
 * their logs. Unknown flows have a row with the reason; see `tokenFlows`.
 *
 * @example The flows of a sandbox's settlement
 * ```ts
 * import { connect } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { openSandbox } from "orderlens/sandbox";
 * import { buildTable, TOKEN_FLOWS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const found = await Array.fromAsync(connect(sandbox).competitions({ last: 20 }));
 * const [txHash] = found.flatMap(({ competition }) => competition?.transactionHashes ?? []);
 *
 * const flows = buildTable(TOKEN_FLOWS, { onchainSettlements: [await settlement(sandbox, txHash!)] });
 * assertEquals(flows.row(0).slice(5, 9).filter((_, at) => at % 2 === 1), ["trader", "contract"]);
 * ```
 */
export const TOKEN_FLOWS: Table<"onchainSettlements"> = defineTable<
  TokenFlowRow,
  "onchainSettlements"
>({
  name: "token_flows",
  grain: "One amount of a token that one account sent to another in a settlement",
  kind: "derived",
  of: ["onchainSettlements"],
  key: ["chain_id", "tx_hash", "step", "token"],
  isSorted: () => true,
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
    TOKEN,
    SYMBOL,
    ...movedAmount<TokenFlowRow>("amount", {
      source: "what was sent",
      atoms: ({ flow }) => flow?.atoms,
    }),
    text("flow_reason", {
      source: "why flows of the token are unknown; null if the flow is known",
      cell: ({ reason }) => reason,
    }),
  ],
  rows: (records) =>
    records.onchainSettlements.flatMap((settlement) => listFlows(settlement, records)),
});

function listFlows(
  settlement: OnchainSettlement,
  { wrappedNativeToken }: ReadRecords,
): TokenFlowRow[] {
  const flows = tokenFlows(
    settlement,
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  const unknownRow = { settlement, step: null, flow: null };
  if (isNotComputable(flows)) return [{ ...unknownRow, token: null, reason: flows.reason }];
  return [
    ...flows.flows.map((flow, index) => ({
      settlement,
      step: index + 1,
      flow,
      token: flow.token,
      reason: null,
    })),
    ...flows.unknown.map(({ token, why }) => ({ ...unknownRow, token, reason: why })),
  ];
}
