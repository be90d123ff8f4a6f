import {
  ADDRESS,
  anyFunction,
  checkOptions,
  type OptionRules,
  required,
} from "../../errors/option_rules.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { divide, mulDivDown, sameHex } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import type { OpenInterval } from "../solvers/reward_facts.ts";
import type { AuditedTrade } from "./compare_records.ts";
import type { SettlementAudit } from "./settlement_audit.ts";

/** The reason why the slippage of a settlement is unknown. */
export type SlippageUnknown =
  | "reverted"
  | "logs_incomplete"
  | "imbalance_unknown"
  | "calldata_unknown"
  | "fee_withdrawal"
  | "legacy_fee"
  | "fee_unknown"
  | "no_native_price";

/** An input without which the slippage of a settlement has bounds only. */
export type SlippageGap = "native_payments" | "protocol_fees" | "jit_owner";

/** Slippage of a settlement in native atoms, each amount rounded down. */
export interface SettlementSlippage {
  /** Amounts that the settlement contract received less those it paid, at native prices. */
  readonly imbalance: OpenInterval;
  /** Protocol, partner and network fees of its trades, at native prices. */
  readonly fees: AtomInterval;
  /** Imbalance less fees: negative if the buffers of the contract paid. */
  readonly slippage: OpenInterval;
  /** The inputs without which it has bounds only; empty if it is exact. */
  readonly missing: readonly SlippageGap[];
}

/** Options of {@linkcode settlementSlippage}. */
export interface SettlementSlippageOptions {
  /** Finds the native price of a token: native atoms for 10^18 of its atoms. */
  readonly findPrice: (token: string) => bigint | undefined;
  /** Wrapped native token, which is worth as much as the native one. @default {priced as others} */
  readonly wrappedNativeToken?: string | undefined;
}

const OPTIONS: OptionRules<SettlementSlippageOptions> = {
  findPrice: required(anyFunction()),
  wrappedNativeToken: ADDRESS,
};

const WAD = 10n ** 18n;

/**
 * Computes the slippage of a settlement: what is left in the settlement contract, or taken from its
 * buffers, after the fees that the solver is expected to leave there.
 *
 * `slippage = Σ (imbalance - protocol fee - network fee) * native price / 10^18` over its tokens, rounded
 * down once. Protocol fees include partner fees and are in the surplus token of each trade, network fees
 * in its sell token: all fees of a buy order, and of a sell order
 * `executedFee - protocolFee * (sold - executedFee) / bought`, rounded to the nearest atom.
 *
 * This is the definition of the protocol's accounting, which pays solvers what they left and charges
 * what they took, except for the prices: the accounting uses hourly averages of another feed, and
 * this the native prices of the settlement's auction. As there, a settlement with an imbalance or a
 * fee in a token without a price has no slippage. The list of settlements that the accounting leaves
 * out by hand is not applied.
 *
 * Native atoms that another contract pays to the settlement contract leave no log. Where native atoms
 * move and a contract is called that may have paid some in, slippage is at least the lower bound; a
 * settlement in which no other native atoms move is taken to have received none. Unknown protocol fees
 * are between none and all fees of their trade, and a trade whose role is unknown paid either no fees or
 * those of its uniform prices; the bounds allow for an atom of the sell token, by which rounding may
 * differ.
 *
 * @param audit A settlement, from `auditSettlement` or `compareSettlement`, with reported fills.
 * @param options Native prices.
 * @returns The slippage; or `"reverted"`, `"logs_incomplete"`, `"imbalance_unknown"` of a token,
 * `"calldata_unknown"` of a settlement through another contract, `"fee_withdrawal"` where the contract
 * itself trades, `"legacy_fee"` where an order signed a fee, `"fee_unknown"` where uniform prices give
 * none, `"no_native_price"`.
 * @throws {InputError} If an option is unknown or invalid, or there is no `findPrice`.
 * @see {@link https://github.com/cowprotocol/dune-queries/blob/02604060068242ddf75fd74686ebe26d00b02346/cowprotocol/accounting/slippage/raw_slippage_4059683.sql | the query of the accounting}
 *
 * @example A settlement of a sandbox, whose fills were not passed
 * ```ts
 * import { connect } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { compareSettlement, isNotComputable, settlementSlippage } from "orderlens/metrics";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 20 });
 * const found = await Array.fromAsync(connect(sandbox).competitions({ last: 20 }));
 * const competition = found.flatMap(({ competition }) => competition ?? [])
 *   .find(({ transactionHashes }) => transactionHashes.length > 0)!;
 * const [txHash] = competition.transactionHashes;
 * const audit = compareSettlement(await settlement(sandbox, txHash!), { competition });
 * const { prices } = competition.auction;
 *
 * const slippage = settlementSlippage(audit, { findPrice: (token) => prices[token] });
 * assert(!isNotComputable(slippage));
 * assertEquals(slippage.missing, ["protocol_fees"]);
 * ```
 */
