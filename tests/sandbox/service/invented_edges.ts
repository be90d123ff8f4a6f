import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../../lib/sandbox/mod.ts";
import { type Answer, OrderDesk } from "./order_desk.ts";

/**
 * Requests like those of `edges` that were not recorded. Expectations follow from the service's rules:
 * the error type, or the beginning of the text after "Failed to … : ".
 */
export const SANDBOX = await openSandbox({ seed: 3, auctions: 30 });
/** Sends the requests. */
export const DESK = new OrderDesk(SANDBOX);

/** Traded tokens. */
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
/** A token that accounts hold but cannot trade. */
export const REFUSED = SANDBOX.description.unsupportedTokens[0]!.address;
/** A denied account. */
export const DENIED = SANDBOX.description.deniedAccounts[0]!;
/** Placeholder address of the native token. */
export const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
/** A well-formed signature. */
export const SIGNATURE = `0x${"11".repeat(64)}1b`;
/** A hash without a document. */
export const HASH = `0x${"cd".repeat(32)}`;

/** Beginnings of rejections. */
export const NO_JSON = "Failed to parse the request body as JSON: ";
export const NO_SHAPE = "Failed to deserialize the JSON body into the target type: ";
export const NO_QUERY = "Failed to deserialize query string: ";
export const NO_URL = "Invalid URL: ";

/** Fields in which a body differs from a valid one. */
export type Patch = Record<string, unknown>;
/** A changed body and its expected answer. */
export type Edge = readonly [patch: Patch, status: number, expected: string];
/** A request by method and path, with its body, and the expected answer. */
export type EdgeRequest = readonly [
  request: string,
  body: unknown,
  status: number,
  expected: string,
];

/** Sends all requests; returns unexpected answers. */
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
