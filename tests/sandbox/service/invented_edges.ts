import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { type Answer, OrderDesk } from "./order_desk.ts";

/**
 * Requests of the sort that `edges` has, which were not recorded. What is expected follows from the
 * service's rules: the type of error, or how its text begins after "Failed to … : ".
 */
export const SANDBOX = await openSandbox({ seed: 3, auctions: 30 });
/** Asks it. */
export const DESK = new OrderDesk(SANDBOX);

/** Tokens that are traded. */
export const [WETH, USDC, DAI] = SANDBOX.description.tokens.map(({ address }) => address) as [
  string,
  string,
  string,
];
/** Accounts with funds. */
export const [FIRST, SECOND] = DEVELOPMENT_ACCOUNTS.map(({ address }) => address) as [
  string,
  string,
];
/** A token that is not traded, though accounts have it. */
export const REFUSED = SANDBOX.description.unsupportedTokens[0]!.address;
/** An account that nothing is taken from. */
export const DENIED = SANDBOX.description.deniedAccounts[0]!;
/** The native token's place holder. */
export const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
/** A signature of a good form. */
export const SIGNATURE = `0x${"11".repeat(64)}1b`;
/** A hash of nothing. */
export const HASH = `0x${"cd".repeat(32)}`;

/** How refusals begin. */
export const NO_JSON = "Failed to parse the request body as JSON: ";
export const NO_SHAPE = "Failed to deserialize the JSON body into the target type: ";
export const NO_QUERY = "Failed to deserialize query string: ";
export const NO_URL = "Invalid URL: ";

/** What a body has otherwise than a good one. */
export type Patch = Record<string, unknown>;
/** A changed body, and what it is answered with. */
export type Edge = readonly [patch: Patch, status: number, expected: string];
/** A request by method and path, with a body where there is one, and what it is answered with. */
export type EdgeRequest = readonly [
  request: string,
  body: unknown,
  status: number,
  expected: string,
];

/** Asks all of it; what is answered otherwise. */
export async function differences(requests: Iterable<EdgeRequest>): Promise<string[]> {
  const found: string[] = [];
  for (const [request, body, status, expected] of requests) {
    const answer = await DESK.ask(request, body);
    if (answer.status === status && isExpected(answer, expected)) continue;
    const shown = JSON.stringify(body)?.slice(-120);
    found.push(`${request} ${shown}: ${status} ${expected} / ${answer.status} ${answer.text}`);
  }
  return found;
}

function isExpected({ text, errorType }: Answer, expected: string): boolean {
  return expected.startsWith("Failed") || expected.startsWith("Invalid URL")
    ? text.startsWith(expected)
    : (errorType ?? "") === expected;
}
