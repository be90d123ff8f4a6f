import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder, type OrderReport } from "orderlens/reports";
import { compareRatios, formatBps, ratio } from "orderlens/units";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { suggestSteps } from "../../../lib/reports/order/next_steps.ts";
import { ORDER_CAUSES, type OrderCause } from "../../../lib/reports/order/verdicts.ts";
import { BUY, cannedBook, filledAnswers, hex, orderBody, SELL, uidOf } from "../canned_book.ts";
import { event, fundsChain, type Held, leftOut, RELAYER, timeOfBlock } from "../funds_chain.ts";

const UID = uidOf("01");
const ORDER = `/api/v1/orders/${UID}`;

function inspect(order: Record<string, unknown> = {}) {
  const answers = { [`${ORDER}/status`]: { type: "open" }, [ORDER]: orderBody(order) };
  return inspectOrder(cannedBook({ "/api/v2/trades": [], ...answers }).book, UID);
}

const OPEN = await inspect();
const EXPIRED = await inspect({ status: "expired" });
const FILLED = await inspectOrder(cannedBook(filledAnswers()).book, UID);
const UNKNOWN = await inspectOrder(cannedBook({}).book, UID);
const ATTEMPT = { solver: hex("50", 20), outcome: "driver failed: reverted with 0x1234" };
/** Two auctions that are over, the last one with an attempt that failed. */
const WON = [{ attempts: [] }, { attempts: [ATTEMPT] }] as unknown as OrderReport["auctions"];
/** An attempt about which the driver passed on an answer. */
const REFUSED = [{
  attempts: [{
    ...ATTEMPT,
    outcome: 'driver failed: bad status 400 Bad Request: {"kind":"FailedToSubmit",' +
      '"description":"Could not submit the solution"}',
  }],
}] as unknown as OrderReport["auctions"];
const WINNING = [{
  bids: [],
  attempts: null,
  outcome: "executing",
  deadlineBlock: 104,
}] as unknown as OrderReport["auctions"];

/** The second 0x6a87c960 ends at 03:43:29. */
const CREATED = Temporal.Instant.from("2026-08-21T03:41:20Z");
/** The last second of its validity, as texts have it. */
const END = "2026-08-21 03:43:28 UTC";
const BRIEF = { ...OPEN.order!, creationDate: CREATED };

/** Steps by cause, with its reason behind it: the action and the text of each. */
type ByCause = Readonly<Record<string, string>>;

/** What differs in a report, where it is more than the cause and its reason, and its steps. */
type Row = readonly [Partial<OrderReport> & Pick<OrderReport, "cause">, ...steps: string[]];

const OF_OPEN: ByCause = {
  presignature_missing:
    "set_presignature: Send `setPreSignature` of the settlement contract from its owner before 2026-08-21 03:43:28 UTC, if its owner wants this order: anybody may have placed it",
  "invalid insufficient_balance":
    `check_funds: Check that its owner has 100 atoms of ${SELL}, and allows the vault relayer to take it: with the URL of a node, the report says what is missing`,
  "invalid banned_user": "nothing: Nothing: the service accepts no orders from its owner",
  "invalid unsupported_token":
    "use_other_token: Trade another token: one of these is not supported",
  "invalid invalid_signature": "cancel: Cancel it, then sign it again and place it again",
  "filtered dust_order": "cancel: Cancel it, then place a larger order: this one is too small",
  "filtered in_flight": "wait: Wait: a settlement of it is pending",
  bids_unfair:
    "wait: Wait: solvers meet its limit, and the next auctions may bring a bid that counts",
  outbid: "wait: Wait: solvers meet its limit, and may win with it in the next auctions",
  never_in_an_auction: "wait: Wait: the next auctions may list it",
  ready_in_no_stored_auction: "wait: Wait: solvers may bid in the next auctions",
  auction_running: "wait: Wait: its auction has not been decided yet",
  executed_not_indexed: "wait: Wait: its trade will be listed once it is indexed",
};

