import { assertEquals, assertStringIncludes } from "@std/assert";
import { inspectOrder } from "../../../lib/reports/mod.ts";
import { HAS_ANVIL } from "./artefacts.ts";
import { signed } from "./batch.ts";
import { bookOf } from "./book_of.ts";
import { type Deployed, Protocol } from "./protocol.ts";

const UNIT = 10n ** 18n;
const PLENTY = 10n ** 24n;

/** Mines a transaction in a block of its own at a time; returns the block. */
async function act(
  protocol: Protocol,
  from: string,
  seconds: number,
  [contract, name, args]: [Deployed, string, unknown[]],
): Promise<number> {
  const { node, at } = protocol;
  await node.ask([{ method: "evm_setNextBlockTimestamp", params: [seconds] }]);
  const [receipt] = await node.send([{
    from,
    to: at[contract],
    data: protocol.encode(contract, name, args),
  }]);
  assertEquals(receipt!.status, "0x1");
  return Number(receipt!.blockNumber);
}

Deno.test({
  name: "inspectOrder() says what was missing then and what is there now, on a real EVM",
  ignore: !HAS_ANVIL,
  fn: async () => {
    await using protocol = await Protocol.deploy();
    const { at, node, traders } = protocol;
    const [trader] = traders;
    const owner = trader!.address;
    const relayer = await protocol.read<string>("settlement", "vaultRelayer");
    const [block] = await node.ask([{
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    }]) as [{ timestamp: string }];
    const start = Number(block.timestamp) + 100;
    const time = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(1_000 * seconds);
    const order = await signed(protocol, trader!, {
      kind: "sell",
      sellToken: at.gold,
      buyToken: at.silver,
      sellAmount: 100n * UNIT,
      buyAmount: 200n * UNIT,
    });

    const moved = await act(protocol, owner, start, [
      "gold",
      "transfer",
      [at.pool, PLENTY - 60n * UNIT],
    ]);
    const revoked = await act(protocol, owner, start + 12, ["gold", "approve", [relayer, 7n]]);
    const back = await act(protocol, traders[1]!.address, start + 24, ["gold", "transfer", [
      owner,
      PLENTY / 2n,
    ]]);
    for (let more = 1; more <= 40; more++) {
      await node.ask([
        { method: "evm_setNextBlockTimestamp", params: [start + 24 + 12 * more] },
        { method: "evm_mine", params: [] },
      ]);
    }
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
    assertEquals([last!.missingBalanceAtoms, last!.missingAllowanceAtoms], [
      40n * UNIT,
      100n * UNIT - 7n,
    ]);
    assertEquals([report.funds!.block, report.funds!.missingBalanceAtoms], [back + 40, 0n]);
    assertEquals(report.funds!.balanceAtoms, await protocol.balanceOf(at.gold, owner));
    assertEquals(report.verdict, "open_invalid");
    assertStringIncludes(report.sentence, `in block ${revoked} (${time(start + 12)})`);
    assertStringIncludes(report.sentence, "now, it allows");
  },
});
