import { InputError } from "../errors/mod.ts";
import { checkOptions, wholeFrom } from "../errors/option_rules.ts";
import type { QuoteValidity } from "../schemas/mod.ts";

/** Default validity of an order, in seconds; the same as the service's. */
const DEFAULT_SEC = 1_800;
/**
 * Tolerance for the clock of the service, which dates a quote, in seconds.
 */
const CLOCK_TOLERANCE_SEC = 60;
/** 2^32 - 1: an order's expiry has 32 bits. */
const MAX_VALID_TO = 0xffff_ffff;

/**
 * The expiry to sign, in unix seconds: the caller's `validTo`, or `validFor` seconds from now by
 * the caller's clock, or 30 minutes from now.
 *
 * @throws {InputError} If both are given, or one is out of range.
 */
export function validToOf({ validTo, validFor }: QuoteValidity, nowMs: number): number {
  if (validTo != null && validFor != null) {
    throw new InputError("Cannot place an order with both validTo and validFor", {
      facts: { validTo, validFor },
      remedy: "Pass one of them: validTo in unix seconds, or validFor in seconds from now",
    });
  }
  const nowSec = Math.floor(nowMs / 1_000);
  checkOptions(
    { validTo: validTo ?? undefined, validFor: validFor ?? undefined },
    { validTo: wholeFrom(0, MAX_VALID_TO), validFor: wholeFrom(1, MAX_VALID_TO - nowSec) },
    "Cannot place an order",
  );
  return validTo ?? nowSec + (validFor ?? DEFAULT_SEC);
}

/**
 * Rejects an earlier quote whose validity differs from the order's: another `validTo` than the
 * caller's, or a longer validity than `validFor` from now on. The latter has a tolerance of one
 * minute, since the quote was dated by the clock of the service.
 *
 * @throws {InputError} If the validity differs.
 */
export function checkValidity(quoted: number, request: QuoteValidity, nowMs: number): void {
  const latest = validToOf(request, nowMs);
  const isRequested = request.validTo == null
    ? quoted <= latest + CLOCK_TOLERANCE_SEC
    : quoted === latest;
  if (isRequested) return;
  throw new InputError("Cannot place an order with a quote for another validTo", {
    facts: { quoted, requested: request.validTo == null ? `at most ${latest}` : latest },
    remedy:
      "Request a quote for exactly this trade, or pass the validTo that the order should have",
  });
}