const OF_EXPIRED: ByCause = {
  presignature_missing:
    "place_anew: Place it again, and send its `setPreSignature` before it expires",
  invalid:
    `place_anew: Place it again once its owner has 100 atoms of ${SELL}, and has approved them`,
  won_not_settled: "place_anew: Place it again: it was not settled in time",
  no_bid_at_a_fair_limit: "place_anew: Place it again: no response shows why nobody bid",
  evidence_gone:
    "place_anew: Place it again if it is still to trade: why it was not filled is no longer stored",
  cancelled: "place_anew: Place it again to trade: the service leaves this order out of auctions",
  refunded: "place_anew: Place it again to trade: its funds have been returned",
};

const OF_FILLED: ByCause = {
  filled: `nothing: Nothing: its owner got 210 atoms of ${BUY}`,
  filled_late:
    `nothing: Nothing: its owner got 210 atoms of ${BUY}. The deadline binds its solver, and changes nothing for the order`,
  jit_liquidity: "nothing: Nothing: it is settled, and a solver added it itself",
  jit_capturing: "nothing: Nothing: it is settled, and a solver added it itself",
};

const MORE_OF_OPEN: readonly Row[] = [
  [
    { cause: "presignature_missing", order: { ...OPEN.order!, receiver: hex("5e", 20) } },
    `${OF_OPEN.presignature_missing}, and what it buys goes to ${hex("5e", 20)}`,
  ],
  [
    { cause: "not_valid_yet", order: { ...OPEN.order!, validFrom: 1_787_310_000 } },
    "wait: Wait until 2026-08-21 11:00:00 UTC: it is in no auction before",
  ],
  [
    { cause: "filtered", reason: "missing_native_price" },
    "wait: Wait: the service may get a native price of both tokens",
    "use_other_token: Or trade other tokens: `nativePrice` shows which have a price",
  ],
  [
    { cause: "won_not_settled", auctions: WON },
    "wait: Wait: it may be in the next auctions; the last attempt to settle it ended with: driver failed: reverted with 0x1234",
  ],
  [
    { cause: "won_not_settled", auctions: REFUSED },
    "wait: Wait: it may be in the next auctions; the last attempt to settle it ended with: driver failed: Could not submit the solution",
  ],
  [
    { cause: "unknown" },
    `check_funds: Check that its owner has 100 atoms of ${SELL}, and allows the vault relayer to take it: with the URL of a node, the report says what is missing`,
    "ask_more: Or find out why it is not filled: use an API key of a partner, for the debug report; or: pass the URL of a node, which shows balance and allowance",
  ],
  [
    { cause: "unknown", possible: ["auction_running", "outbid"] },
    "wait: Wait: its latest auction may not have been decided yet",
  ],
  [
    { cause: "unknown", possible: ["bids_unfair", "outbid"] },
    `wait: Wait: the next auctions may fill it, until ${END}`,
    "ask_more: Or find out why it is not filled: use an API key of a partner, for the debug report; or: pass the URL of a node, which shows balance and allowance",
  ],
  [
    {
      cause: "invalid",
      order: { ...OPEN.order!, partiallyFillable: true, executedSellAmountBeforeFees: 25n },
    },
    `check_funds: Check that its owner has some of the 75 atoms of ${SELL} that are left to sell, and allows the vault relayer to take it: with the URL of a node, the report says what is missing`,
  ],
  [
    {
      cause: "no_bid_at_a_fair_limit",
      asOf: Temporal.Instant.from("2026-08-21T03:43:29Z"),
      evidence: { ...OPEN.evidence, isTimed: true },
    },
    "ask_more: Look again: its validity is over, and its status is still open",
  ],
  [{ cause: "evidence_gone" }, `wait: Wait: the next auctions may fill it, until ${END}`],
  [
    { cause: "executing", auctions: WINNING },
    "wait: Wait until block 104, the last one for its settlement",
  ],
];

const UNKNOWN_OUTLOOK = { mayStillSettle: null, basis: "unknown", until: null } as const;

