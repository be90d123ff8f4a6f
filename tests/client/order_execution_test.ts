import { connect, orderExecution, packOrderUid } from "orderlens";
import { assert, assertEquals } from "@std/assert";
import { orderDigest, orderDomain } from "../../lib/evm/mod.ts";
import type { Baseline, Slippage } from "../../lib/metrics/mod.ts";
import { DEPLOYMENT, FakeTransport } from "../endpoints/fake_transport.ts";
import { RECORDED_ORDER, tradeNumber } from "../endpoints/recorded_bodies.ts";

const DOMAIN = orderDomain(DEPLOYMENT);
const OWNER = `0x${"77".repeat(20)}`;
const [SELL_TOKEN, BUY_TOKEN] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
const BASELINES = ["gross", "net", "userShown", "limit"] as const;

interface Made {
  /** Sold and bought amounts of each fill. */
  readonly fills: readonly (readonly [number, number])[];
  /** Executed amounts of the order. @default {the sums of the fills} */
  readonly executed?: readonly [number, number];
  /** Whether the UID matches the terms. @default {true} */
  readonly isOwn?: boolean;
}

/** A book with a sale of 1,000 for 900, quoted at 1,000 with a network fee of 10, charged 10 bps of volume. */
function bookWith({ fills, executed, isOwn = true }: Made) {
  const validTo = 1_795_273_344;
  const terms = {
    sellToken: SELL_TOKEN,
    buyToken: BUY_TOKEN,
    receiver: null,
    feeAmount: 0n,
    sellAmount: 1_000n,
    buyAmount: isOwn ? 900n : 901n,
    kind: "sell",
    validTo,
    appData: `0x${"00".repeat(32)}`,
    partiallyFillable: true,
  };
  const uid = packOrderUid({ digest: orderDigest(DOMAIN, terms), owner: OWNER, validTo });
  const sum = (at: 0 | 1) => fills.reduce((total, fill) => total + fill[at], 0);
  const [sold, bought] = executed ?? [sum(0), sum(1)];
  const order = {
    ...RECORDED_ORDER,
    ...terms,
    uid,
    owner: OWNER,
    sellAmount: "1000",
    buyAmount: "900",
    feeAmount: "0",
    status: "fulfilled",
    executedSellAmount: `${sold}`,
    executedSellAmountBeforeFees: `${sold}`,
    executedBuyAmount: `${bought}`,
    executedFee: "13",
    quote: {
      gasAmount: "5",
      gasPrice: "4",
      sellTokenPrice: "2",
      feeAmount: "10",
      sellAmount: "1000",
      buyAmount: "1000",
      solver: OWNER,
      verified: true,
      metadata: {},
    },
  };
  const trades = fills.map(([sell, buy], at) => ({
    ...tradeNumber(0),
    orderUid: uid,
    owner: OWNER,
    sellToken: SELL_TOKEN,
    buyToken: BUY_TOKEN,
    blockNumber: 100 + at,
    sellAmount: `${sell}`,
    sellAmountBeforeFees: `${sell}`,
    buyAmount: `${buy}`,
    executedProtocolFees: [{
      policy: { volume: { factor: 0.001 } },
      amount: "1",
      token: BUY_TOKEN,
    }],
  }));
  const transport = new FakeTransport(({ path }) =>
    // Newest first, as in the service.
    path.startsWith("/api/v2/trades") ? { body: trades.toReversed() } : { body: order }
  );
  return { uid, book: connect(transport) };
}

/** Atoms, and basis points as a fraction, against each baseline. */
type ByHand = Record<Baseline, readonly [bigint, bigint, bigint]>;

function assertSlippage(measured: Record<Baseline, Slippage | object>, byHand: ByHand): void {
  for (const baseline of BASELINES) {
    const slippage = measured[baseline];
    assert("bps" in slippage, baseline);
    const [atoms, numerator, denominator] = byHand[baseline];
    const { bps } = slippage;
    assertEquals(slippage.atoms, atoms, baseline);
    assertEquals(bps.numerator * denominator, numerator * bps.denominator, baseline);
  }
}

Deno.test("orderExecution measures a sale in two fills as computed by hand", async () => {
  const { book, uid } = bookWith({ fills: [[600, 590], [400, 398]] });
  const amounts = { sellAmount: 990n, feeAmount: 10n, buyAmount: 989n };
  const answer = { kind: "sell", sellToken: SELL_TOKEN, ...amounts } as const;
  const execution = await orderExecution(book, uid, { answer });
  const [first, second] = execution.fills;
  assertEquals(execution.fills.map(({ trade }) => trade.blockNumber), [100, 101]);
  // 590 - ceil(600 * 900 / 1000), and 398 - ceil(400 * 900 / 1000).
  const surplus = [first!.surplusAtoms, second!.surplusAtoms, execution.surplusAtoms];
  assertEquals(surplus, [50n, 38n, 88n]);
  // For 600 sold: 600 before fees, 594 less the network fee, 593.406 less 10 bps of that, 540 at least.
  assertSlippage(first!.slippage, {
    gross: [-10n, -100_000n, 600n],
    net: [-4n, -40_000n, 594n],
    userShown: [-4n, -34_060_000n, 593_406n],
    limit: [50n, 500_000n, 540n],
  });
  // For all: 1000, 990, 989.01 and 900.
  assertSlippage(execution.slippage, {
    gross: [-12n, -120_000n, 1_000n],
    net: [-2n, -20_000n, 990n],
    userShown: [-2n, -10_100_000n, 989_010n],
    limit: [88n, 880_000n, 900n],
  });
  assert(execution.overAnswer !== null && "atoms" in execution.overAnswer);
  assertEquals(execution.overAnswer.atoms, -1n);
  assertEquals([execution.total.sellAmount, execution.total.buyAmount], [1_000n, 988n]);
  assertEquals(execution.surplusToken, BUY_TOKEN);
  assertEquals(execution.protocolFees?.map(({ amount }) => amount), [1n, 1n]);
  assertEquals(execution.executedFeeAtoms, 13n);
  assertEquals(execution.differences, []);
});

Deno.test("orderExecution() lists the contradictions between order, trades and limit", async () => {
  const cases: [Made, string][] = [
    [
      { fills: [[600, 590]], executed: [1_000, 988] },
      "add up to 600 sold and 590 bought",
    ],
    [{ fills: [[600, 539]] }, "The fill in block 100 gave 1 atom less than the limit"],
    [{ fills: [], isOwn: false }, "The UID does not match"],
  ];
  for (const [one, says] of cases) {
    const { book, uid } = bookWith(one);
    const { differences, slippage } = await orderExecution(book, uid);
    assertEquals(differences.map((one) => one.includes(says)), [true], says);
    // An order that is not filled has a reason instead of numbers.
    for (const baseline of BASELINES) {
      const found = slippage[baseline];
      const reason = "reason" in found ? found.reason : null;
      assertEquals(reason, one.fills.length === 0 ? "nothing_executed" : null, baseline);
    }
  }
});
