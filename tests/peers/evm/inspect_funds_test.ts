import { assertEquals, assertStringIncludes } from "@std/assert";
import { inspectOrder } from "../../../lib/reports/mod.ts";
import { goldForSilver, signed, UNIT } from "./batch.ts";
import { bookOf } from "./book_of.ts";
import { testOnChain } from "./protocol.ts";

const PLENTY = 10n ** 24n;

testOnChain("inspectOrder() says what was missing then and what is there now", async (protocol) => {
  const { at, node, traders } = protocol;
  const [trader] = traders;
  const owner: string = trader!.address;
  const relayer = await protocol.read<string>("settlement", "vaultRelayer");
  const start = (await node.block()).seconds + 100;
  const time = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(1_000 * seconds);
  const terms = goldForSilver(protocol, { sellAmount: 100n * UNIT, buyAmount: 200n * UNIT });
  const order = await signed(protocol, trader!, terms);

  /** Calls gold in a block of its own at a time; gives the block. */
  const act = async (seconds: number, name: string, args: unknown[], from = owner) => {
    await node.nextAt(seconds);
    return Number((await protocol.act("gold", name, args, { from })).blockNumber);
  };
  const moved = await act(start, "transfer", [at.pool, PLENTY - 60n * UNIT]);
  const revoked = await act(start + 12, "approve", [relayer, 7n]);
  const back = await act(start + 24, "transfer", [owner, PLENTY / 2n], traders[1]!.address);
  for (let more = 1; more <= 40; more++) await node.mine(start + 24 + 12 * more);
  const event = (label: string, seconds: number, reason: string | null = null) => {
    return { label, reason, timestamp: time(seconds).toString() };
  };
  const book = bookOf(protocol, order, {
    status: "open",
    creationDate: time(start - 5).toString(),
    events: [
      event("created", start - 5),
      event("invalid", start + 3, "insufficient_balance"),
      event("ready", start + 9),
      event("invalid", start + 20, "insufficient_balance"),
    ],
  });
  const report = await inspectOrder(book, order.uid, { node: node.url, now: time(start + 600) });

  const [first, last] = report.earlierFunds;
  assertEquals(report.earlierFunds.length, 2);
  assertEquals([first!.block, first!.at], [moved, time(start)]);
  assertEquals([first!.missingBalanceAtoms, first!.missingAllowanceAtoms], [40n * UNIT, 0n]);
  assertEquals([last!.block, last!.at], [revoked, time(start + 12)]);
  const missing = [last!.missingBalanceAtoms, last!.missingAllowanceAtoms];
  assertEquals(missing, [40n * UNIT, 100n * UNIT - 7n]);
  assertEquals([report.funds!.block, report.funds!.missingBalanceAtoms], [back + 40, 0n]);
  assertEquals(report.funds!.balanceAtoms, await protocol.balanceOf(at.gold, owner));
  assertEquals(report.verdict, "open_invalid");
  assertStringIncludes(report.sentence, `in block ${revoked} (${time(start + 12)})`);
  assertStringIncludes(report.sentence, "now, it allows");
});
