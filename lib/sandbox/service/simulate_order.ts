import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/shared_contracts.ts";
import { orderDigest } from "../../evm/mod.ts";
import { encodeRevert } from "../../evm/encode_revert.ts";
import { encodeSettlement } from "../../evm/encode_settlement.ts";
import { mappingSlot } from "../../evm/mapping_slot.ts";
import { recoverSigner } from "../../evm/recover_signer.ts";
import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";
import { mulDivDown } from "../../units/mod.ts";
import { appDataTerms } from "../market/app_data_terms.ts";
import type { BookOrder, OrderInteractions, SignedOrder } from "../market/book_order.ts";
import { isSignedByContract } from "./check_signer.ts";
import { CHAIN_ID, type Market, SETTLEMENT_CONTRACT } from "../market/market.ts";
import { countOf } from "./path_values.ts";
import { readSimulation } from "./read_simulation.ts";
import { isEcdsa } from "./read_order_creation.ts";
import { json, refuse, type Reply } from "./reply.ts";

/** Where the authenticator keeps its solvers, and tokens their balances. */
const SOLVERS_AT = 1n;
const BALANCES_AT = 0n;
const GAS_LIMIT = 16_777_215;
const SIMULATED_BALANCE = 2n ** 255n - 1n;

/** An order that is tried alone, settled at its own limit. */
interface Trial {
  readonly signed: SignedOrder;
  readonly owner: string;
  readonly interactions: OrderInteractions;
  /** What is executed, in atoms of the fixed token. */
  readonly executedAmount: bigint;
  /** The order in the book, where it is there. */
  readonly known: BookOrder | undefined;
  readonly blockNumber: number;
}

/** `GET debug/simulation/{uid}`: tries what is left of an order. */
export async function simulateKnownOrder(
  market: Market,
  { uid, query }: { uid: string; query: URLSearchParams },
): Promise<Reply> {
  const blockNumber = countOf(query, "block_number") ?? market.block;
  const known = market.book.orders.get(uid);
  if (known === undefined) throw refuse(404, "NotFound", "order not found");
  const { signed, owner, left: executedAmount, origin: { interactions } } = known;
  return await simulate(market, {
    signed,
    owner,
    interactions,
    executedAmount,
    known,
    blockNumber,
  });
}

/** `POST debug/simulation`: tries any order. */
export async function simulateOrder(market: Market, body: string): Promise<Reply> {
  const { signed, owner, document, blockNumber = market.block } = readSimulation(body);
  const { interactions } = appDataTerms(document);
  const executedAmount = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const trial = { signed, owner, interactions, executedAmount, known: undefined, blockNumber };
  return await simulate(market, trial);
}

async function simulate(market: Market, trial: Trial): Promise<Reply> {
  const { owner, blockNumber } = trial;
  const solver = `0x${mappingSlot(owner, BigInt(blockNumber)).slice(-40)}`;
  const reason = await revertReason(market, trial);
  return json({
    tenderlyRequest: {
      network_id: String(CHAIN_ID),
      block_number: blockNumber,
      transaction_index: 0,
      from: solver,
      to: SETTLEMENT_CONTRACT,
      input: settlementOf(trial),
      gas: GAS_LIMIT,
      simulation_type: "full",
      save: true,
      save_if_fails: true,
      state_objects: {
        ...fundedSettlement(trial),
        [SOLVER_AUTHENTICATOR]: { storage: { [mappingSlot(solver, SOLVERS_AT)]: word(1n) } },
        [solver]: { balance: word(SIMULATED_BALANCE) },
      },
    },
    error: reason === null ? null : revertError(reason),
  });
}

/** The settlement contract is given what the order buys, and an atom more. */
function fundedSettlement({ signed, executedAmount }: Trial): Record<string, unknown> {
  const { kind, buyToken, buyAmount, sellAmount } = signed;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return {};
  const bought = kind === "buy"
    ? executedAmount
    : mulDivDown(executedAmount, buyAmount, sellAmount);
  const slot = mappingSlot(SETTLEMENT_CONTRACT, BALANCES_AT);
  return {
    [buyToken]: {
      storage: { [slot]: word(bought < LARGEST_AMOUNT ? bought + 1n : LARGEST_AMOUNT) },
    },
  };
}

function settlementOf({ signed, owner, interactions, executedAmount }: Trial): string {
  const { sellToken, buyToken, sellAmount, buyAmount } = signed;
  return encodeSettlement({
    tokens: [sellToken, buyToken],
    clearingPrices: [buyAmount, sellAmount],
    trades: [{
      ...signed,
      sellTokenIndex: 0,
      buyTokenIndex: 1,
      executedAmount,
      signature: settledSignature(signed, owner),
    }],
    interactions: { ...interactions, intra: [] },
  });
}

/** A signature as the settlement contract takes it: on the chain its owner comes first. */
function settledSignature({ signingScheme, signature }: SignedOrder, owner: string): string {
  if (signingScheme === "presign") return owner;
  return signingScheme === "eip1271" ? `${owner}${signature.slice(2)}` : signature;
}

/** Why the settlement contract would not settle the order; `null` where it would. */
async function revertReason(market: Market, trial: Trial): Promise<string | null> {
  const { signed, known, executedAmount } = trial;
  const signer = await signerOf(market, trial);
  if (typeof signer !== "string") return signer.reason;
  if (signed.validTo < market.time.seconds) return "GPv2: order expired";
  if (executedAmount <= 0n || (!signed.partiallyFillable && known?.fills.length)) {
    return "GPv2: order filled";
  }
  const sold = signed.kind === "sell"
    ? executedAmount
    : mulDivDown(executedAmount, signed.sellAmount, signed.buyAmount);
  return market.ledger.balanceOf(signer, signed.sellToken) < sold
    ? "ERC20: transfer amount exceeds balance"
    : null;
}

/** Whose order it is by its signature, or why there is nobody. */
async function signerOf(
  market: Market,
  { signed, owner, known }: Trial,
): Promise<string | { reason: string }> {
  const digest = orderDigest(market.domain, signed);
  if (signed.signingScheme === "presign") {
    return known?.isPreSigned === true ? owner : { reason: "GPv2: order not presigned" };
  }
  if (!isEcdsa(signed.signingScheme)) {
    const claim = { owner, digest, signature: signed.signature };
    return await isSignedByContract(market, claim)
      ? owner
      : { reason: "GPv2: invalid eip1271 signature" };
  }
  try {
    return await recoverSigner(digest, signed);
  } catch {
    return { reason: "GPv2: invalid ecdsa signature" };
  }
}

function revertError(reason: string): string {
  return "server returned an error response: error code 3: execution reverted: " +
    `${reason}, data: "${encodeRevert(reason)}"`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
