import {
  computeOrderUid,
  encodeSettlement,
  type OrderSigner,
  type SettlementCall,
  type SettlementInteraction,
  type SettlementTrade,
  type SignableOrder,
  signOrder,
  type SignOrderOptions,
} from "../../../lib/evm/mod.ts";
import { NATIVE, type Protocol, settledSignature } from "./protocol.ts";

/** An order that a test signs. */
export interface SignedOrder extends Required<SignableOrder> {
  /** Its UID. */
  readonly uid: string;
  /** Its owner, in lower case. */
  readonly from: string;
  /** The signature, as the service takes it. */
  readonly signature: string;
  /** Its scheme. */
  readonly signingScheme: SettlementTrade["signingScheme"];
}

/** What an order asks for; the rest is the same for all. */
export type Terms =
  & Pick<SignableOrder, "sellToken" | "buyToken" | "sellAmount" | "buyAmount" | "kind">
  & Partial<SignableOrder>;

/** Later than any block of the tests. */
const LATEST = 2 ** 32 - 2;

/** Signs an order. */
export async function signed(
  { domain }: Pick<Protocol, "domain">,
  signer: OrderSigner,
  terms: Terms,
  options: SignOrderOptions = {},
): Promise<SignedOrder> {
  const order = {
    receiver: null,
    validTo: LATEST,
    appData: `0x${"ab".repeat(32)}`,
    feeAmount: 0n,
    partiallyFillable: false,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    ...terms,
  } as Required<SignableOrder>;
  const made = await signOrder(signer, domain, order, options);
  return { ...order, ...made, uid: computeOrderUid(domain, order, made.from) };
}

/** A trade of a signed order, at the prices of its tokens' first places or of the given ones. */
export function tradeOf(
  order: SignedOrder,
  tokens: readonly string[],
  executedAmount = 0n,
  [sellTokenIndex, buyTokenIndex] = [
    tokens.indexOf(order.sellToken),
    tokens.indexOf(order.buyToken),
  ] as [number, number],
): SettlementTrade {
  const { uid: _, from: __, ...fields } = order;
  return {
    ...fields as unknown as SettlementTrade,
    sellTokenIndex,
    buyTokenIndex,
    executedAmount,
    signature: settledSignature(order),
  };
}

/** The settlement of one order, of which the contract has enough of the token that it buys. */
export function settlementOf(
  order: SignedOrder,
  { price = [3n, 1n], executed = 0n, post = [] }: {
    readonly price?: [bigint, bigint];
    readonly executed?: bigint;
    readonly post?: readonly SettlementInteraction[];
  } = {},
): string {
  const tokens = [order.sellToken, order.buyToken];
  return encodeSettlement({
    tokens,
    clearingPrices: price,
    trades: [tradeOf(order, tokens, executed)],
    interactions: { pre: [], intra: [], post },
  });
}

/** One token of any of the deployment. */
export const UNIT: bigint = 10n ** 18n;

/** A sale of a gold for two silver, or more of it. */
export function goldForSilver({ at }: Protocol, more: Partial<Terms> = {}): Terms {
  return {
    kind: "sell",
    sellToken: at.gold,
    buyToken: at.silver,
    sellAmount: UNIT,
    buyAmount: 2n * UNIT,
    ...more,
  };
}

/** Four orders, one of each scheme: two sell, two buy; two are filled in part, one buys native. */
export async function fourOrders(
  protocol: Protocol,
  validTo: number = LATEST,
): Promise<SignedOrder[]> {
  const { at: { gold, silver, wrapped, wallet }, traders, walletOwner } = protocol;
  const [first, second, third] = traders;
  const swap: Terms = {
    kind: "sell",
    sellToken: gold,
    buyToken: NATIVE,
    sellAmount: 2_000n * UNIT,
    buyAmount: UNIT / 2n,
    receiver: `0x${"d1".repeat(20)}`,
    validTo,
  };
  const unsigned = await signed(protocol, { address: wallet }, swap, {
    signingScheme: "eip1271",
    signature: "0x",
  });
  const digest = unsigned.uid.slice(0, 66) as `0x${string}`;
  return [
    await signed(protocol, first!, {
      ...goldForSilver(protocol, { sellAmount: 10n * UNIT, buyAmount: 29n * UNIT }),
      partiallyFillable: true,
      validTo,
    }),
    await signed(protocol, second!, {
      kind: "buy",
      sellToken: silver,
      buyToken: gold,
      sellAmount: 4n * UNIT,
      buyAmount: UNIT,
      validTo,
    }, { signingScheme: "ethsign" }),
    await signed(protocol, { address: wallet }, swap, {
      signingScheme: "eip1271",
      signature: await walletOwner.sign({ hash: digest }),
    }),
    await signed(protocol, { address: third!.address }, {
      kind: "buy",
      sellToken: gold,
      buyToken: wrapped,
      sellAmount: 5_000n * UNIT,
      buyAmount: 2n * UNIT,
      partiallyFillable: true,
      validTo,
    }, { signingScheme: "presign" }),
  ];
}

/** Executed of the orders that are filled in part. */
export const EXECUTED = [4n * UNIT + 1n, 0n, 0n, UNIT / 2n + 7n] as const;

/** The four orders in one settlement, with hooks and swaps; the first pays a fee. */
export function fourInOne(
  protocol: Protocol,
  orders: readonly SignedOrder[],
): SettlementCall {
  const { at } = protocol;
  const { gold, silver, wrapped } = at;
  const tokens = [gold, silver, wrapped, NATIVE, gold, silver];
  const call = (target: string, callData: string, value = 0n) => ({ target, value, callData });
  const hooks = (callData: string) => {
    const hook = { target: gold, callData, gasLimit: 50_000n };
    return call(at.trampoline, protocol.encode("trampoline", "execute", [[hook]]));
  };
  const swap = (paid: bigint, token: string, received: bigint) =>
    call(at.pool, protocol.encode("pool", "swap", [gold, paid, token, received]));
  return {
    tokens,
    clearingPrices: [1_000_003n, 333_337n, 2_000_000_007n, 2_000_000_007n, 999_001n, 333_337n],
    trades: orders.map((order, place) =>
      tradeOf(order, tokens, EXECUTED[place], place === 0 ? [4, 5] : undefined)
    ),
    interactions: {
      pre: [hooks("0x18160ddd")],
      intra: [
        call(gold, protocol.encode("gold", "approve", [at.pool, 10_000n * UNIT])),
        swap(3n * UNIT, silver, 9n * UNIT + 11n),
        swap(2_900n * UNIT, wrapped, 8n * UNIT / 5n),
        call(wrapped, protocol.encode("wrapped", "withdraw", [101n * UNIT / 100n])),
      ],
      post: [hooks("0x313ce567")],
    },
    auctionId: 77,
  };
}
