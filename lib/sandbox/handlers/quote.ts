import { encodeQuoteResponse, type QuoteResponse } from "../../schemas/mod.ts";
import { Decimal, mulDivDown, mulDivUp, mulFloat } from "../../units/mod.ts";
import { VOLUME_FACTOR, VOLUME_FEE_BPS } from "../market/fee_policies.ts";
import type { IssuedQuote, Market } from "../market/market.ts";
import {
  estimateNetworkFee,
  type GrossQuote,
  type QuoteFacts,
  toExactDecimal,
} from "../market/market_quote.ts";
import { collectQuotes } from "../market/solvers.ts";
import { json, Rejection, rejection, type Reply } from "../wire/reply.ts";
import { checkDocument, type ParsedQuoteRequest, readQuoteRequest } from "../wire/read_bodies.ts";
import { checkTerms } from "./terms.ts";

const QUOTE_LIFE_MS = 60_000;

/** Placing an order on-chain takes longer. */
const ONCHAIN_QUOTE_LIFE_MS = 600_000;

/** Timeout below which no solver responds, in milliseconds. */
const MIN_TIMEOUT_MS = 20;

/**
 * Sell atoms below which no solver finds a route: the service quotes 100 atoms, but not 5.
 */
const MIN_SOLD_ATOMS = 10n;

/** Sell atoms that buy at least one atom of every reachable token. */
const LARGE_SALE_ATOMS = 10n ** 24n;

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

const NO_QUOTE = rejection(404, "NoLiquidity", "no route found").reply;

/** `POST quote`: the best quote. */
export function quote(market: Market, body: string): Reply {
  const { isFast, quotes, encode } = prepareQuotes(market, body);
  const best = isFast ? quotes[0] : quotes.at(-1);
  return best === undefined ? NO_QUOTE : json(encode(best));
}

/** `POST quote/stream`: each quote that improves on the previous one, as an event. */
export function streamQuotes(market: Market, body: string): Reply {
  const { quotes, encode } = prepareQuotes(market, body);
  if (quotes.length === 0) return NO_QUOTE;
  return {
    status: 200,
    contentType: "text/event-stream",
    body: quotes.map((gross) => `data: ${JSON.stringify(encode(gross))}\n\n`).join(""),
    headers: { "cache-control": "no-cache" },
  };
}

/** Prepares the quotes that a body requests, each better than the previous one, and their encoding. */
function prepareQuotes(market: Market, body: string) {
  const request = readQuoteRequest(body);
  const checked = checkQuote(market, request);
  return {
    isFast: request.priceQuality === "fast",
    quotes: listQuotes(market, request, checked.extraGas),
    encode: (gross: GrossQuote) =>
      encodeQuoteResponse(createResponse(market, request, { gross, ...checked })),
  };
}

type CheckedQuote = ReturnType<typeof checkQuote>;

/** Checks a quote request. Returns the terms of its quotes and the gas beyond that of the trade. */
function checkQuote(market: Market, request: ParsedQuoteRequest) {
  const { appData: field, validity, verificationGas } = request;
  const { hasFastPath } = market;
  const checked = field.kind === "hash"
    ? null
    : checkDocument(field.document, field.expectedHash, hasFastPath);
  const validTo = "validTo" in validity
    ? validity.validTo
    : Math.min(market.time.seconds + validity.validFor, MAX_VALID_TO);
  checkTerms(market, { ...request, owner: request.from, validTo });
  return {
    validTo,
    appData: {
      appData: field.kind === "hash" ? field.hash : field.document,
      ...checked !== null && { appDataHash: checked.hash },
    },
    extraGas: (checked?.hookGas ?? 0) + verificationGas,
    /** Whether it is for an order that takes the fast path. */
    isFastPath: hasFastPath && request.fastPath || checked?.enableFastPath === true,
  };
}

const MAX_VALID_TO = 2 ** 32 - 1;

function listQuotes(market: Market, request: ParsedQuoteRequest, extraGas: number): GrossQuote[] {
  const { sellToken, buyToken, size, timeout } = request;
  if (timeout !== null && timeout < MIN_TIMEOUT_MS) return [];
  const pair = { sellToken, buyToken, kind: size.kind };
  if ("sellAmountAfterFee" in size) {
    return collectQuotes(market, { ...pair, atoms: size.sellAmountAfterFee })
      .map((net) => addNetworkFee(net, extraGas));
  }
  if ("buyAmountAfterFee" in size) {
    return collectQuotes(market, { ...pair, atoms: size.buyAmountAfterFee });
  }
  return quoteSale(market, { ...pair, atoms: size.sellAmountBeforeFee }, extraGas);
}

/**
 * Quotes a sale. An amount too small to buy an atom still has a route and a fee: it is rejected because
 * of the fee.
 */