const MORE_OF_EXPIRED: readonly Row[] = [
  [
    { cause: "executed_not_indexed", outlook: { ...UNKNOWN_OUTLOOK, basis: "executed" } },
    "ask_more: Look for its `Trade` event on the chain before placing it again: no response shows what happened to its execution",
  ],
  [
    {
      cause: "cancelled",
      order: { ...OPEN.order!, status: "cancelled" },
      outlook: UNKNOWN_OUTLOOK,
    },
    "wait: Wait 2 minutes if it was cancelled just now: a settlement that was under way may still fill it",
    "place_anew: Otherwise place it again to trade: the service leaves this order out of auctions",
  ],
  [
    { cause: "never_in_an_auction", order: BRIEF },
    "place_anew: Place it again, valid for longer than its 2 min 9 s: no response shows why no auction listed it",
  ],
  [
    // From 03:41:30 to 03:43:29.
    {
      cause: "no_bid_at_a_fair_limit",
      order: { ...BRIEF, creationDate: CREATED.add({ seconds: 10 }) },
    },
    "place_anew: Place it again: no response shows why nobody bid; make it valid for longer than its 1 min 59 s: the service lists no order in its last minute, unless it is set up otherwise",
  ],
  [{ cause: "no_bid_at_a_fair_limit", order: BRIEF }, OF_EXPIRED.no_bid_at_a_fair_limit!],
  [
    { cause: "replaced", replacedBy: uidOf("02") },
    `look_elsewhere: Look at the order that replaced it: ${uidOf("02")}`,
  ],
  [
    {
      cause: "placement_failed",
      reason: "invalidQuote",
    },
    "place_anew: Place it again with terms that the service accepts: it rejected these with invalidQuote",
  ],
];

/** A limit, and a fill, that are so much worse than a quote, in hundredths of a basis point. */
function signed(limit: bigint, fill = 0n) {
  const net = { signedBps: ratio(limit, 100n), usedBps: ratio(fill, 100n) };
  return { net } as unknown as OrderReport["tolerance"];
}

const PLACE_AGAIN =
  "place_anew: Place it again to trade: the service leaves this order out of auctions";

const OF_LIMITS: readonly Row[] = [
  // 1 - 0.999888 is 0.0112 %.
  [
    { cause: "cancelled", tolerance: signed(999_888n) },
    `${PLACE_AGAIN}; its limit allows 0.01% of what its quote gives after network costs`,
  ],
  [
    { cause: "cancelled", tolerance: signed(999_901n) },
    `${PLACE_AGAIN}; its limit allows less than 0.01% of what its quote gives after network costs`,
  ],
  [
    { cause: "cancelled", tolerance: signed(500_000n), order: { ...EXPIRED.order!, kind: "buy" } },
    `${PLACE_AGAIN}; its limit allows 150.00% of what its quote asks after network costs`,
  ],
  [{ cause: "cancelled", tolerance: signed(99_999n) }, PLACE_AGAIN],
  [
    { cause: "invalid", order: { ...EXPIRED.order!, sellAmount: 2n ** 128n } },
    `place_anew: Place it again for an amount that its owner has: no balance covers 340282366920938463463374607431768211456 atoms of ${SELL}`,
  ],
  [
    { cause: "never_in_an_auction", order: BRIEF, tolerance: signed(-10_000n) },
    "place_anew: Place it again, valid for longer than its 2 min 9 s: no response shows why no auction listed it",
    // 200 · 100 / 101 is 198.02.
    `relax_limit: Loosen its limit too, 198 atoms of ${BUY} or less for all that it sells: a limit looser by about 99.01 bps would have met its quote after network costs`,
  ],
  [
    { cause: "unknown", possible: ["presignature_missing", "invalid"], unknown: [] },
    "ask_more: Check whether its owner sent `setPreSignature` of the settlement contract before it expired: no auction lists it without",
    "ask_more: Otherwise find out why first: try again later",
  ],
  [
    {
      cause: "unknown",
      possible: ["no_bid_limit_beyond_market"],
      unknown: [],
      tolerance: signed(-10_000n),
    },
    "ask_more: Find out why first: try again later",
    `relax_limit: Loosen its limit too, 198 atoms of ${BUY} or less for all that it sells: a limit looser by about 99.01 bps would have met its quote after network costs`,
  ],
];

