import { assert, assertEquals } from "@std/assert";
import { ruleSets } from "orderlens/networks";
import { formatAtoms } from "orderlens/units";
import { ACCOUNTING_WEEK, CONSISTENCY_BY_ORDER_SHARE_SINCE } from "../../lib/networks/network.ts";

Deno.test("ACCOUNTING_WEEK begins on a Tuesday at midnight", () => {
  const tuesday = Temporal.PlainDate.from("2026-08-18");
  assertEquals(ACCOUNTING_WEEK.isoWeekday, tuesday.dayOfWeek);
  assertEquals(Temporal.PlainTime.from(ACCOUNTING_WEEK.utcTime).hour, 0);
  assert(Object.isFrozen(ACCOUNTING_WEEK));
});

Deno.test("CONSISTENCY_BY_ORDER_SHARE_SINCE is the first day of an accounting week", () => {
  const day = Temporal.PlainDate.from(CONSISTENCY_BY_ORDER_SHARE_SINCE);
  assertEquals(day.dayOfWeek, ACCOUNTING_WEEK.isoWeekday);
});

// Fixed caps: solver-rewards#446 and #463. Shares: the documentation of 2025-11 and of 2026-08.
Deno.test("ruleSets() has the caps of each proposal", () => {
  const capsOf = (name: "mainnet" | "xdai" | "bnb") =>
    ruleSets(name).map(({ name, auction, rewards: { feeShare, upperCapAtoms, ...rewards } }) =>
      [
        name,
        auction.fairness ? auction.maxWinners ?? "many" : auction.maxWinners,
        feeShare === null
          ? formatAtoms(upperCapAtoms!, 18)
          : `${feeShare.numerator}/${feeShare.denominator}`,
        rewards.hasConsistency ?? true,
        rewards.hasOrderCaps ?? false,
      ].join(" ")
    );
  const since74 = [
    "CIP-74 many 1/1 false false",
    "CIP-85 many 1/1 true false",
    "CIP-87 many 1/1 true true",
  ];
  assertEquals(capsOf("mainnet"), [
    "CIP-36 1 0.012 false false",
    "CIP-67 many 0.012 false false",
    "CIP-74 many 1/1 false false",
    "CIP-85 many 1/2 true false",
    "CIP-87 many 1/2 true true",
  ]);
  assertEquals(capsOf("xdai"), [
    "CIP-57 1 10 false false",
    "CIP-67 many 10 false false",
    ...since74,
  ]);
  assertEquals(capsOf("bnb"), since74);
  assertEquals(ruleSets("sepolia"), []);
});