export function settlementSlippage(
  audit: SettlementAudit,
  options: SettlementSlippageOptions,
): SettlementSlippage | NotComputable<SlippageUnknown> {
  checkOptions(options, OPTIONS, "Cannot compute slippage");
  const flows = listFlows(audit);
  if (isNotComputable(flows)) return flows;
  const prices = new PriceReader(options);
  const imbalance = flows.reduce((sum, { token, atoms }) => sum + prices.value(token, atoms), 0n);
  const fees: FeeValue[] = [];
  for (const trade of audit.trades) {
    const value = computeFees(trade, prices);
    if (isNotComputable(value)) return value;
    fees.push(value);
  }
  if (prices.unpriced.size > 0) {
    return {
      reason: "no_native_price",
      detail: `The auction has no native price of ${[...prices.unpriced].join(", ")}`,
    };
  }
  const [low, high] = (["low", "high"] as const).map((end) =>
    fees.reduce((sum, fee) => sum + fee[end], 0n)
  ) as [bigint, bigint];
  const isOpen = flows.some((flow) => flow.isOpen);
  return {
    imbalance: { low: toAtoms(imbalance), high: isOpen ? null : toAtoms(imbalance) },
    fees: { low: toAtoms(low), high: toAtoms(high) },
    slippage: {
      low: toAtoms(imbalance - high),
      high: isOpen ? null : toAtoms(imbalance - low),
    },
    missing: [
      ...isOpen ? ["native_payments" as const] : [],
      ...new Set(fees.flatMap(({ missing }) => missing ?? [])),
    ],
  };
}

/** Rounds a product of atoms and a native price to native atoms. */
function toAtoms(value: bigint): bigint {
  return divide(value, WAD, { rounding: "floor" });
}

/** Atoms of a token by which the buffers changed; open if it may be more. */
interface BufferFlow {
  readonly token: string;
  readonly atoms: bigint;
  readonly isOpen: boolean;
}

/** Lists by how much the buffers changed, or returns what prevents an account of the settlement. */
function listFlows(audit: SettlementAudit): BufferFlow[] | NotComputable<SlippageUnknown> {
  const { succeeded, imbalances, isDecoded, trades, settlementContract } = audit;
  if (!succeeded) return { reason: "reverted", detail: "The transaction failed" };
  if (isNotComputable(imbalances)) return imbalances;
  if (!isDecoded) {
    const detail = "Another contract called the settlement contract: its fees are unknown";
    return { reason: "calldata_unknown", detail };
  }
  const withdrawal = trades.find(({ owner }) => sameHex(owner, settlementContract));
  if (withdrawal !== undefined) {
    const detail = `The settlement contract itself sells in order ${withdrawal.uid}`;
    return { reason: "fee_withdrawal", detail };
  }
  const flows: BufferFlow[] = imbalances.tokens.map(({ token, netAtoms }) => {
    return { token, atoms: netAtoms, isOpen: false };
  });
  for (const { token, why, leastNetAtoms } of imbalances.unknown) {
    if (leastNetAtoms === undefined) {
      return { reason: "imbalance_unknown", detail: `${token}: ${why}` };
    }
    flows.push({ token, atoms: leastNetAtoms, isOpen: true });
  }
  return flows;
}

