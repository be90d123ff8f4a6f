import { isNotComputable, type NetworkFee, type NotComputable } from "../../metrics/mod.ts";
import type { AtomInterval } from "../../metrics/prices/price_interval.ts";
import { findNativeSymbol, NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { TokenAmounts, type TokenOptions, toLookupFunction } from "../../tables/columns/lookups.ts";
import { formatReadable } from "../../units/format.ts";
import {
  formatInstant,
  formatRatio,
  formatSpan,
  powerOfTen,
  type Ratio,
  ratio,
  ratioToNumber,
  sameHex,
} from "../../units/mod.ts";
import { NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import type { Cell, Tone } from "./page_content.ts";

const SHORT_HEX = /^(0x[0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{6})$/i;

/** Facts about tokens in which the native token of a chain has its symbol. */
export function nameNativeToken(tokens: TokenOptions, chainId: number): TokenOptions {
  const native = findNativeSymbol(chainId) ?? "native";
  const readSymbol = toLookupFunction(tokens.symbols);
  const symbols = (token: string) =>
    readSymbol(token) ?? (sameHex(token, NATIVE_TOKEN_ADDRESS) ? native : null);
  return { ...tokens, symbols };
}

/** Writes values of a report as cells: amounts in tokens, hex text short, times to the millisecond. */
export class CellFormatter {
  readonly #amounts: TokenAmounts;

  /** Takes what is known about tokens. */
  constructor(tokens: TokenOptions = {}) {
    this.#amounts = new TokenAmounts(tokens);
  }

  /**
   * An amount in whole tokens with its symbol, or in atoms if the decimals are unknown; a dash where
   * there is none, with the reason why it cannot be computed.
   */
  formatAmount(atoms: bigint | NotComputable<string> | null | undefined, token: string): Cell {
    if (atoms === null || atoms === undefined) return { text: "–" };
    if (isNotComputable(atoms)) return { text: "–", exact: atoms.detail };
    const decimals = this.#amounts.decimals(token);
    const symbol = this.#amounts.label(token);
    const exact = `${atoms} atoms of ${token}`;
    if (decimals === null) return { text: `${atoms} atoms of ${symbol}`, exact };
    return { text: formatReadable(atoms, decimals, symbol), exact };
  }

  /** Native atoms, such as a score, in whole native tokens. */
  static formatNative(atoms: bigint | null): Cell {
    if (atoms === null) return { text: "–" };
    const text = formatReadable(atoms, NATIVE_DECIMALS, "native");
    return { text, exact: `${atoms} native atoms` };
  }

  /** The network fee of a fill. */
  formatNetworkFee(fee: NetworkFee | NotComputable<string>, token: string): Cell {
    return isNotComputable(fee)
      ? this.formatAmount(fee, token)
      : this.formatInterval(fee.networkAtoms, token);
  }

  /** An amount that is known between two ends. */
  formatInterval({ low, high }: AtomInterval, token: string): Cell {
    if (low === high) return this.formatAmount(low, token);
    const exact = `between ${low} and ${high} atoms of ${token}`;
    const [from, to] = [this.formatAmount(low, token).text, this.formatAmount(high, token).text];
    return { text: from === to ? from : `${from} to ${to}`, exact };
  }

  /** An amount that links to its token. */
  linkAmount(atoms: bigint, token: string): Cell {
    return { ...this.formatAmount(atoms, token), subject: { token } };
  }

  /**
   * Formats the price of one whole token sold, in six significant digits, rounded half to even; `null` if decimals
   * are unknown, or nothing is sold or bought.
   */
  formatRate(
    { sellToken, buyToken }: { readonly sellToken: string; readonly buyToken: string },
    sellAtoms: bigint,
    buyAtoms: bigint,
  ): Cell | null {
    const sellDecimals = this.#amounts.decimals(sellToken);
    const buyDecimals = this.#amounts.decimals(buyToken);
    if (sellDecimals === null || buyDecimals === null || sellAtoms === 0n || buyAtoms === 0n) {
      return null;
    }
    const rate = ratio(buyAtoms * powerOfTen(sellDecimals), sellAtoms * powerOfTen(buyDecimals));
    const digits = Math.max(0, 5 - Math.floor(Math.log10(ratioToNumber(rate))));
    const text = formatRatio(rate, { digits, rounding: "halfEven", grouping: "," });
    const [sellLabel, buyLabel] = [this.#amounts.label(sellToken), this.#amounts.label(buyToken)];
    const exact = `${buyAtoms} atoms of ${buyToken} for ${sellAtoms} atoms of ${sellToken}`;
    return { text: `1 ${sellLabel} = ${text} ${buyLabel}`, exact };
  }

  /** A token by its symbol. */
  token(address: string): Cell {
    return { text: this.#amounts.label(address), exact: address, subject: { token: address } };
  }

  /** A pair of tokens. */
  formatPair(sellToken: string, buyToken: string): string {
    return this.#amounts.pair(sellToken, buyToken) ?? `${sellToken} → ${buyToken}`;
  }
}

/** Hex text by its ends. */
export function shortenHex(hex: string): string {
  return hex.replace(SHORT_HEX, "$1…$2");
}

/** A sentence with the hex texts in it by their ends. */
export function shortenAllHex(sentence: string): string {
  return sentence.replaceAll(/0x[0-9a-f]{40,}/gi, shortenHex);
}

/** An order by its UID. */
export function toUidCell(uid: string): Cell {
  return { text: shortenHex(uid), exact: uid, subject: { uid } };
}

/** A transaction by its hash; a dash without one. */
export function toTransactionCell(hash: string | null | undefined): Cell {
  if (hash === null || hash === undefined) return { text: "–" };
  return { text: shortenHex(hash), exact: hash, subject: { transaction: hash } };
}

/** An account by its address. */
export function toAccountCell(account: string): Cell {
  return { text: shortenHex(account), exact: account, subject: { account } };
}

/** A solver by its name, or its address. */
export function toSolverCell(solver: string | null, name: string | null): Cell {
  if (solver === null) return { text: "–" };
  return { text: name ?? shortenHex(solver), exact: solver, subject: { solver } };
}

/** An auction by its id; a dash without one. */
export function toAuctionCell(auctionId: number | null): Cell {
  return auctionId === null
    ? { text: "–" }
    : { text: String(auctionId), subject: { auction: auctionId } };
}

/** A time in UTC to the millisecond, all digits behind it; an interval by both of its ends. */
export function toTimeCell(
  earliest: Temporal.Instant | null,
  latestAt: Temporal.Instant | null = earliest,
): Cell {
  if (earliest === null) return { text: "–" };
  const from = formatMilliseconds(earliest, "floor");
  if (latestAt === null) {
    return { text: `${from} UTC or later`, exact: `${formatInstant(earliest)} or later` };
  }
  if (earliest.equals(latestAt)) return { text: `${from} UTC`, exact: formatInstant(earliest) };
  const to = formatMilliseconds(latestAt, "ceil");
  const isSameDay = from.slice(0, DATE) === to.slice(0, DATE);
  return {
    text: `${from} to ${isSameDay ? to.slice(DATE + 1) : to} UTC`,
    exact: `${formatInstant(earliest)} to ${formatInstant(latestAt)}`,
  };
}

const DATE = "2026-08-21".length;

/** The ends of an interval are rounded outwards, so that it has the time in it. */
function formatMilliseconds(time: Temporal.Instant, roundingMode: "floor" | "ceil"): string {
  const rounded = time.round({ smallestUnit: "millisecond", roundingMode });
  return formatInstant(rounded).replace("T", " ").replace("Z", "");
}

/** Formats the time since a moment, or until it, in its largest unit, such as `3 min ago`. */
export function formatAge(time: Temporal.Instant, now: Temporal.Instant): string {
  const ago = now.epochNanoseconds - time.epochNanoseconds;
  const span = formatSpan(ago < 0n ? -ago : ago, { fractionDigits: 0, rounding: "trunc" });
  const largest = span.split(" ", 2).join(" ");
  return ago < 0n ? `in ${largest}` : `${largest} ago`;
}

/** Words and tone of each order status. */
const STATUSES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  open: ["Open", "neutral"],
  fulfilled: ["Filled", "good"],
  cancelled: ["Cancelled", "warning"],
  expired: ["Expired", "bad"],
  presignaturePending: ["Not signed yet", "warning"],
};

/** The status of an order as a label in its colour; `exact` has the service's word for it. */
export function toStatusCell(status: string): Cell {
  const [text, tone] = STATUSES[status] ?? [status, "neutral"];
  return { text, tone, isPill: true, exact: status };
}

/** Basis points with a sign and two digits. */
export function toBpsCell(bps: Ratio | number | null): Cell {
  if (bps === null) return { text: "–" };
  const value = typeof bps === "number" ? bps : ratioToNumber(bps);
  const text = `${value > 0 ? "+" : ""}${BPS.format(value)} bps`;
  return { text: text.replace(/^[-+](0 bps)$/, "$1") };
}

const BPS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, roundingMode: "halfEven" });
