import type { SlippageRow } from "orderlens/charts";

/** One fill, against the quote and the limit, that is known in every column. */
export function fill(place: number, facts: Partial<SlippageRow> = {}): SlippageRow {
  return {
    order_uid: `0x${String(place).padStart(112, "0")}`,
    kind: place % 3 === 0 ? "buy" : "sell",
    pair: "WETH → USDC",
    auction_id: 100 + place,
    solver: "solver a",
    block_number: 1000 + place,
    log_index: place,
    slippage_gross_bps: -6,
    slippage_net_bps: 2,
    slippage_user_shown_bps: 4,
    slippage_limit_bps: 54,
    network_bps: -8,
    protocol_bps: -2,
    partner_bps: -1,
    market_bps: 5,
    network_native: -0.8,
    protocol_native: -0.2,
    partner_native: -0.1,
    market_native: 0.5,
    volume_native: 1,
    quote_age_seconds: 10,
    tolerance_asked_bps: 50,
    tolerance_signed_gross_bps: 60,
    tolerance_signed_net_bps: 52,
    tolerance_signed_user_shown_bps: 50,
    ...facts,
  };
}

/** All four slippages of a fill, the same. */
export function slipped(bps: number | null): Partial<SlippageRow> {
  return {
    slippage_gross_bps: bps,
    slippage_net_bps: bps,
    slippage_user_shown_bps: bps,
    slippage_limit_bps: bps,
  };
}

const LONG = "A token with a name that is very long indeed, number";

/** Rows that a chart must survive, by what is wrong with them. */
export const HOSTILE: Readonly<Record<string, readonly SlippageRow[]>> = {
  "one far outlier": [
    ...Array.from({ length: 100 }, (_, place) => fill(place, slipped(place % 7 - 3))),
    fill(100, { ...slipped(4e9), tolerance_signed_user_shown_bps: 3e12 }),
  ],
  "50 groups with long, alike and odd names": Array.from(
    { length: 150 },
    (_, place) =>
      fill(place, {
        pair: `${LONG} ${place % 50} → ${LONG}`,
        solver: `<b>&"solver"\u0000\n${place % 50} ${"x".repeat(90)}`,
      }),
  ),
  "3,000 rows": Array.from({ length: 3_000 }, (_, place) =>
    fill(place, {
      ...slipped((place * 7919 % 2003 - 1001) / 10),
      volume_native: 1 + place * 31 % 997,
      quote_age_seconds: 1 + place * 17 % 499,
      pair: `T${place % 60} → USDC`,
      tolerance_signed_user_shown_bps: place % 131 - 10,
    })),
};

/** Twelve fixed fills, for snapshots. */
export const TWELVE: readonly SlippageRow[] = Array.from({ length: 12 }, (_, place) => {
  const bps = place * place - 40;
  return fill(place, {
    ...slipped(bps),
    slippage_gross_bps: bps - 11,
    market_bps: bps,
    slippage_limit_bps: bps + 90,
    pair: place < 7 ? "WETH → USDC" : "DAI → WETH",
    solver: place < 5 ? "solver a" : `0x${"ab".repeat(20)}`,
    volume_native: 10 ** (place / 4 - 1),
    quote_age_seconds: 5 + 3 * place,
    tolerance_signed_user_shown_bps: 95 - 2 * place,
  });
});
