import { parseExplorerUrl } from "./explorer_url.ts";
import type { NetworkName } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** Kinds of things that hex digits identify, each by another number of digits. */
export type HexKind = "order" | "transaction" | "account";

/** The thing that a text identifies. */
export type Identifier =
  | {
    /** Kind of the subject; any address counts as an account. */
    readonly kind: HexKind;
    /** `0x` and lower-case digits. */
    readonly key: string;
    /** The network that the address of a page names; `null` without one. */
    readonly network: NetworkName | null;
  }
  | {
    /** An auction, which needs a network from elsewhere. */
    readonly kind: "auction";
    /** Decimal digits of its id. */
    readonly key: string;
    /** No id names a network. */
    readonly network: null;
  }
  | ShortenedIdentifier;

/** Hex digits without their middle, as pages and tables print them. */
export interface ShortenedIdentifier {
  /** Its middle is missing, so that it identifies something only among known identifiers. */
  readonly kind: "shortened";
  /** `0x` and the first digits, in lower case. */
  readonly begin: string;
  /** The last digits, in lower case. */
  readonly end: string;
  /** No short form names a network. */
  readonly network: null;
}

/** Number of hex digits of each kind. */
export const HEX_DIGITS: Readonly<Record<HexKind, number>> = {
  order: 112,
  transaction: 64,
  account: 40,
};

/** Source of a regular expression for the prefix of hex digits, `\x` as PostgreSQL prints them. */
export const HEX_PREFIX = String.raw`(?:0x|\\x)`;
/** Source of a regular expression for the mark of digits that were left out. */
export const ELLIPSIS = String.raw`(?:…|\.{2,3})`;

