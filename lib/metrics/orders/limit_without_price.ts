import type { NotComputable } from "../not_computable.ts";
import type { OrderLimit } from "./fill.ts";

/**
 * Why nothing can be measured against a limit that fixes 0 atoms; `undefined` for any other limit.
 */
export function limitWithoutPrice(
  { kind, sellAmount, buyAmount }: OrderLimit,
): NotComputable<"limit_without_price"> | undefined {
  const fixed = kind === "sell" ? sellAmount : buyAmount;
  return fixed === 0n
    ? { reason: "limit_without_price", detail: "The order is for 0 atoms" }
    : undefined;
}