/** Reads native prices, and collects the tokens of amounts without one. */
class PriceReader {
  readonly unpriced: Set<string> = new Set();
  readonly #options: SettlementSlippageOptions;

  constructor(options: SettlementSlippageOptions) {
    this.#options = options;
  }

  /** Multiplies atoms by the native price of their token, exactly. */
  value(token: string, atoms: bigint): bigint {
    if (atoms === 0n) return 0n;
    const price = this.price(token);
    if (price === undefined) this.unpriced.add(token);
    return atoms * (price ?? 0n);
  }

  /** The native price of a token; that of the native token is exact by definition. */
  price(token: string): bigint | undefined {
    const { findPrice, wrappedNativeToken } = this.#options;
    const isNative = [NATIVE_TOKEN_ADDRESS, wrappedNativeToken].some((native) =>
      native !== undefined && sameHex(token, native)
    );
    return isNative ? WAD : findPrice(token);
  }
}

/** Fees of a trade: products of atoms and native prices. */
interface FeeValue extends AtomInterval {
  readonly missing?: readonly SlippageGap[];
}

/** Values the fees of a trade: protocol fees in its surplus token, the network fee in its sell token. */
function computeFees(
  trade: AuditedTrade,
  prices: PriceReader,
): FeeValue | NotComputable<SlippageUnknown> {
  const { uid, feeAmount, allFeesAtoms, networkFeeAtoms, priceDifferenceAtoms } = trade;
  if (feeAmount > 0n) {
    return { reason: "legacy_fee", detail: `Order ${uid} signed a fee of ${feeAmount} atoms` };
  }
  if (!isNotComputable(allFeesAtoms)) {
    return isNotComputable(networkFeeAtoms)
      ? boundFees(trade, allFeesAtoms, prices)
      : toFeeValue(valueFees(trade, [allFeesAtoms, allFeesAtoms - networkFeeAtoms], prices));
  }
  if (allFeesAtoms.reason !== "jit_owner_unknown" || priceDifferenceAtoms < 0n) {
    return { reason: "fee_unknown", detail: `Order ${uid}: ${allFeesAtoms.detail}` };
  }
  const { low, high } = boundFees(trade, priceDifferenceAtoms, prices);
  return { low: low < 0n ? low : 0n, high: high > 0n ? high : 0n, missing: ["jit_owner"] };
}

function toFeeValue(value: bigint): FeeValue {
  return { low: value, high: value };
}

/** Bounds the fees of a trade whose protocol fees are unknown: between none and all of them. */
function boundFees(trade: AuditedTrade, all: bigint, prices: PriceReader): FeeValue {
  // Whatever they are for, all fees of a buy order are in its sell token.
  if (trade.kind === "buy" || all === 0n) return toFeeValue(valueFees(trade, [all, 0n], prices));
  const values = [0n, all].map((protocol) => valueFees(trade, [all, protocol], prices));
  const [first, second] = values as [bigint, bigint];
  const atom = prices.price(trade.sellToken) ?? 0n;
  return {
    low: (first < second ? first : second) - atom,
    high: (first < second ? second : first) + atom,
    missing: ["protocol_fees"],
  };
}

function valueFees(
  { kind, sellToken, buyToken, sellAmount, buyAmount, ...trade }: AuditedTrade,
  [all, protocol]: readonly [all: bigint, protocol: bigint],
  prices: PriceReader,
): bigint {
  if (kind === "buy") return prices.value(sellToken, all);
  // At the uniform prices of the trade, rounded down as the service does.
  const executedFee = all === 0n
    ? 0n
    : mulDivDown(all, trade.uniformBuyPrice, trade.uniformSellPrice);
  const share = protocol === 0n || buyAmount === 0n ? 0n : divide(
    protocol * (sellAmount - executedFee),
    buyAmount,
    { rounding: "halfExpand" },
  );
  return prices.value(buyToken, protocol) + prices.value(sellToken, executedFee - share);
}
