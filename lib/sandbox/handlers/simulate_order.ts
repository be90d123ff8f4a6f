import {
  cancellationDigest,
  hashAppData,
  orderDigest,
  recoverCancellationsSigner,
} from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/orders/request_signature.ts";
import {
  computeMappingSlot,
  encodeRevert,
  encodeSettlement,
} from "../../evm/settlement/encode_settlement.ts";
import { SOLVER_AUTHENTICATOR } from "../../networks/network.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { MAX_AMOUNT } from "../../units/arithmetic.ts";
import { mulDivDown } from "../../units/mod.ts";
import type { BookOrder } from "../market/book_order.ts";
import {
  isEcdsa,
  type OrderSignature,
  readSignature,
  SIGNED_FIELDS,
  type SignedOrder,
} from "../wire/read_bodies.ts";
import { CHAIN_ID, SETTLEMENT_CONTRACT, toSettlementSignature } from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import { checkAppData, type OrderInteractions } from "../wire/check_app_data.ts";
import {
  type Fields,
  optional,
  readBody,
  readField,
  readFields,
  readQueryCount,
} from "../wire/fields.ts";
import {
  integer,
  list,
  Mismatch,
  readAddress,
  readPositive,
  readText,
  readUid,
} from "../wire/loose_values.ts";
import {
  badRequest,
  empty,
  json,
  orReject,
  recoverOrReject,
  Rejection,
  rejection,
  type Reply,
} from "../wire/reply.ts";

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
  const blockNumber = readQueryCount(query, "block_number") ?? market.block;
  const bookOrder = market.book.orders.get(uid);
  if (bookOrder === undefined) throw rejection(404, "NotFound", "order not found");
  const { data: order, owner, remaining: executedAmount, origin: { interactions } } = bookOrder;
  return await simulate(market, {
    order,
    owner,
    interactions,
    executedAmount,
    bookOrder,
    blockNumber,
  });
}

const SIMULATION_FIELDS = {
  ...SIGNED_FIELDS,
  sellAmount: readPositive,
  owner: readAddress,
  appData: readText,
  blockNumber: optional(integer("u64")),
};

/** `POST debug/simulation`: simulates any order. */
export async function simulateOrder(market: Market, body: string): Promise<Reply> {
  const { owner, blockNumber, appData: document, ...terms } = readBody(
    body,
    "SimulationRequest",
    (fields) => ({ ...readFields(fields, SIMULATION_FIELDS), ...readSignature(fields) }),
  );
  const { interactions } = orReject(
    () => checkAppData(document, market.hasFastPath),
    (reason) =>
      badRequest(
        "BadRequest",
        `malformed input: app_data \`${document}\`: failed to parse app data: ${reason}`,
      ),
  );
  const order = { ...terms, appData: hashAppData(document) };
  return await simulate(market, {
    order,
    owner,
    interactions,
    executedAmount: order.kind === "sell" ? order.sellAmount : order.buyAmount,
    bookOrder: undefined,
    blockNumber: blockNumber ?? market.block,
  });
}

async function simulate(market: Market, simulated: SimulatedOrder): Promise<Reply> {
  const { owner, blockNumber } = simulated;
  // Any address works: the simulation makes it a solver.
  const solver = `0x${computeMappingSlot(owner, BigInt(blockNumber)).slice(-40)}`;
  const reason = await findRevertReason(market, simulated);
  return json({
    tenderlyRequest: {
      network_id: String(CHAIN_ID),
      block_number: blockNumber,
      transaction_index: 0,
      from: solver,
      to: SETTLEMENT_CONTRACT,
      input: encodeCalldata(simulated),
      gas: GAS_LIMIT,
      simulation_type: "full",
      save: true,
      save_if_fails: true,
      state_objects: {
        ...fundSettlement(simulated),
        [SOLVER_AUTHENTICATOR]: {
          storage: { [computeMappingSlot(solver, SOLVERS_SLOT)]: encodeWord(1n) },
        },
        [solver]: { balance: encodeWord(SIMULATED_BALANCE) },
      },
    },
    error: reason === null ? null : formatRevertError(reason),
  });
}

/** Creates overrides that give the settlement contract the bought amount, plus one atom. */
function fundSettlement({ order, executedAmount }: SimulatedOrder): Record<string, unknown> {
  const { kind, buyToken, buyAmount, sellAmount } = order;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return {};
  const boughtAtoms = kind === "buy"
    ? executedAmount
    : mulDivDown(executedAmount, buyAmount, sellAmount);
  const slot = computeMappingSlot(SETTLEMENT_CONTRACT, BALANCES_SLOT);
  return {
    [buyToken]: {
      storage: { [slot]: encodeWord(boughtAtoms < MAX_AMOUNT ? boughtAtoms + 1n : MAX_AMOUNT) },
    },
  };
}

function encodeCalldata({ order, owner, interactions, executedAmount }: SimulatedOrder): string {
  const { sellToken, buyToken, sellAmount, buyAmount } = order;
  return encodeSettlement({
    tokens: [sellToken, buyToken],
    clearingPrices: [buyAmount, sellAmount],
    trades: [{
      ...order,
      sellTokenIndex: 0,
      buyTokenIndex: 1,
      executedAmount,
      signature: toSettlementSignature(order, owner),
    }],
    interactions: { ...interactions, intra: [] },
  });
}

