import { InputError } from "../errors/mod.ts";
import type { QuoteResponse } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import type { TradeRequest } from "./trade_request.ts";

/** What a quote may be and an order still be placed with it. */
export type QuoteFault = "expired" | "unverified" | "fast";

/** What {@linkcode checkQuote} compares with. */
export interface CheckQuoteOptions {
  /** What was asked for. */
  readonly request: TradeRequest;
  /** Faults that are let pass. */
  readonly allow: readonly QuoteFault[];
  /** Time, in milliseconds since the unix epoch. */
  readonly nowMs: number;
}

/**
 * Refuses a quote that no order should be placed with.
 *
 * @throws {InputError} If it is of another trade than was asked for; if it is `fast`, unverified or
 *   expired and that is not allowed.
 */
export function checkQuote(answer: QuoteResponse, options: CheckQuoteOptions): void {
  const { request, allow, nowMs } = options;
  const { quote } = answer;
  for (const field of ["sellToken", "buyToken"] as const) {
    if (!sameHex(quote[field], request[field])) {
      throw otherTrade(field, quote[field], request[field]);
    }
  }
  if (quote.kind !== request.kind) throw otherTrade("kind", quote.kind, request.kind);
  const [field, asked] = sizeAsked(request);
  const quoted = sizeQuoted(answer, field);
  if (quoted !== asked) throw otherTrade(field, `${quoted}`, `${asked}`);

  const isFast = request.priceQuality === "fast" || answer.id == null;
  if (isFast && !allow.includes("fast")) throw fastQuote("it names no id");
  if (!answer.verified && !allow.includes("unverified")) {
    throw new InputError("Cannot place an order with a quote that no simulation confirmed", {
      facts: { id: answer.id ?? "none" },
      remedy:
        'Check that the account holds and approved the sell token, or pass { allow: ["unverified"] }',
    });
  }
  if (answer.expiration.epochMilliseconds <= nowMs && !allow.includes("expired")) {
    throw new InputError("Cannot place an order with a quote that has expired", {
      facts: { expiration: `${answer.expiration}` },
      remedy: 'Ask for a new quote, or pass { allow: ["expired"] }',
    });
  }
}

/** Refuses a trade of nothing, and one by a fast quote, before anything is sent. */
export function checkRequest(request: TradeRequest, allow: readonly QuoteFault[]): void {
  const given = SIZES.filter((name) =>
    (request as Partial<Record<SizeField, bigint>>)[name] != null
  );
  if (given.length !== 1) {
    throw new InputError(`Cannot place an order with ${given.join(" and ") || "no size"}`, {
      remedy: `Pass one of ${SIZES.join(", ")}`,
    });
  }
  const [field, asked] = sizeAsked(request);
  if (typeof asked !== "bigint" || asked <= 0n) {
    throw new InputError(`Cannot place an order with a ${field} of ${asked} (${typeof asked})`, {
      remedy: "Pass atoms as a bigint above 0n",
    });
  }
  if (request.priceQuality !== "fast" || allow.includes("fast")) return;
  throw fastQuote("its price is a guess");
}

function fastQuote(why: string): InputError {
  return new InputError(`Cannot place an order with a fast quote: ${why}`, {
    remedy: 'Ask for priceQuality "verified", or pass { allow: ["fast", "unverified", "expired"] }',
  });
}

type SizeField = "buyAmountAfterFee" | "sellAmountBeforeFee" | "sellAmountAfterFee";
const SIZES: readonly SizeField[] = [
  "sellAmountBeforeFee",
  "sellAmountAfterFee",
  "buyAmountAfterFee",
];

function sizeAsked(request: TradeRequest): [SizeField, bigint] {
  if ("buyAmountAfterFee" in request) return ["buyAmountAfterFee", request.buyAmountAfterFee];
  return "sellAmountBeforeFee" in request
    ? ["sellAmountBeforeFee", request.sellAmountBeforeFee]
    : ["sellAmountAfterFee", request.sellAmountAfterFee];
}

function sizeQuoted({ quote }: QuoteResponse, field: SizeField): bigint {
  if (field === "buyAmountAfterFee") return quote.buyAmount;
  return field === "sellAmountBeforeFee" ? quote.sellAmount + quote.feeAmount : quote.sellAmount;
}

function otherTrade(field: string, quoted: string, asked: string): InputError {
  return new InputError(`Cannot place an order with a quote of another ${field}`, {
    facts: { quoted, asked },
    remedy: "Ask for a quote of this very trade",
  });
}
