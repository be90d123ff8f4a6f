import fc from "fast-check";
import { cowShares } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "../amounts.ts";

const [x, y] = ["0x0a", "0x0b"];

Deno.test("cowShares() counts a trade of a token for itself once", () => {
  const [share, ...others] = cowShares([
    { txHash: "0xa1", sellToken: x, sellAmount: 10n, buyToken: "0x0A", buyAmount: 9n },
  ]);
  assertEquals([share?.trades.length, share?.sold, share?.bought, others.length], [1, 10n, 9n, 0]);
});

Deno.test("cowShares() never match more than is sold or bought, and lose no atom, for any trades", () => {
  const token = fc.constantFrom(x, y, "0x0c");
  const anyTrade = fc.record({
    txHash: fc.constantFrom("0xa1", "0xb2"),
    sellToken: token,
    sellAmount: anyAmount(),
    buyToken: token,
    buyAmount: anyAmount(),
  });
  fc.assert(fc.property(fc.array(anyTrade, { maxLength: 10 }), (trades) => {
    const shares = cowShares(trades);
    const sum = (amounts: bigint[]) => amounts.reduce((a, b) => a + b, 0n);
    assertEquals(
      sum(shares.map(({ sold }) => sold)),
      sum(trades.map(({ sellAmount }) => sellAmount)),
    );
    assertEquals(
      sum(shares.map(({ bought }) => bought)),
      sum(trades.map(({ buyAmount }) => buyAmount)),
    );
    for (const { sold, bought, matched, share } of shares) {
      assert(matched <= sold && matched <= bought && (matched === sold || matched === bought));
      assertEquals(share === null, bought === 0n);
    }
  }));
});
