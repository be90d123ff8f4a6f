import { InputError } from "../errors/mod.ts";
import type { QuoteResponse } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import { fastQuote, type QuoteFault, requestedSize, type SizeField } from "./check_request.ts";
import { checkValidity } from "./order_validity.ts";
import type { TradeRequest } from "./trade_request.ts";

/** Options of {@linkcode checkQuote}. */
export interface CheckQuoteOptions {
  /** The request. */
  readonly request: TradeRequest;
  /** Account that signs. */
  readonly from: string;
  /** Faults to accept. */
  readonly allow: readonly QuoteFault[];
  /** Time, in milliseconds since the unix epoch. */
  readonly nowMs: number;
}

/**
 * Rejects a quote that no order should be placed with.
 *
 * @throws {InputError} If it is for another trade than requested, or valid for longer; if it is
 *   `fast`, unverified or expired and that is not allowed.
 */
export function checkQuote(answer: QuoteResponse, options: CheckQuoteOptions): void {
  const { request, from, allow, nowMs } = options;
  const { quote } = answer;
  for (const field of ["sellToken", "buyToken"] as const) {
    if (!sameHex(quote[field], request[field])) {
      throw otherTrade(field, quote[field], request[field]);
    }
  }
  if (quote.kind !== request.kind) throw otherTrade("kind", quote.kind, request.kind);
  const [field, requested] = requestedSize(request);
  const quoted = quotedSize(answer, field);
  if (quoted !== requested) throw otherTrade(field, `${quoted}`, `${requested}`);
  if (answer.from !== undefined && !sameHex(answer.from, from)) {
    throw otherTrade("trader", answer.from, from);
  }
  const { receiver } = request;
  if (receiver != null && quote.receiver != null && !sameHex(quote.receiver, receiver)) {
    throw otherTrade("receiver", quote.receiver, receiver);
  }
  checkValidity(quote.validTo, request, nowMs);

  const isFast = request.priceQuality === "fast" || answer.id == null;
  if (isFast && !allow.includes("fast")) throw fastQuote("it has no id");
  if (!answer.verified && !allow.includes("unverified")) {
    throw new InputError("Cannot place an order with an unverified quote", {
      facts: { id: answer.id ?? "none" },
      remedy:
        'Check that the account holds and has approved the sell token, or pass { allow: ["unverified"] }',
    });
  }
  if (answer.expiration.epochMilliseconds <= nowMs && !allow.includes("expired")) {
    throw new InputError("Cannot place an order with an expired quote", {
      facts: { expiration: `${answer.expiration}` },
      remedy: 'Request a new quote, or pass { allow: ["expired"] }',
    });
  }
}

function quotedSize({ quote }: QuoteResponse, field: SizeField): bigint {
  if (field === "buyAmountAfterFee") return quote.buyAmount;
  return field === "sellAmountBeforeFee" ? quote.sellAmount + quote.feeAmount : quote.sellAmount;
}

function otherTrade(field: string, quoted: string, requested: string): InputError {
  return new InputError(`Cannot place an order with a quote for another ${field}`, {
    facts: { quoted, requested },
    remedy: "Request a quote for exactly this trade",
  });
}
