import type { Recomputed } from "../../datasets/mod.ts";
import { aligned, grouped } from "../terminal/in_words.ts";

/** How much of one kind agrees with what was recomputed of it. */
interface Part {
  readonly agreeing: number;
  readonly differing: readonly (string | number)[];
  readonly notComputable?: Readonly<Record<string, number>>;
}

const MOST_SHOWN = 10;

/** What was recomputed of a dataset, for people: auctions as a whole, and each kind that is counted. */
export function recomputedLines(recomputed: Recomputed): string[] {
  return [
    "Recomputed",
    ...aligned(partsOf(recomputed).map(([name, part]) => [wordsOf(name), partText(part)])),
  ];
}

/** Whether everything that could be recomputed agrees. */
export function agreesThroughout(recomputed: Recomputed | null): boolean {
  return recomputed === null ||
    partsOf(recomputed).every(([, part]) => part.differing.length === 0);
}

function partsOf(recomputed: Recomputed): (readonly [name: string, part: Part])[] {
  const kinds = Object.entries(recomputed)
    .flatMap(([name, value]) => isPart(value) ? [[name, value] as const] : []);
  return [["auctions", recomputed], ...kinds];
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && "agreeing" in value && "differing" in value;
}

/** `12 agree, none differs`, with what differs and how many cannot be recomputed. */
export function partText({ agreeing, differing, notComputable = {} }: Part): string {
  const skipped = Object.entries(notComputable)
    .map(([reason, count]) => `${grouped(count)} ${wordsOf(reason)}`);
  const cannot = skipped.length === 0 ? "" : `; not computable: ${skipped.join(", ")}`;
  const agree = `${grouped(agreeing)} ${agreeing === 1 ? "agrees" : "agree"}`;
  if (differing.length === 0) return `${agree}, none differs${cannot}`;
  const more = differing.length > MOST_SHOWN ? ", …" : "";
  const shown = differing.slice(0, MOST_SHOWN).join(", ") + more;
  const differ = `${grouped(differing.length)} ${differing.length === 1 ? "differs" : "differ"}`;
  return `${agree}, ${differ}: ${shown}${cannot}`;
}

/** `referenceScores` and `terms_unknown` in words. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("_", " ");
}
