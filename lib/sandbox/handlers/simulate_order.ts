import { encodeRevert } from "../../evm/settlement/encode_revert.ts";
import { encodeSettlement } from "../../evm/settlement/encode_settlement.ts";
import { mappingSlot } from "../../evm/settlement/mapping_slot.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/shared_contracts.ts";
import { LARGEST_AMOUNT } from "../../units/largest_amount.ts";
import { mulDivDown } from "../../units/mod.ts";
import { appDataTerms } from "../market/traders/app_data_terms.ts";
import { settledSignature } from "../market/settlement/settled_signature.ts";
import { CHAIN_ID, type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { queryCount } from "../wire/url_values.ts";
import { json, type Rejection, rejection, type Reply } from "../wire/reply.ts";
import { hashAppData, orderDigest } from "../../evm/mod.ts";
import { integer, readAddress, readText } from "../wire/loose_values.ts";
import type { BookOrder, OrderInteractions, SignedOrder } from "../market/state/book_order.ts";
import { checkAppData } from "../wire/check_app_data.ts";
import { optional, required } from "../wire/field.ts";
import { Fields } from "../wire/fields.ts";
import { orReject } from "../wire/or_reject.ts";
import { isEcdsa, readSignature, SIGNED_FIELDS } from "../wire/read_order_creation.ts";
import { readPositive } from "../wire/read_quote_request.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";

/** Storage slots of the authenticator's solvers and of a token's balances. */
const SOLVERS_SLOT = 1n;

const BALANCES_SLOT = 0n;

const GAS_LIMIT = 16_777_215;

const SIMULATED_BALANCE = 2n ** 255n - 1n;

/** `GET debug/simulation/{uid}`: simulates the remaining amount of an order. */
export async function simulateKnownOrder(
  market: Market,
  { uid, query }: { uid: string; query: URLSearchParams },
): Promise<Reply> {
  const blockNumber = queryCount(query, "block_number") ?? market.block;
  const bookOrder = market.book.orders.get(uid);
  if (bookOrder === undefined) throw rejection(404, "NotFound", "order not found");
  const { signed, owner, remaining: executedAmount, origin: { interactions } } = bookOrder;
  const simulated = { signed, owner, interactions, executedAmount, bookOrder, blockNumber };
  return await simulate(market, simulated);
}

/** `POST debug/simulation`: simulates any order. */
export async function simulateOrder(market: Market, body: string): Promise<Reply> {
  const { signed, owner, document, blockNumber = market.block } = readSimulation(body);
  const { interactions } = appDataTerms(document);
  const executedAmount = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const simulated = {
    signed,
    owner,
    interactions,
    executedAmount,
    bookOrder: undefined,
    blockNumber,
  };
  return await simulate(market, simulated);
}

async function simulate(market: Market, simulated: SimulatedOrder): Promise<Reply> {
  const { owner, blockNumber } = simulated;
  // Any address works: the simulation makes it a solver.
  const solver = `0x${mappingSlot(owner, BigInt(blockNumber)).slice(-40)}`;
  const reason = await revertReason(market, simulated);
  return json({
    tenderlyRequest: {
      network_id: String(CHAIN_ID),
      block_number: blockNumber,
      transaction_index: 0,
      from: solver,
      to: SETTLEMENT_CONTRACT,
      input: settlementOf(simulated),
      gas: GAS_LIMIT,
      simulation_type: "full",
      save: true,
      save_if_fails: true,
      state_objects: {
        ...fundedSettlement(simulated),
        [SOLVER_AUTHENTICATOR]: { storage: { [mappingSlot(solver, SOLVERS_SLOT)]: word(1n) } },
        [solver]: { balance: word(SIMULATED_BALANCE) },
      },
    },
    error: reason === null ? null : revertError(reason),
  });
}

/** Overrides that give the settlement contract what the order buys, plus one atom. */
function fundedSettlement({ signed, executedAmount }: SimulatedOrder): Record<string, unknown> {
  const { kind, buyToken, buyAmount, sellAmount } = signed;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return {};
  const bought = kind === "buy"
    ? executedAmount
    : mulDivDown(executedAmount, buyAmount, sellAmount);
  const slot = mappingSlot(SETTLEMENT_CONTRACT, BALANCES_SLOT);
  return {
    [buyToken]: {
      storage: { [slot]: word(bought < LARGEST_AMOUNT ? bought + 1n : LARGEST_AMOUNT) },
    },
  };
}

function settlementOf({ signed, owner, interactions, executedAmount }: SimulatedOrder): string {
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

function revertError(reason: string): string {
  return "server returned an error response: error code 3: execution reverted: " +
    `${reason}, data: "${encodeRevert(reason)}"`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** An order to simulate, in the book or not. */
interface ParsedSimulation {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Claimed signer. */
  readonly owner: string;
  /** Its app data document. */
  readonly document: string;
  /** Block of the simulation; `undefined` for the latest. */
  readonly blockNumber: number | undefined;
}

/**
 * Reads the body of a simulation.
 *
 * @throws {Rejection} 400 or 422.
 */
function readSimulation(body: string): ParsedSimulation {
  const fields = new Fields(body, "SimulationRequest");
  const { owner, blockNumber, appData: document, receiver = null, ...terms } = fields.all({
    ...SIGNED_FIELDS,
    sellAmount: required(readPositive),
    owner: required(readAddress),
    appData: required(readText),
    blockNumber: optional(integer("u64")),
  });
  const signature = readSignature(fields);
  orReject(() => checkAppData(document), (reason) => invalidDocument(document, reason));
  const appData = hashAppData(document);
  return { signed: { ...terms, receiver, appData, ...signature }, owner, document, blockNumber };
}

function invalidDocument(document: string, reason: string): Rejection {
  return rejection(
    400,
    "BadRequest",
    `malformed input: app_data \`${document}\`: failed to parse app data: ${reason}`,
  );
}

/** An order to simulate alone, settled at its limit price. */
interface SimulatedOrder {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Claimed signer, in lower case. */
  readonly owner: string;
  /** Contract calls around the trade. */
  readonly interactions: OrderInteractions;
  /** Executed amount, in atoms of the fixed token. */
  readonly executedAmount: bigint;
  /** The order in the book; `undefined` if it is not there. */
  readonly bookOrder: BookOrder | undefined;
  /** Block of the simulation. */
  readonly blockNumber: number;
}

/** Why the settlement contract would revert; `null` if it would settle the order. */
async function revertReason(
  market: Market,
  simulated: SimulatedOrder,
): Promise<string | null> {
  const { signed, bookOrder, executedAmount } = simulated;
  const signer = await signerOf(market, simulated);
  if (typeof signer !== "string") return signer.reason;
  if (signed.validTo < market.time.seconds) return "GPv2: order expired";
  if (executedAmount <= 0n || (!signed.partiallyFillable && bookOrder?.fills.length)) {
    return "GPv2: order filled";
  }
  const sold = signed.kind === "sell"
    ? executedAmount
    : mulDivDown(executedAmount, signed.sellAmount, signed.buyAmount);
  return market.ledger.balanceOf(signer, signed.sellToken) < sold
    ? "ERC20: transfer amount exceeds balance"
    : null;
}

/** The signer according to the signature, or why there is none. */
async function signerOf(
  market: Market,
  { signed, owner, bookOrder }: SimulatedOrder,
): Promise<string | { reason: string }> {
  const digest = orderDigest(market.domain, signed);
  if (signed.signingScheme === "presign") {
    return bookOrder?.isPreSigned === true ? owner : { reason: "GPv2: order not presigned" };
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