const MORE_OF_FILLED: readonly Row[] = [
  [
    { cause: "unknown", possible: ["jit_liquidity", "jit_capturing"] },
    "nothing: Nothing: it is settled, and a solver added it itself",
  ],
  [
    { cause: "filled", order: { ...FILLED.order!, receiver: hex("5e", 20) } },
    `nothing: Nothing: its receiver ${hex("5e", 20)}, not its owner, got 210 atoms of ${BUY}`,
  ],
  [
    { cause: "filled", fills: [], order: { ...FILLED.order!, buyTokenBalance: "internal" } },
    `nothing: Nothing: its owner got 210 atoms of ${BUY} in the Balancer vault; no response has its transaction`,
  ],
  [
    { cause: "filled", tolerance: signed(999_900n, 125_809n) },
    `nothing: Nothing: its owner got 210 atoms of ${BUY}; that is 1,258.09 bps worse than its quote after network costs: a limit nearer to the quote would have ruled it out`,
  ],
];

const PART = {
  part: 1,
  uid: UID,
  validFrom: CREATED,
  validTo: CREATED.add({ minutes: 5 }),
  state: "never_posted",
} as const;

function twap(part: object, isAllowed: boolean | null = null) {
  return { isAllowed, parts: [{ ...PART, ...part }] } as unknown as OrderReport["programmatic"];
}

const OF_UNKNOWN: readonly Row[] = [
  [
    { cause: "unknown_here" },
    "look_elsewhere: Search the other networks and environments: `locate` in code, or on the command line `orderlens inspect` with only the UID",
  ],
  [
    { cause: "part_not_posted", programmatic: twap({}) },
    "place_anew: Place an order for the amount that this part should have sold: its time is over",
  ],
  [
    { cause: "part_not_posted", programmatic: twap({ state: "not_due" }) },
    "wait: Wait: it may be posted until 2026-08-21 03:46:20 UTC",
  ],
  [
    { cause: "part_not_posted", programmatic: twap({}, false) },
    "nothing: Nothing: its owner has removed the TWAP",
  ],
];

function rowsOf(steps: ByCause): Row[] {
  return Object.entries(steps).map(([name, step]) => {
    const [cause, reason = null] = name.split(" ");
    return [{ cause: cause as OrderCause, reason }, step];
  });
}

Deno.test("nextSteps() has what to do next for every cause", () => {
  const seen = new Set<string>(["no_bid_limit_beyond_market"]);
  for (
    const [base, rows] of [
      [OPEN, [...rowsOf(OF_OPEN), ...MORE_OF_OPEN]],
      [EXPIRED, [...rowsOf(OF_EXPIRED), ...MORE_OF_EXPIRED, ...OF_LIMITS]],
      [FILLED, [...rowsOf(OF_FILLED), ...MORE_OF_FILLED]],
      [UNKNOWN, OF_UNKNOWN],
    ] as const
  ) {
    for (const [differs, ...steps] of rows) {
      const next = suggestSteps({ ...base, ...differs });
      assertEquals(next.map(({ action, text }) => `${action}: ${text}`), steps);
      seen.add(differs.cause);
    }
  }
  assertEquals([...seen].sort(), ORDER_CAUSES.toSorted());
});

/** An order that expires later, with one event that left it out in block 912,345. */
async function unfunded(held: (block: number) => Held) {
  const answers = leftOut([event("invalid", 912_345, "insufficient_balance")], {
    status: "open",
    validTo: timeOfBlock(1_100_000).epochMilliseconds / 1_000,
  });
  const now = timeOfBlock(1_000_000);
  return await inspectOrder(cannedBook(answers).book, UID, { node: fundsChain(held), now });
}

