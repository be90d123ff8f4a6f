import { InputError } from "../errors/mod.ts";
import type { QuoteValidity } from "../schemas/mod.ts";
import { checkedCount } from "../endpoints/checked_count.ts";

/** Seconds that an order is valid where the caller says nothing; the service's own default. */
const DEFAULT_SEC = 1_800;
/** By how much the clock of whoever answered an earlier quote may be ahead of the caller's, in seconds. */
const CLOCKS_APART_SEC = 60;
/** 2^32 - 1: an order signs its expiry in 32 bits. */
const LATEST = 0xffff_ffff;

/**
 * The expiry that an order is to sign, in unix seconds: the caller's `validTo` itself, or `validFor`
 * seconds from now by the caller's clock, or 30 minutes from now.
 *
 * @throws {InputError} If both are given, or one is no such number.
 */
export function validToOf({ validTo, validFor }: QuoteValidity, nowMs: number): number {
  if (validTo != null && validFor != null) {
    throw new InputError("Cannot place an order with validTo and validFor", {
      facts: { validTo, validFor },
      remedy: "Pass one of them: validTo in unix seconds, or validFor in seconds from now",
    });
  }
  if (validTo != null) return checkedCount(validTo, { name: "validTo", least: 0, most: LATEST });
  const nowSec = Math.floor(nowMs / 1_000);
  const most = LATEST - nowSec;
  return nowSec + checkedCount(validFor ?? DEFAULT_SEC, { name: "validFor", least: 1, most });
}

/**
 * Refuses a quote that was asked for earlier and is valid otherwise than the order shall be: at another
 * `validTo` than the caller names, or longer than `validFor` allows from now on. A minute more is let
 * pass there, since that quote was dated by the clock of the service.
 *
 * @throws {InputError} If it is.
 */
export function checkValidity(quoted: number, request: QuoteValidity, nowMs: number): void {
  const latest = validToOf(request, nowMs);
  const isAsked = request.validTo == null ? quoted <= latest + CLOCKS_APART_SEC : quoted === latest;
  if (isAsked) return;
  throw new InputError("Cannot place an order with a quote of another validTo", {
    facts: { quoted, asked: request.validTo == null ? `at most ${latest}` : latest },
    remedy: "Ask for a quote of this very trade, or pass the validTo that the order shall have",
  });
}
