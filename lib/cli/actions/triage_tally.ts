import { aligned, counted, grouped } from "../terminal/in_words.ts";

/** What is counted of a row. */
export interface TalliedRow {
  /** Its verdict. */
  readonly verdict: string;
  /** Solver of its quote; `null` without one. */
  readonly quoter: string | null;
  /** Name of that solver; `null` if unknown. */
  readonly quoter_name: string | null;
  /** Whether it expired: `yes`, `no` or `unknown`. */
  readonly expired: string;
  /** Whether the quoter bid: `yes`, `no` or `unknown`. */
  readonly did_bid: string;
}

interface QuoterCount {
  readonly name: string;
  orders: number;
  expired: number;
  bid: number;
}

/** Counts the rows of a triage by verdict and by quoter. */
export class TriageTally {
  readonly #verdicts = new Map<string, number>();
  readonly #quoters = new Map<string, QuoterCount>();

  /** Counts a row. */
  add({ verdict, quoter, quoter_name, expired, did_bid }: TalliedRow): void {
    this.#verdicts.set(verdict, this.count(verdict) + 1);
    const key = quoter ?? "";
    const name = quoter_name ?? quoter ?? "(no quote)";
    const count = this.#quoters.get(key) ?? { name, orders: 0, expired: 0, bid: 0 };
    count.orders++;
    if (expired === "yes") count.expired++;
    if (did_bid === "yes") count.bid++;
    this.#quoters.set(key, count);
  }

  /** Rows with a verdict. */
  count(verdict: string): number {
    return this.#verdicts.get(verdict) ?? 0;
  }

  /** The counts as lines, most first. */
  lines(): string[] {
    const verdicts = [...this.#verdicts].sort(([, a], [, b]) => b - a);
    const quoters = [...this.#quoters.values()].sort((a, b) => b.orders - a.orders);
    if (verdicts.length === 0) return ["No UID was found"];
    return [
      "By verdict",
      ...aligned(verdicts.map(([verdict, count]) => [verdict, grouped(count)])),
      "By quoter",
      ...aligned(quoters.map(({ name, orders, expired, bid }) => [
        name,
        `${counted(orders, "order")}, ${grouped(expired)} expired, bid on ${grouped(bid)}`,
      ])),
    ];
  }
}