Deno.test("nextSteps() says how much is missing, and since when as far as it is known", async () => {
  const balance = await unfunded(() => ({ balance: 60n, allowance: 255n }));
  assertEquals(balance.next, [{
    action: "add_balance",
    text:
      `Add 40 atoms of ${SELL} to the balance of its owner: missing since block 912345 or before`,
    atoms: 40n,
    token: SELL,
    bps: null,
  }]);
  // Short now, and not when it was left out: only the latest block shows it.
  const both = await unfunded((block) => ({
    balance: block < 950_000 ? 100n : 99n,
    allowance: block < 950_000 ? 60n : 0n,
  }));
  assertEquals(both.next.map(({ action, text, atoms }) => [action, text, atoms]), [
    [
      "add_balance",
      `Add 1 atom of ${SELL} to the balance of its owner: missing in block 1000000`,
      1n,
    ],
    [
      "raise_allowance",
      `Allow ${RELAYER} to take 100 atoms of ${SELL} more from its owner: missing in block 1000000`,
      100n,
    ],
  ]);
  const back = await unfunded((block) => ({
    balance: block < 950_000 ? 0n : 100n,
    allowance: 100n,
  }));
  assertEquals(back.next[0]?.action, "wait");
  assertStringIncludes(back.next[0]!.text, "nothing is missing in block 1000000");
});

async function recorded(name: string, start: string): Promise<OrderReport> {
  const recording = await replay(name);
  const uid = recording.recorded.orderUids.find((each) => each.startsWith(start))!;
  return await inspectOrder(connect(recording), uid);
}

Deno.test("nextSteps() says how far the limit of a recorded order was from the best price for its pair", async () => {
  const { order, next: [first], auctions } = await recorded("market_1", "0x66ba7e19");
  // The order sells S for B; solver_b would have sold s of the same token for b in auction 1785.
  const [S, B] = [2383227053000000000n, 237672786152416207202n];
  const [s, b] = [160788373231835786n, 15988727012000000000n];
  assertEquals([order?.sellAmount, order?.buyAmount], [S, B]);
  const offer = auctions.at(-1)!.pairOffer!;
  assertEquals([offer.solverName, offer.sellAmount, offer.buyAmount], ["solver_b", s, b]);
  // The limit of s is 16034989447950425378, rounded up: 46262435950425378 more than b, 28.8509 bps.
  const bps = ratio(10_000n * 46262435950425378n, 16034989447950425378n);
  assert(compareRatios(first!.bps!, bps) === 0);
  assertEquals(formatBps(bps, { digits: 4, rounding: "trunc" }), "28.8509 bps");
  // Native prices: 10^18 for what it sells, 9960295065093464 for what it buys.
  const [given, asked] = [S * 10n ** 18n, B * 9960295065093464n];
  const market = ratio(10_000n * (given - asked), asked);
  assert(compareRatios(auctions.at(-1)!.marketOverLimitBps!, market) === 0);
  assertEquals(
    first?.text,
    // S * b / s is 236987078058736063720, of which 8 digits are left, rounded down.
    "Place it again with a looser limit, 236987070000000000000 atoms of " +
      `${order!.buyToken} or less for all that it sells: ` +
      "a limit looser by about 28.86 bps would have met the " +
      "best price that a solver offered for this pair in auction 1785; its limit is 67.32 bps " +
      "within the native prices of auction 1785, before fees and network costs",
  );
});

Deno.test("suggestSteps() suggests no limit that buys nothing", async () => {
  const report = await inspect({ status: "expired", buyAmount: "1" });
  const cause = "no_bid_limit_beyond_market";
  const auctions = [{
    ...{ auctionId: 7, bids: [], pairOffer: null, outcome: cause },
    marketOverLimitBps: ratio(-5_000n, 1n),
  }] as unknown as OrderReport["auctions"];
  const [first] = suggestSteps({ ...report, cause, auctions });
  assertEquals(
    first?.text,
    "Place it again with a looser limit: its limit is 5,000 bps beyond the native prices of auction 7",
  );
});

