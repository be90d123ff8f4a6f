import { encodeInstance, type InstanceOrder, type InstanceToken } from "../../schemas/mod.ts";
import { divideUp, mulDivDown } from "../../units/mod.ts";
import type { BookOrder } from "../market/book_order.ts";
import { SETTLEMENT_CONTRACT, TOKENS, wrapNativeToken } from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import { json, type Reply, text } from "../wire/reply.ts";

/** Seconds from the start of an auction until solvers have to answer. */
const SOLVING_SECONDS = 10;

/**
 * `GET instances/{auctionId}.json`: what the solvers of an auction were asked to solve, as the store of
 * a deployment has it; 404 without the auction.
 */
export function getInstance(market: Market, param: string): Reply {
  const id = /^(\d{1,15})\.json$/.exec(param)?.[1];
  const auction = id === undefined ? undefined : market.book.auctions.get(Number(id));
  if (auction === undefined) return text("NoSuchKey", 404);
  const { auctionId, auctionStartBlock, auction: { orders } } = auction.competition;
  const block = market.chain.blocks.get(auctionStartBlock);
  return json(encodeInstance({
    id: auctionId,
    tokens: Object.fromEntries(
      Object.entries(auction.prices).map(([token, price]) => [
        token,
        toInstanceToken(market, token, price),
      ]),
    ),
    orders: orders.flatMap((uid) => {
      const order = market.book.orders.get(uid);
      return order === undefined ? [] : [toInstanceOrder(order, auctionStartBlock)];
    }),
    liquidity: [],
    ...block !== undefined && {
      effectiveGasPrice: BigInt(block.gasPrice),
      deadline: Temporal.Instant.fromEpochMilliseconds(
        (block.timestamp + SOLVING_SECONDS) * 1_000,
      ),
    },
    surplusCapturingJitOrderOwners: [],
  }));
}

function toInstanceToken(market: Market, token: string, price: bigint): InstanceToken {
  const { decimals = null, symbol = null } = TOKENS.find(({ address }) => address === token) ?? {};
  return {
    decimals,
    symbol,
    referencePrice: price,
    availableBalance: market.ledger.balanceOf(SETTLEMENT_CONTRACT, token),
    trusted: false,
  };
}

/** Writes an order as it was when an auction began: earlier fills reduce what is available. */
function toInstanceOrder(order: BookOrder, startBlock: number): InstanceOrder {
  const { data, origin: { interactions, policies } } = order;
  const { kind, sellAmount, buyAmount, sellToken, buyToken, ...terms } = data;
  const fixed = kind === "sell" ? "sellAmount" : "buyAmount";
  const executedAtoms = order.fills.filter(({ block }) => block <= startBlock)
    .reduce((sum, fill) => sum + fill[fixed], 0n);
  const available = data[fixed] - executedAtoms;
  const isSale = kind === "sell";
  return {
    uid: order.uid,
    sellToken,
    buyToken: wrapNativeToken(buyToken),
    sellAmount: isSale ? available : mulDivDown(sellAmount, available, buyAmount),
    fullSellAmount: sellAmount,
    buyAmount: isSale ? divideUp(buyAmount * available, sellAmount) : available,
    fullBuyAmount: buyAmount,
    feePolicies: policies,
    validTo: terms.validTo,
    kind,
    receiver: terms.receiver,
    owner: order.owner,
    partiallyFillable: terms.partiallyFillable,
    preInteractions: interactions.pre,
    postInteractions: interactions.post,
    sellTokenSource: terms.sellTokenBalance,
    buyTokenDestination: terms.buyTokenBalance,
    class: "limit",
    appData: terms.appData,
    signingScheme: terms.signingScheme,
    signature: terms.signature,
  };
}