function formatRevertError(reason: string): string {
  return "server returned an error response: error code 3: execution reverted: " +
    `${reason}, data: "${encodeRevert(reason)}"`;
}

function encodeWord(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** An order to simulate alone, settled at its limit price. */
interface SimulatedOrder {
  /** The signed order. */
  readonly order: SignedOrder;
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

/** Finds the reason for which the contract would revert; `null` if it would settle the order. */
async function findRevertReason(market: Market, simulated: SimulatedOrder): Promise<string | null> {
  const { order, bookOrder, executedAmount } = simulated;
  const signer = await resolveSigner(market, simulated);
  if (typeof signer !== "string") return signer.reason;
  if (order.validTo < market.time.seconds) return "GPv2: order expired";
  if (executedAmount <= 0n || (!order.partiallyFillable && bookOrder?.fills.length)) {
    return "GPv2: order filled";
  }
  const soldAtoms = order.kind === "sell"
    ? executedAmount
    : mulDivDown(executedAmount, order.sellAmount, order.buyAmount);
  return market.ledger.balanceOf(signer, order.sellToken) < soldAtoms
    ? "ERC20: transfer amount exceeds balance"
    : null;
}

/** Resolves the signer from the signature, or the reason that there is none. */
async function resolveSigner(
  market: Market,
  { order, owner, bookOrder }: SimulatedOrder,
): Promise<string | { reason: string }> {
  const digest = orderDigest(market.domain, order);
  if (order.signingScheme === "presign") {
    return bookOrder?.isPreSigned === true ? owner : { reason: "GPv2: order not presigned" };
  }
  if (!isEcdsa(order.signingScheme)) {
    return await market.isSignedBy(owner, { digest, signature: order.signature })
      ? owner
      : { reason: "GPv2: invalid eip1271 signature" };
  }
  try {
    return await recoverSigner(digest, order);
  } catch {
    return { reason: "GPv2: invalid ecdsa signature" };
  }
}

/** Maximum number of orders per cancellation request. */
const MAX_ORDERS = 128;
const MALFORMED = "Malformed signature";

/** `DELETE orders`: cancels several orders of one owner, by a signature over the list. */
export async function cancelOrders(market: Market, body: string): Promise<Reply> {
  const { orderUids, ...signature } = rejectWithoutBody(() => readCancellations(body));
  if (orderUids.length > MAX_ORDERS) throw rejection(500, "InternalServerError", "");
  const orders = new Set(orderUids.map((uid) => requireCancellable(market, uid)));
  const signer = await recoverOrReject(
    () => recoverCancellationsSigner(market.domain, { orderUids, ...signature }),
    MALFORMED,
  );
  return cancelAll(market, { orders, signer });
}

/** `DELETE orders/{uid}`: cancels one order, by a signature over its UID. */
export async function cancelOneOrder(
  market: Market,
  { uid, body }: { uid: string; body: string },
): Promise<Reply> {
  const signature = rejectWithoutBody(() => readBody(body, "CancellationPayload", readEcdsa));
  const orders = new Set([requireCancellable(market, uid)]);
  const signer = await recoverOrReject(
    () => recoverSigner(cancellationDigest(market.domain, uid), signature),
    MALFORMED,
  );
  return cancelAll(market, { orders, signer });
}

function readCancellations(body: string): OrderSignature & { orderUids: string[] } {
  return readBody(body, "SignedOrderCancellations", (fields) => ({
    orderUids: readField(fields, "orderUids", list(readUid)),
    ...readEcdsa(fields),
  }));
}

function readEcdsa(fields: Fields): OrderSignature {
  const signature = readSignature(fields);
  if (!isEcdsa(signature.signingScheme)) throw new Mismatch("unknown variant");
  return signature;
}

/** The service rejects a malformed cancellation with an empty 400. */
function rejectWithoutBody<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Rejection ? new Rejection(empty(400)) : error;
  }
}

/**
 * Requires an order that its owner can cancel with an off-chain signature.
 *
 * @throws {Rejection} 400 or 404 with a type.
 */
export function requireCancellable(market: Market, uid: string): BookOrder {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "OrderNotFound", "Order not located in database");
  switch (order.resolveStatus(market.time.instant)) {
    case "cancelled":
      throw badRequest("AlreadyCancelled", "Order is already cancelled");
    case "fulfilled":
      throw badRequest("OrderFullyExecuted", "Order is fully executed");
    case "expired":
      throw badRequest("OrderExpired", "Order is expired");
  }
  if (isEcdsa(order.data.signingScheme)) return order;
  throw badRequest("OnChainOrder", "On-chain orders must be cancelled on-chain");
}

function cancelAll(
  market: Market,
  { orders, signer }: { orders: ReadonlySet<BookOrder>; signer: string },
): Reply {
  for (const { owner } of orders) {
    if (owner !== signer) {
      throw rejection(401, "WrongOwner", "Signature recovery's owner doesn't match order's");
    }
  }
  // An auction may have run while the signature was recovered.
  for (const { uid } of orders) requireCancellable(market, uid);
  for (const order of orders) market.cancel(order);
  return json("Cancelled");
}