function quoteSale(market: Market, sale: QuoteFacts, extraGas: number): GrossQuote[] {
  if (sale.atoms < MIN_SOLD_ATOMS) return [];
  const quotes = collectQuotes(market, sale);
  if (quotes.length > 0) return quotes;
  const larger = collectQuotes(market, { ...sale, atoms: LARGE_SALE_ATOMS }).at(-1);
  if (larger !== undefined) checkCoversFee({ ...larger, sellAmount: sale.atoms }, extraGas);
  return [];
}

/** Creates a quote response, net of fees. Stores the quote, so that an order can name its id. */
function createResponse(
  market: Market,
  request: ParsedQuoteRequest,
  { gross, validTo, appData, extraGas, isFastPath }: CheckedQuote & { gross: GrossQuote },
): QuoteResponse {
  const { sellToken, buyToken, receiver, size, signingScheme, priceQuality } = request;
  const amounts = applyFees(gross, { kind: size.kind, extraGas });
  const isFast = priceQuality === "fast";
  const lifeMs = request.isOnchain ? ONCHAIN_QUOTE_LIFE_MS : QUOTE_LIFE_MS;
  const expiresMs = market.time.ms + lifeMs;
  const pair = { sellToken, buyToken, kind: size.kind };
  return {
    quote: {
      sellToken,
      buyToken,
      receiver,
      ...amounts,
      validTo,
      ...appData,
      gasAmount: Decimal.fromNumber(gross.gasAmount),
      gasPrice: Decimal.fromNumber(gross.gasPrice),
      sellTokenPrice: toExactDecimal(gross.sellTokenPrice),
      kind: size.kind,
      partiallyFillable: false,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
      signingScheme,
    },
    from: request.from,
    expiration: isFast ? EPOCH : Temporal.Instant.fromEpochMilliseconds(expiresMs),
    id: isFast ? null : storeQuote(market, {
      pair,
      gross,
      expiresMs,
      // From the sequence of auctions, so their ids no longer follow time.
      auctionId: isFastPath ? ++market.auctionId : null,
    }),
    verified: !isFast,
    protocolFeeBps: Decimal.parse(VOLUME_FEE_BPS),
    ...isFastPath && { supportsFastPath: true },
  };
}

/** Stores a quote under a new id, and drops expired ones. */
function storeQuote(market: Market, issued: IssuedQuote): number {
  const { quotes, time } = market;
  for (const [id, { expiresMs }] of quotes) {
    if (expiresMs >= time.ms) break;
    quotes.delete(id);
  }
  quotes.set(++market.quoteId, issued);
  return market.quoteId;
}

/** Calculates the network fee of a quote, including gas beyond that of the trade. */
function calculateFee(gross: GrossQuote, extraGas: number): bigint {
  return estimateNetworkFee({ ...gross, gasAmount: gross.gasAmount + extraGas });
}

/**
 * Applies the network fee and the volume fee to a quote: a sell order buys less, a buy order sells
 * more. The sell amount does not include the network fee.
 *
 * @throws {Rejection} 400 with a type, if the network fee of a sell order is not covered.
 */
export function applyFees(
  gross: GrossQuote,
  { kind, extraGas }: { kind: "sell" | "buy"; extraGas: number },
): Pick<GrossQuote, "sellAmount" | "buyAmount" | "feeAmount"> {
  const { sellAmount, buyAmount } = gross;
  const feeAmount = calculateFee(gross, extraGas);
  if (kind === "buy") {
    const volumeFee = mulFloat(sellAmount + feeAmount, VOLUME_FACTOR);
    return { sellAmount: sellAmount + volumeFee, buyAmount, feeAmount };
  }
  checkCoversFee(gross, extraGas);
  const afterFee = sellAmount - feeAmount;
  const net = mulDivDown(buyAmount, afterFee, sellAmount);
  return { sellAmount: afterFee, buyAmount: net - mulFloat(net, VOLUME_FACTOR), feeAmount };
}

/**
 * Adds the network fee to a quote: the result has the same price, and its sell amount after the fee is
 * that of `net`. The buy amount is rounded up, because applying the fee rounds down.
 */
export function addNetworkFee(net: GrossQuote, extraGas: number): GrossQuote {
  const sellAmount = net.sellAmount + calculateFee(net, extraGas);
  return { ...net, sellAmount, buyAmount: mulDivUp(net.buyAmount, sellAmount, net.sellAmount) };
}

/** @throws {Rejection} 400 with a type, if the sell amount is at most the fee. */
function checkCoversFee(gross: GrossQuote, extraGas: number): void {
  const feeAmount = calculateFee(gross, extraGas);
  if (gross.sellAmount > feeAmount) return;
  throw new Rejection(json({
    errorType: "SellAmountDoesNotCoverFee",
    description: "The sell amount for the sell order is lower than the fee.",
    data: { fee_amount: `0x${feeAmount.toString(16)}` },
  }, 400));
}
