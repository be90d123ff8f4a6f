import { auctionsByTransaction } from "../orders/attribute_fills.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, DebugReport, FeePolicy, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { debugFeePolicy } from "./debug_fee_policy.ts";
import { list } from "../option_kinds.ts";

/** Records that contain fee policies. */
export interface PolicySources {
  /** Debug reports: policies of every auction in which the order was in a winning solution. */
  readonly debugReports?: Iterable<DebugReport>;
  /** Trades: policies of the order in the auction that it was settled from. */
  readonly trades?: Iterable<Trade>;
  /** The auctions, which contain the settlement transactions of `trades`. */
  readonly competitions?: Iterable<Competition>;
}

const OPTIONS: OptionRules<PolicySources> = {
  debugReports: list(),
  trades: list(),
  competitions: list(),
};

/**
 * The fee policies of orders by auction, for `replayCompetition` and `scoreSolution`.
 *
 * The service stores policies only for orders in winning solutions, so an auction's map contains
 * only such orders, with `[]` for an order without policies. Policies of trades contain their
 * quote; those of debug reports need the order's. An order with a policy of unknown form is left
 * out.
 *
 * @returns Policies by UID for each auction; auctions without any are absent.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/fee_policies.rs | fee policies of the service}
 *
 * @example The policies of a trade, through its auction's settlement transaction
 * ```ts
 * import { policiesByAuction } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const policy = { volume: { factor: 0.0002 } };
 * const trade = {
 *   blockNumber: 3,
 *   logIndex: 0,
 *   orderUid: "0x0F",
 *   buyAmount: 1n,
 *   sellAmount: 1n,
 *   sellAmountBeforeFees: 1n,
 *   owner: "0x0d",
 *   buyToken: "0xb2",
 *   sellToken: "0xa1",
 *   txHash: "0x01",
 *   executedProtocolFees: [{ policy, amount: 0n, token: "0xb2" }],
 * };
 * const competition = {
 *   auctionId: 7,
 *   auctionStartBlock: 1,
 *   transactionHashes: ["0x01"],
 *   referenceScores: {},
 *   auction: { orders: ["0x0f"], prices: {} },
 *   solutions: [],
 * };
 * const policies = policiesByAuction({ trades: [trade], competitions: [competition] });
 *
 * assertEquals(policies.get(7)?.get("0x0f"), [policy]);
 * ```
 */
export function policiesByAuction(
  sources: PolicySources,
): ReadonlyMap<number, HexMap<readonly FeePolicy[]>> {
  checkOptions(sources, OPTIONS, "Cannot gather fee policies");
  const { debugReports = [], trades = [], competitions = [] } = sources;
  const found = new Map<number, HexMap<readonly FeePolicy[]>>();
  for (const { orderUid, auctions } of debugReports) {
    for (const { id, proposedSolutions, feePolicies } of auctions) {
      if (!proposedSolutions.some(({ isWinner }) => isWinner)) continue;
      add(found, id, orderUid, feePolicies.map(debugFeePolicy));
    }
  }
  const auctions = auctionsByTransaction(competitions);
  for (const { txHash, orderUid, executedProtocolFees } of trades) {
    const auctionId = txHash === null ? undefined : auctions.get(txHash)?.auctionId;
    if (auctionId === undefined || executedProtocolFees === undefined) continue;
    add(found, auctionId, orderUid, executedProtocolFees.map(({ policy }) => policy ?? null));
  }
  return found;
}

function add(
  found: Map<number, HexMap<readonly FeePolicy[]>>,
  auctionId: number,
  orderUid: string,
  policies: readonly (FeePolicy | null)[],
): void {
  const known = policies.filter((policy) => policy !== null);
  if (known.length < policies.length) return;
  let ofAuction = found.get(auctionId);
  if (ofAuction === undefined) found.set(auctionId, ofAuction = new HexMap());
  ofAuction.set(orderUid, known);
}
