/** Why a node does not answer for the logs of a range of blocks. */
export interface LogRefusal {
  /**
   * `range` if it limits the number of blocks, `size` if it limits logs, bytes or time, which a
   * shorter range keeps to, and `missing` if it does not have the blocks.
   */
  readonly reason: "range" | "size" | "missing";
  /** Number of blocks that it says it accepts; `null` if it does not say. */
  readonly blocks: number | null;
}

/** A range of blocks, both ends inclusive. */
export interface BlockSpan {
  /** First block. */
  readonly from: number;
  /** Last block. */
  readonly to: number;
}

/** What nodes say of blocks that they have no longer, or never had. */
const MISSING =
  /prune|missing trie|history (?:is )?(?:un|not )available|archive|data before|method .*(?:not|n't)|not supported by|(?:header|block) (?:\d+ )?not found|block not found|unknown block|not recorded/i;
/** Code of EIP-4444, and of methods that do not exist. */
const MISSING_CODES: readonly number[] = [4444, -32601, -32004, -32001];
/** What nodes say of too many logs, bytes or seconds. */
const SIZE = /results|\blogs\b|events|size|bytes|too (?:big|many)|timed? ?out|deadline|time limit/i;
const RANGE = /range|blocks/i;
/** A range that a node proposes, in hex or decimal digits. */
const PROPOSED = /(?:\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\])|\b(\d+)\s?-\s?(\d+)\b/i;
/** A number of blocks: not of logs, bytes or seconds, and not a part of a hex number. */
const NUMBER =
  /(?<![\w.,-])(\d[\d,_]*)(k)?(?![\w.,]*\d)(?!\s*(?:results?|logs?|events?|bytes?|[kmg]i?b|ms|s|sec|seconds?)\b)/gi;
/** A number above this part of the range is the range itself. */
const MOST_OF_RANGE = 0.9;

/**
 * Reads an error that a node returned for `eth_getLogs`. Providers word their limits in many ways,
 * and some propose a range: what is not known to be final counts as a limit.
 */
export function readLogRefusal(
  { code, message }: { readonly code: number; readonly message: string },
  span: BlockSpan,
): LogRefusal {
  const isAboutRange = RANGE.test(message);
  const isMissing = MISSING_CODES.includes(code) ||
    MISSING.test(message) && !/exceed/i.test(message);
  if (isMissing) return { reason: "missing", blocks: null };
  const asked = span.to - span.from + 1;
  const proposed = proposedBlocks(message, span);
  if (proposed !== null) {
    return { reason: "size", blocks: proposed > 0 && proposed < asked ? proposed : null };
  }
  if (!isAboutRange) return { reason: "size", blocks: null };
  const most = largestNumber(message, MOST_OF_RANGE * asked);
  const reason = SIZE.test(message) && !/block range|max range|range limit/i.test(message)
    ? "size"
    : "range";
  return { reason, blocks: most };
}

/** Length of the range that a node proposes, which begins where the query does; `null` without one. */
function proposedBlocks(message: string, { from }: BlockSpan): number | null {
  const found = PROPOSED.exec(message);
  if (found === null) return null;
  const [first, last] = [found[1] ?? found[3], found[2] ?? found[4]].map(Number);
  return first === from ? last! - first + 1 : null;
}

/** The largest number of blocks in a text that is at most a given one. */
function largestNumber(message: string, most: number): number | null {
  let largest = 0;
  for (const [, digits = "", thousands] of message.matchAll(NUMBER)) {
    const value = Number(digits.replaceAll(/[,_]/g, "")) * (thousands === undefined ? 1 : 1_000);
    if (value <= most) largest = Math.max(largest, value);
  }
  return largest === 0 ? null : largest;
}
