import fc from "fast-check";
import { cowShares } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "../amounts.ts";

const [x, y] = ["0x0a", "0x0b"];

Deno.test("cowShares() are what is sold of a token as a share of what is bought in one settlement", () => {
  const trade = (txHash: string | null, sellAmount: bigint, buyAmount: bigint) => (
    { txHash, sellToken: x, sellAmount, buyToken: y, buyAmount }
  );
  const back = { sellToken: y, sellAmount: 30n, buyToken: x, buyAmount: 8n };
  const shares = cowShares([
    trade("0xa1", 10n, 40n),
    { txHash: "0xA1", ...back },
    trade("0xb2", 5n, 20n),
    trade(null, 5n, 20n),
  ]);
  assertEquals(
    shares.map(({ txHash, token, trades, sold, bought, matched, share }) => [
      ...[txHash, token, trades.length, sold, bought, matched, share],
    ]),
    [
      ["0xa1", x, 2, 10n, 8n, 8n, ratio(8n, 8n)],
      ["0xa1", y, 2, 30n, 40n, 30n, ratio(30n, 40n)],
      ["0xb2", x, 1, 5n, 0n, 0n, null],
      ["0xb2", y, 1, 0n, 20n, 0n, ratio(0n, 20n)],
    ],
  );
});

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
