import { normalizeReceiver } from "../../evm/orders/order_digest.ts";
import {
  type AuctionRole,
  comparePriceSides,
  exchangedSellAmount,
  type Fill,
  marketPosition,
  type OrderLimit,
  type OrderPair,
  pricedSide,
  type PriceSides,
  type StoredQuote,
  surplusBpsOfLimit,
  surplusToken,
} from "../../metrics/mod.ts";
import { ABSURD_TIMES, SUSPECT_TIMES } from "../../metrics/prices/price_sides.ts";
import { readPartnerFees, readPartnerVolumeBps } from "../../metrics/fees/fee_policies.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import {
  type AppData,
  type AppDataMetadata,
  isReadable,
  type Order,
  type PartnerFee,
} from "../../schemas/mod.ts";
import { Decimal, type HexMap, type Ratio, ratio } from "../../units/mod.ts";
import { amount, attachPrice, flag, integer, number, text, toValue, value } from "./columns.ts";
import type { Column } from "./frame.ts";

/** Native prices by token. */
type NativePrices = HexMap<bigint | Decimal>;

/** The two tokens of a row; `null` if unknown. */
interface Pair {
  readonly sellToken?: string | undefined;
  readonly buyToken?: string | undefined;
}

/** The two amounts of a row. */
interface Amounts {
  readonly sellToken: string;
  readonly buyToken: string;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

/** An order with its limit and its stored quote. */
type QuotedOrder = OrderLimit & { readonly quote?: StoredQuote | null | undefined };

/** The directed pair of a row, in symbols. */
export function pairColumn<Row>(getPair: (row: Row) => Pair): Column<Row> {
  return text("pair", {
    source: "symbols of sell_token → buy_token, or their shortened addresses",
    cell: (row, amounts) => {
      const { sellToken, buyToken } = getPair(row);
      return amounts.pair(sellToken, buyToken);
    },
  });
}

/** The price of a row's two amounts, for axes. */
export function priceColumn<Row extends Amounts>(name: string): Column<Row> {
  return number(name, {
    unit: "whole buy tokens for one whole sell token",
    source: "buy_amount / sell_amount, for axes",
    cell: ({ sellToken, buyToken, sellAmount, buyAmount }, amounts) =>
      amounts.price({ atoms: buyAmount, token: buyToken }, { atoms: sellAmount, token: sellToken }),
  });
}

/** The token of the surplus of a row's order. */
export function surplusTokenColumn<Row>(
  getOrder: (row: Row) => OrderPair | undefined,
): Column<Row> {
  return text("surplus_token", {
    source: "buy_token of a sell order, sell_token of a buy order",
    cell: (row) => {
      const order = getOrder(row);
      return order === undefined ? null : surplusToken(order);
    },
  });
}

/** A row with its order, if that is known. */
interface OrderRow {
  readonly order?: OrderPair | undefined;
}

/** An amount of the surplus token of a row's order. */
export function surplusAmount<Row extends OrderRow>(
  name: string,
  declaration: Omit<Parameters<typeof amount<Row>>[1], "role" | "token">,
): Column<Row>[] {
  return amount(name, {
    ...declaration,
    role: "surplus token",
    token: ({ order }) => order && surplusToken(order),
  });
}

/** The value of an amount of the surplus token of a row's order. */
export function surplusValue<Row extends OrderRow & { readonly prices: NativePrices }>(
  name: string,
  { source, atoms }: {
    readonly source: string;
    readonly atoms: (row: Row) => bigint | null | undefined;
  },
): Column<Row>[] {
  return value(name, {
    source,
    amount: (row) =>
      row.order === undefined ? null : attachPrice(atoms(row), surplusToken(row.order), row.prices),
  });
}

/** Creates columns of amounts in the sell token of a row's order, and in its buy token. */
export function tradedColumns<Row>(getPair: (row: Row) => Pair) {
  const buildFor = (side: "sell" | "buy") =>
  (
    name: string,
    declaration: Pick<Parameters<typeof amount<Row>>[1], "source" | "atoms">,
  ): Column<Row>[] =>
    amount(name, {
      ...declaration,
      role: `${side} token`,
      token: (row) => getPair(row)[`${side}Token`],
    });
  return { sold: buildFor("sell"), bought: buildFor("buy") };
}

/** The addresses of a row's tokens. */
export function tokenColumns<Row>(source: string, getPair: (row: Row) => Pair): Column<Row>[] {
  return (["sell", "buy"] as const).map((side) =>
    text(`${side}_token`, {
      source: `${source}.${side}Token`,
      cell: (row) => getPair(row)[`${side}Token`] ?? null,
    })
  );
}

/** The trader of a row's order, where that is not its owner. */
export function onchainUserColumn<Row>(
  getOrder: (row: Row) => Pick<Order, "onchainUser">,
): Column<Row> {
  return text("onchain_user", {
    source: "order.onchainUser: the trader behind an order placed on-chain, whose owner is a " +
      "contract such as EthFlow; null for other orders, which their owner trades",
    cell: (row) => getOrder(row).onchainUser ?? null,
  });
}

/** The account that gets what a row's order buys, where that is not its owner. */
export function receiverColumn<Row>(getOrder: (row: Row) => Pick<Order, "receiver">): Column<Row> {
  return text("receiver", {
    source: "order.receiver: who gets what is bought; null means the owner, also where the order " +
      "names the zero address",
    cell: (row) => normalizeReceiver(getOrder(row).receiver),
  });
}

/** The market position of a row's order. */
export function marketPositionColumn<Row>(getOrder: (row: Row) => QuotedOrder): Column<Row> {
  return text("market_position", {
    source: "marketPosition: in_market or out_of_market of the stored quote; null without one",
    cell: (row) => {
      const order = getOrder(row);
      const { position, basis } = marketPosition(order, order.quote);
      return basis === "no_quote" ? null : position;
    },
  });
}

/** Whether the amount that an order fixes is above 0, so that its limit has a price. */
export function hasLimitPrice(order: OrderLimit): boolean {
  return (order.kind === "sell" ? order.sellAmount : order.buyAmount) > 0n;
}

/** Calculates the share of an order that a fill executed, for axes; `null` for an order for 0 atoms. */
export function toFilledFraction(fill: Fill, order: OrderLimit): Ratio | null {
  if (!hasLimitPrice(order)) return null;
  return order.kind === "sell"
    ? ratio(exchangedSellAmount(fill), order.sellAmount)
    : ratio(fill.buyAmount, order.buyAmount);
}

/**
 * Calculates the surplus of a fill in exact basis points of the limit: 0 for a solver's liquidity; `null` for an
 * order of unknown role and for a limit without a price.
 */
export function toOverLimitBps(fill: Fill, order: OrderLimit, role: AuctionRole): Ratio | null {
  if (role === "unknown" || !hasLimitPrice(order)) return null;
  return role === "liquidity" ? ratio(0n, 1n) : toValue(surplusBpsOfLimit(fill, order));
}

/** The tokens of a fill or a bid. */
interface TokenPair {
  readonly sellToken: string;
  readonly buyToken: string;
}

/** Finds the side of a fill or a bid that measures its volume, with the native price of its token. */
export function findVolumeSide(
  fill: Fill,
  pair: TokenPair,
  prices: NativePrices,
): { readonly atoms: bigint; readonly price: bigint | Decimal } | null {
  return pricedSide(toExchange(fill, pair), (token) => prices.get(token));
}

function toExchange(fill: Fill, { sellToken, buyToken }: TokenPair) {
  return {
    sellToken,
    sellAmount: exchangedSellAmount(fill),
    buyToken,
    buyAmount: fill.buyAmount,
  };
}

/** Compares both sides of a fill or a bid at native prices; `null` without both prices. */
export function findPriceSides(
  fill: Fill,
  pair: TokenPair,
  prices: NativePrices,
): PriceSides | null {
  return toValue(comparePriceSides(toExchange(fill, pair), (token) => prices.get(token)));
}

/** Whether the native prices that a row is valued at agree. */
export function priceSidesColumn<Row>(
  findSides: (row: Row) => PriceSides | null,
): Column<Row> {
  return text("price_sides", {
    source: "comparePriceSides: consistent, suspect (what was sold and what was bought are worth " +
      `amounts more than ${SUSPECT_TIMES} apart at the native prices of the auction) or absurd ` +
      `(more than ${ABSURD_TIMES}); null if one of the tokens has no price`,
    cell: (row) => findSides(row)?.verdict ?? null,
  });
}

/** An order with its document, if the service sent one. */
interface AppDataOrder {
  readonly fullAppData?: string | null | undefined;
}

/** Decoded documents by order, for all columns that read them. */
const documents = new WeakMap<AppDataOrder, AppDataOrder & { readonly document: AppData | null }>();

/** Reads the app data document of an order; `null` if there is none, or the service cannot read it. */
export function readDocument(order: AppDataOrder): AppData | null {
  const { fullAppData } = order;
  let cached = documents.get(order);
  if (cached === undefined || cached.fullAppData !== fullAppData) {
    cached = { fullAppData, document: parseOrderAppData(order) };
    documents.set(order, cached);
  }
  return cached.document;
}

/** The application that made an order. */
export function appCodeColumn<Row>(getOrder: (row: Row) => AppDataOrder): Column<Row> {
  return text("app_code", {
    source: "appCode of the app data document; null without one",
    cell: (row) => readDocument(getOrder(row))?.appCode ?? null,
  });
}

/** Fields of an order's app data document by which orders are grouped. */
export function appDataColumns<Row>(getOrder: (row: Row) => AppDataOrder): Column<Row>[] {
  const readMetadata = (row: Row) => readDocument(getOrder(row))?.metadata;
  return [
    appCodeColumn(getOrder),
    text("widget_app_code", {
      source: "metadata.widget.appCode of the app data document: the application around a widget",
      cell: (row) => readMetadata(row)?.widget?.appCode ?? null,
    }),
    text("order_class", {
      source: "metadata.orderClass.orderClass of the app data document: market, limit, liquidity " +
        "or twap, according to the front end",
      cell: (row) => readMetadata(row)?.orderClass?.orderClass ?? null,
    }),
    number("slippage_bips", {
      unit: "basis points",
      source: "metadata.quote.slippageBips of the app data document: the requested tolerance",
      cell: (row) => parseNumber(readMetadata(row)?.quote?.slippageBips),
    }),
    flag("is_smart_slippage", {
      source:
        "metadata.quote.smartSlippage of the app data document: whether the front end chose " +
        "the tolerance",
      cell: (row) => readMetadata(row)?.quote?.smartSlippage ?? null,
    }),
    integer("hook_count", {
      unit: "hooks",
      source: "metadata.hooks of the app data document: calls before and after the trade; null " +
        "without a document, or where they cannot be read",
      cell: (row) => {
        if (!canReadMember(getOrder(row), "hooks")) return null;
        const { pre = [], post = [] } = readMetadata(row)?.hooks ?? {};
        return pre.length + post.length;
      },
    }),
    text("bridge_destination_chain", {
      source: "metadata.bridging.destinationChainId of the app data document, as text: not all " +
        "chains are EVM chains",
      cell: (row) => readMetadata(row)?.bridging?.destinationChainId?.toString() ?? null,
    }),
    flag("is_flash_loan", {
      source: "whether the app data document has metadata.flashloan; null without a document, or " +
        "where it cannot be read",
      cell: (row) =>
        canReadMember(getOrder(row), "flashloan")
          ? readMetadata(row)?.flashloan !== undefined
          : null,
    }),
    text("wrapper", {
      source: "addresses in metadata.wrappers of the app data document, in lower case, joined by " +
        "commas; null without any",
      cell: (row) =>
        joinAddresses(readMetadata(row)?.wrappers?.map(({ address }) => address) ?? []),
    }),
    text("partner_recipient", {
      source: "recipients in metadata.partnerFee of the app data document, in lower case, joined " +
        "by commas; null without any",
      cell: (row) =>
        joinAddresses(listPartnerFees(getOrder(row)).map(({ recipient }) => recipient)),
    }),
  ];
}

/** The volume fee that a partner requests. */
export function partnerBpsColumn<Row>(getOrder: (row: Row) => AppDataOrder): Column<Row> {
  return number("partner_bps", {
    unit: "basis points of the volume",
    source:
      "sum of the volume fees in metadata.partnerFee of the app data document; null without " +
      "any: fees on surplus or price improvement have other rates",
    cell: (row) => {
      const rates = listPartnerFees(getOrder(row)).flatMap((fee) =>
        readPartnerVolumeBps(fee) ?? []
      );
      return rates.length === 0 ? null : rates.reduce((sum, bps) => sum + bps, 0);
    },
  });
}

function listPartnerFees(order: AppDataOrder): readonly PartnerFee[] {
  const document = readDocument(order);
  return document === null ? [] : readPartnerFees(document) ?? [];
}

/** Whether a member of the metadata of an order's document can be read. */
function canReadMember(order: AppDataOrder, member: keyof AppDataMetadata): boolean {
  const document = readDocument(order);
  return document !== null && isReadable(document, member);
}

/** Parses a number, which some documents have as text. */
function parseNumber(value: number | string | undefined): number | null {
  return value === undefined ? null : Decimal.tryParse(String(value))?.toNumber() ?? null;
}

/** Joins distinct addresses in their order. */
function joinAddresses(addresses: readonly string[]): string | null {
  return [...new Set(addresses.map((address) => address.toLowerCase()))].join(", ") || null;
}
