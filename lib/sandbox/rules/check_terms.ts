import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Market } from "../market/state/market.ts";
import { REFUSED_TOKEN, tradedAs } from "../market/state/tokens.ts";
import { refuse } from "../wire/reply.ts";

/** An account that the order book takes neither orders nor requests for quotes from. */
export const DENIED_ACCOUNT = "0xde71ed000000000000000000000000000000bad1";

/** Seconds that an order must be good for at least. */
const LEAST_VALIDITY_SEC = 60;
/** Seconds that an order may be good for at most: a year. */
const MOST_VALIDITY_SEC = 31_536_000;

/** What orders and quotes have in common. */
export interface TermsToCheck {
  /** Who trades. */
  readonly owner: string;
  /** Who gets the bought tokens; `null` is the owner. */
  readonly receiver: string | null;
  /** Token to sell. */
  readonly sellToken: string;
  /** Token to buy. */
  readonly buyToken: string;
  /** Where sell tokens are taken from. */
  readonly sellTokenBalance: string;
  /** Where buy tokens go. */
  readonly buyTokenBalance: string;
  /** Expiry, in unix seconds. */
  readonly validTo: number;
  /** How it is signed: what is pre-signed may be good for ever. */
  readonly signingScheme: string;
}

/**
 * Checks what an order or a quote is about.
 *
 * @throws {Rejection} 400 or 403 with a type.
 */
export function checkTerms(market: Market, terms: TermsToCheck): void {
  if (terms.owner === DENIED_ACCOUNT || terms.receiver === DENIED_ACCOUNT) {
    throw refuse(403, "Forbidden", "Forbidden, your account is deny-listed");
  }
  checkBalances(terms);
  checkValidity(market, terms);
  checkTokens(terms);
}

function checkBalances({ sellTokenBalance, buyTokenBalance }: TermsToCheck): void {
  if (buyTokenBalance !== "erc20") {
    throw refuse(400, "UnsupportedBuyTokenDestination", `Type ${capitalised(buyTokenBalance)}`);
  }
  if (sellTokenBalance !== "erc20") {
    throw refuse(400, "UnsupportedSellTokenSource", `Type ${capitalised(sellTokenBalance)}`);
  }
}

function checkValidity(market: Market, { validTo, signingScheme }: TermsToCheck): void {
  const now = market.time.seconds;
  if (validTo < now + LEAST_VALIDITY_SEC) {
    throw refuse(400, "InsufficientValidTo", "validTo is not far enough in the future");
  }
  if (signingScheme !== "presign" && validTo > now + MOST_VALIDITY_SEC) {
    throw refuse(400, "ExcessiveValidTo", "validTo is too far into the future");
  }
}

function checkTokens({ sellToken, buyToken }: TermsToCheck): void {
  // Selling the native token is another refusal, whatever it is sold for.
  if (sellToken === tradedAs(buyToken) || sellToken === buyToken) {
    throw refuse(400, "SameBuyAndSellToken", "Buy token is the same as the sell token.");
  }
  if (sellToken === NATIVE_TOKEN_ADDRESS) {
    throw refuse(
      400,
      "InvalidNativeSellToken",
      "The chain's native token (Ether/xDai) cannot be used as the sell token",
    );
  }
  for (const token of [sellToken, buyToken]) {
    if (token === REFUSED_TOKEN.address) {
      throw refuse(400, "UnsupportedToken", `Token ${token} is unsupported: it is denied`);
    }
  }
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
