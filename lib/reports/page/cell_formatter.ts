import { isNotComputable, type NetworkFee, type NotComputable } from "../../metrics/mod.ts";
import type { AtomInterval } from "../../metrics/prices/price_interval.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Order } from "../../schemas/mod.ts";
import { TokenAmounts, type TokenOptions } from "../../tables/columns/lookups.ts";
import { formatAtomCount, formatReadable, pluralize, writeMinus } from "../../units/format.ts";
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
import { valueInDollars } from "../order/dollar_amounts.ts";
import type { Cell, Tone } from "./page_content.ts";

/** Prices from ten to its power on, and those as small, have an exponent: nobody counts more zeros. */
const MIN_EXPONENT = 18;

const SHORT_HEX = /^(0x[0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{6})$/i;

/** Writes values of a report as cells: amounts in tokens, hex text short, times to the millisecond. */
export class CellFormatter {
  readonly #amounts: TokenAmounts;

  /** Takes what is known about tokens. */
  constructor(tokens: TokenOptions = {}) {
    this.#amounts = new TokenAmounts(tokens);
  }

  /**
   * An amount in whole tokens with its symbol, or in atoms with the short address if the decimals are
   * unknown; a dash where there is none, with the reason why it cannot be computed.
   *
   * @param usdPerAtom US dollars for one atom, to show its value beside it. @default {it has none}
   */
  formatAmount(
    atoms: bigint | NotComputable<string> | null | undefined,
    token: string,
    usdPerAtom: Ratio | null = null,
  ): Cell {
    if (atoms === null || atoms === undefined) return { text: "–" };
    if (isNotComputable(atoms)) return { text: "–", exact: atoms.detail };
    const decimals = this.#amounts.decimals(token);
    const label = this.#label(token);
    const exact = `${pluralize(atoms, "atom")} of ${token}`;
    const text = decimals === null
      ? `${formatAtomCount(atoms)} of ${addAddress(label, token)}`
      : formatReadable(atoms, decimals, label);
    const dollars = valueInDollars(atoms, usdPerAtom);
    return { text: dollars === null ? text : `${text} (${formatDollars(dollars)})`, exact };
  }

  /** An amount with its value in US dollars, where there is one. */
  addDollars({ atoms, dollars }: ValuedAmount, token: string): Cell {
    const amount = this.formatAmount(atoms, token);
    const text = dollars === null ? amount.text : `${amount.text} (${formatDollars(dollars)})`;
    return { ...amount, text };
  }

  /** The symbol of a token, isolated if it is written from right to left, or its short address. */
  #label(token: string): string {
    const label = this.#amounts.label(token);
    return RIGHT_TO_LEFT.test(label) ? `\u2068${label}\u2069` : label;
  }

  /** Native atoms, such as a score, in whole native tokens. */
  formatNative(atoms: bigint | null): Cell {
    if (atoms === null) return { text: "–" };
    const text = formatReadable(atoms, NATIVE_DECIMALS, this.#label(NATIVE_TOKEN_ADDRESS));
    return { text, exact: `${atoms} native atoms` };
  }

  /** Symbol, decimals and their source of a token; `null` for what is unknown. */
  describeToken(address: string): TokenDescription {
    const decimals = this.#amounts.decimals(address);
    const source = sameHex(address, NATIVE_TOKEN_ADDRESS)
      ? "its chain"
      : this.#amounts.source(address);
    return { symbol: this.#amounts.symbol(address), decimals, source };
  }

  /** The network fee of a fill. */
  formatNetworkFee(fee: NetworkFee | NotComputable<string>, token: string): Cell {
    return isNotComputable(fee)
      ? this.formatAmount(fee, token)
      : this.formatInterval(fee.networkAtoms, token);
  }

  /** An amount that is known between two ends. */
  formatInterval({ low, high }: AtomInterval, token: string, isSigned = false): Cell {
    const [lowSign, highSign] = [low, high].map((atoms) => isSigned && atoms > 0n ? "+" : "");
    const amount = this.formatAmount(low, token);
    const from = `${lowSign}${amount.text}`;
    if (low === high) return { ...amount, text: from };
    const to = `${highSign}${this.formatAmount(high, token).text}`;
    const exact = `between ${low} and ${high} atoms of ${token}`;
    if (from === to) return { text: from, exact };
    // Both ends in one unit: what is too small for whole tokens is in atoms.
    const [unit] = [from, to].flatMap((end) => /^[−+]?[\d,]+ atoms? (of .+)$/.exec(end)?.[1] ?? []);
    if (unit === undefined) return { text: `${from} to ${to}`, exact };
    const [lowDigits] = formatAtomCount(low).split(" ");
    return { text: `${lowSign}${lowDigits} to ${highSign}${formatAtomCount(high)} ${unit}`, exact };
  }

  /** A difference of amounts, with its sign, as {@linkcode formatInterval} formats it. */
  formatDifference(interval: AtomInterval, token: string): Cell {
    return this.formatInterval(interval, token, true);
  }

  /** An amount that links to its token; its value in US dollars is behind the link. */
  linkAmount({ atoms, dollars }: ValuedAmount, token: string): Cell {
    const amount = this.formatAmount(atoms, token);
    const after = dollars === null ? {} : { after: ` (${formatDollars(dollars)})` };
    return { ...amount, subject: { token }, ...after };
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
    const size = ratioToNumber(rate);
    const exponent = Math.floor(Math.log10(size));
    const digits = Math.max(0, 5 - exponent);
    const text = Math.abs(exponent) < MIN_EXPONENT
      ? formatRatio(rate, { digits, rounding: "halfEven", grouping: "," })
      : size.toExponential(5).replace("e+", "e").replace("-", "−");
    const [sellLabel, buyLabel] = [this.#label(sellToken), this.#label(buyToken)];
    const exact = `${buyAtoms} atoms of ${buyToken} for ${sellAtoms} atoms of ${sellToken}`;
    return { text: `1 ${sellLabel} = ${text} ${buyLabel}`, exact };
  }

  /** Formats a price in both directions; `null` as {@linkcode formatRate}. */
  formatRates(
    { sellToken, buyToken }: { readonly sellToken: string; readonly buyToken: string },
    sellAtoms: bigint,
    buyAtoms: bigint,
  ): Cell | null {
    const rate = this.formatRate({ sellToken, buyToken }, sellAtoms, buyAtoms);
    const reverse = { sellToken: buyToken, buyToken: sellToken };
    const reverseRate = this.formatRate(reverse, buyAtoms, sellAtoms);
    return rate && { ...rate, text: `${rate.text}, or ${reverseRate!.text}` };
  }

  /** Formats which amount an order fixes, and the limit of the other. */
  formatLimit(
    { kind, sellToken, sellAmount, buyToken, buyAmount }: Pick<
      Order,
      "kind" | "sellToken" | "sellAmount" | "buyToken" | "buyAmount"
    >,
  ): string {
    const sell = this.formatAmount(sellAmount, sellToken).text;
    const buy = this.formatAmount(buyAmount, buyToken).text;
    return kind === "sell" ? `sell ${sell} for at least ${buy}` : `buy ${buy} for at most ${sell}`;
  }

  /** A token by its symbol. */
  token(address: string): Cell {
    return { text: this.#label(address), exact: address, subject: { token: address } };
  }

  /** A pair of tokens. */
  formatPair(sellToken: string, buyToken: string): string {
    return `${this.#label(sellToken)} → ${this.#label(buyToken)}`;
  }
}

/** An amount of a token and its value in US dollars; `null` without a rate. */
export interface ValuedAmount {
  readonly atoms: bigint;
  readonly dollars: Ratio | null;
}

/** Facts about a token, as a page shows them. */
interface TokenDescription {
  /** Symbol, with the short address if another token has it too; `null` if unknown. */
  readonly symbol: string | null;
  /** Number of decimals; `null` if unknown. */
  readonly decimals: number | null;
  /** Source of both; `null` if both are unknown. */
  readonly source: string | null;
}

/** Scripts that are written from right to left: between numbers, they would change the order of an amount. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The label of a token whose decimals are unknown, with its short address. */
function addAddress(label: string, token: string): string {
  const short = shortenHex(token);
  return /0x[0-9a-f]{4}…/i.test(label) ? label : `${label} (${short})`;
}

/** Formats US dollars to the cent, rounded half to even; what is less than a cent as `<$0.01`. */
export function formatDollars(dollars: Ratio): string {
  const isNegative = dollars.numerator < 0n;
  const size = isNegative ? { ...dollars, numerator: -dollars.numerator } : dollars;
  const isTiny = size.numerator > 0n && size.numerator * 100n < size.denominator;
  const text = formatRatio(size, { digits: 2, rounding: "halfEven", grouping: "," });
  return `${isNegative ? "−" : ""}${isTiny ? "<$0.01" : `$${text}`}`;
}

/** Hex text by its ends. */
export function shortenHex(hex: string): string {
  return hex.replace(SHORT_HEX, "$1…$2");
}

/** A sentence with the hex texts in it by their ends. */
export function shortenAllHex(sentence: string): string {
  return sentence.replaceAll(/0x[0-9a-f]{40,}/gi, shortenHex);
}

/** A sentence with its times as a page has them: with a space and their zone. */
export function spaceTimes(sentence: string): string {
  return sentence.replaceAll(/(\d{4}-\d\d-\d\d)T([\d:.]+)Z/g, "$1 $2 UTC");
}

/** A sentence as a page has it: hex texts by their ends, and its times. */
export function shortenSentence(sentence: string): string {
  return shortenAllHex(spaceTimes(sentence));
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

/**
 * Basis points with a sign and two digits: all that a ratio has before the point, and of a double those
 * that it knows.
 */
export function toBpsCell(bps: Ratio | number | null): Cell {
  if (bps === null) return { text: "–" };
  const digits = typeof bps === "number"
    ? Math.abs(bps) < MIN_INEXACT ? BPS.format(bps) : bps.toPrecision(4).replace("e+", "e")
    : formatRatio(bps, BPS_FORMAT).replace(/\.?0+$/, "");
  const text = writeMinus(digits).replace(/^−0$/, "0");
  return { text: `${text === "0" || text.startsWith("−") ? "" : "+"}${text} bps` };
}

/** From this size on, a double does not have every hundredth. */
const MIN_INEXACT = 2 ** 53 / 100;
const BPS_FORMAT = { digits: 2, rounding: "halfEven", grouping: "," } as const;
const BPS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2, roundingMode: "halfEven" });