Deno.test("nextSteps() says how far the limit of a recorded order was beyond native prices and its quote", async () => {
  const open = await recorded("market_1", "0xd5f3d087");
  // The quote gives more than the limit asks for, so that only native prices are far.
  assertEquals(open.next.map(({ action }) => action), ["relax_limit", "wait"]);
  assertEquals(
    open.next[0]!.text,
    // It sells 87055953524000000000 atoms at 9877105756834902, for a token at 9877403644833504.
    "Cancel it, then place it with a looser limit, 87053328000000000000 atoms of " +
      `${
        open.order!.buyToken
      } or less for all that it sells: its limit is 15.35 bps beyond the native prices of auction 2624`,
  );
  const quoted = await recorded("market_1", "0x821e5261");
  // The limit is 0.75015 of what the quote asks: 122732266584889943075 and 22792328122242656 for the network.
  assertStringIncludes(
    quoted.next[0]!.text,
    `a looser limit, 122755060000000000000 atoms of ${
      quoted.order!.sellToken
    } or more for all that it buys: a limit looser by about 3,330.67 bps would have met its quote after`,
  );
  // Its only bid was filtered out. The quote gives 994002403107564496, of which 852580837492848711 are left
  // after 142274872950595936 of 10^18 for the network; the limit is 10^18.
  const unfair = await recorded(
    "solver_competition__cannot_replace_order_bid_on_by_non_winning_solution",
    "0xd7352b9a",
  );
  assertEquals(unfair.next.map(({ action, text }) => `${action}: ${text}`), [
    `relax_limit: Cancel it, then place it with a looser limit, 852580830000000000 atoms of ${
      unfair.order!.buyToken
    } or less for all that it sells: a limit looser by about 1,474.2 bps would have met its quote after network costs; bids that met it were filtered out`,
    "wait: Or wait for a bid that counts, until 2026-11-21 13:36:44 UTC",
  ]);
  // It is left out for lack of funds, and nobody bid on it before.
  const left = await recorded("simulated_1", "0xe6eb90e9");
  assertEquals(left.next.map(({ action }) => action), ["check_funds", "relax_limit"]);
  assertEquals(
    left.next[1]!.text,
    // Its quote asks 11273588, and 984 for the network: 198391 · 1197149345 / 241327597223.88. It buys 2711000000000000000 atoms at 10^18, for a token
    // at 238821709277763716311373153599: rounded up.
    "Or cancel it, then place it with a looser limit too, 11274572 atoms of " +
      `${
        left.order!.sellToken
      } or more for all that it buys: a limit looser by about 34.12 bps would have met its ` +
      "quote after network costs; its limit is 102.64 bps beyond the native prices of auction 1241 " +
      `(11351565 atoms of ${left.order!.sellToken} or more)`,
  );
  // A half of it was filled at its limit since it was quoted.
  const half = await recorded("market_1", "0x4bf7d775");
  assertEquals(half.next.map(({ action }) => action), ["wait"]);
});

Deno.test("nextSteps() of an order that lacked funds in the end has the limit that nobody bid at", async () => {
  const { order, next, sentence } = await recorded("simulated_1", "0x4ee5911b");
  // Native prices of auction 1098, its last: 98226405575209 of what it sells, 401910919016461 of the other.
  const [S, B] = [120689522233298166733637n, 30842795188401196479381n];
  assertEquals([order?.sellAmount, order?.buyAmount], [S, B]);
  const [given, asked] = [S * 98226405575209n, B * 401910919016461n];
  // A buy order has its distance in shares of what it sells at most.
  const bps = formatBps(ratio(10_000n * (asked - given), given), {
    digits: 2,
    rounding: "halfEven",
  });
  assertEquals(next.map(({ action }) => action), ["place_anew", "relax_limit"]);
  assertEquals(
    next[1]!.text,
    // B in native value is 126198816770461171551617.9 of what it sells, of which 8 digits are left, rounded up.
    "Loosen its limit too, 126198820000000000000000 atoms of " +
      `${
        order!.sellToken
      } or more for all that it buys: it is ${bps} beyond the native prices of auction 1098`,
  );
  assertEquals(
    sentence,
    "Expired: it could not be settled for lack of balance or allowance; in 33 auctions before, " +
      "nobody bid on it, although its quote met its limit after network costs.",
  );
});