const WHOLE = new RegExp(`^${HEX_PREFIX}?([0-9a-f]+)$`, "i");
const SHORTENED = new RegExp(`^${HEX_PREFIX}([0-9a-f]{4,40})${ELLIPSIS}([0-9a-f]{2,40})$`, "i");
const AUCTION_ID = /^#?(\d{1,15})$/;
/** Quotes, brackets, marks and separators that are copied along with an identifier. */
const AROUND = /^[\s"'`“”‘’«»<([{*_>|]+|[\s"'`“”‘’«»>)\]}*_|,;:.!?]+$/g;
/** A break of a line within digits, with marks that mails and terminals put around it. */
const BREAK = /(?<=[0-9a-f])["'\\]?\s*\r?\n[\s>|"']*(?=[0-9a-f]+(?![0-9a-z]))(?!0x)/gi;
/** Names of folders that hold pages or responses about one thing each. */
const FOLDER =
  /^(?:orders?|tx|transactions?|by_tx_hash|address|accounts?|auctions?|solver_competition)$/i;
/** Names of parameters of a route that takes an order or an account. */
const PARAMETERS = ["orderUid", "owner"];
/** The address of a page without its scheme, as browsers show it. */
const BARE_ADDRESS = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\//i;
/** Words with an identifier that are looked at. */
const MAX_WORDS = 100;
/** Hex digits within other words. */
const EMBEDDED = /(?<![0-9a-z\\])(?:0x|\\x)[0-9a-f]+(?![0-9a-z]|…|\.\.)/gi;

/**
 * Reads an identifier that a person or a program wrote: the UID of an order, the hash of a transaction or an
 * address, with `0x`, with `\x` or bare, in any letter case, also wrapped into lines; the id of an
 * auction; the shortened form that pages print; the address of a page or of a response about one of
 * them, of any explorer or deployment; or other words with exactly one of them.
 *
 * @param text The text; spaces, quotes, brackets and marks around it are ignored.
 * @returns `null` if it is none of them.
 *
 * @example The spellings of one order
 * ```ts
 * import { parseIdentifier } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const digits = "01".repeat(56);
 * const order = { kind: "order", key: `0x${digits}` } as const;
 *
 * assertEquals(parseIdentifier(digits), { ...order, network: null });
 * assertEquals(parseIdentifier(`\\x${digits}`), { ...order, network: null });
 * assertEquals(parseIdentifier(`https://barn.explorer.cow.fi/gc/orders/0x${digits}`), {
 *   ...order,
 *   network: "xdai",
 * });
 * assertEquals(parseIdentifier("0x0101…0101"), {
 *   kind: "shortened",
 *   begin: "0x0101",
 *   end: "0101",
 *   network: null,
 * });
 * ```
 */
export function parseIdentifier(text: string): Identifier | null {
  const plain = text.replaceAll(AROUND, "").replaceAll(BREAK, "");
  const [, begin, end] = SHORTENED.exec(plain) ?? [];
  if (begin !== undefined && end !== undefined) {
    return {
      kind: "shortened",
      begin: `0x${begin.toLowerCase()}`,
      end: end.toLowerCase(),
      network: null,
    };
  }
  if (/^https?:\/\//i.test(plain)) return parsePageAddress(plain);
  if (BARE_ADDRESS.test(plain)) return parsePageAddress(`https://${plain}`);
  return parseKey(plain) ?? parseEmbedded(plain);
}

/** Parses the only address of a page, or the only identifier, among other words. */
function parseEmbedded(text: string): Identifier | null {
  const pages = text.match(/https?:\/\/[^\s"'<>()[\]]+/gi) ?? [];
  const words = pages.length > 0 ? pages : text.match(EMBEDDED) ?? [];
  const identifiers = new Map<string, Identifier>();
  for (const word of words.slice(0, MAX_WORDS)) {
    const identifier = pages.length > 0
      ? parsePageAddress(word.replaceAll(AROUND, ""))
      : parseKey(word);
    if (identifier !== null && "key" in identifier) identifiers.set(identifier.key, identifier);
  }
  const [identifier = null, ...furtherOnes] = identifiers.values();
  return furtherOnes.length === 0 && words.length <= MAX_WORDS ? identifier : null;
}

/** Whether a whole identifier has the digits of a shortened one. */
export function isShortenedFrom({ begin, end }: ShortenedIdentifier, key: string): boolean {
  const lower = key.toLowerCase();
  return lower.length > begin.length + end.length && lower.startsWith(begin) && lower.endsWith(end);
}

function parseKey(text: string): Exclude<Identifier, ShortenedIdentifier> | null {
  const [, id] = AUCTION_ID.exec(text) ?? [];
  if (id !== undefined) return { kind: "auction", key: id, network: null };
  const digits = WHOLE.exec(text)?.[1]?.toLowerCase() ?? "";
  for (const kind of ["order", "transaction", "account"] as const) {
    if (digits.length === HEX_DIGITS[kind]) return { kind, key: `0x${digits}`, network: null };
  }
  return null;
}

/** Reads the address of a page, of an explorer that names its network or of any other. */
function parsePageAddress(text: string): Identifier | null {
  const page = parseExplorerUrl(text);
  if (page !== null) {
    const [key = ""] = Object.values(page.subject);
    const subject = parseKey(key);
    return subject === null || subject.kind === "auction"
      ? subject
      : { ...subject, network: page.network };
  }
  const url = URL.parse(text);
  if (url === null) return null;
  const parts = `${url.pathname}/${url.hash}`.split(/[/#?]+/);
  const keys = [
    ...parts.filter((_, index) => FOLDER.test(parts[index - 1] ?? "")),
    ...PARAMETERS.flatMap((name) => url.searchParams.get(name) ?? []),
  ];
  const subject = keys.map(parseKey).find((subject) => subject !== null) ?? null;
  if (subject === null || subject.kind === "auction") return subject;
  return { ...subject, network: findApiNetwork(`https://${url.host}${url.pathname}`) };
}

/** Finds the network of a public deployment by the address of a response; `null` for others. */
function findApiNetwork(address: string): NetworkName | null {
  const facts = Object.values(NETWORKS).find(({ api }) =>
    [api.production, api.staging].some((root) => address.startsWith(`${root}/`))
  );
  return facts?.name ?? null;
}
