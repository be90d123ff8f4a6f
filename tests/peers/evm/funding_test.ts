import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fundingAt, type FundingQuestion, type FundingReason } from "../../../lib/evm/mod.ts";
import { MULTICALL3 } from "../../../lib/evm/node/contract_calls.ts";
import { inspectOrder } from "../../../lib/reports/mod.ts";
import { goldForSilver, signed, UNIT } from "./batch.ts";
import { bookOf } from "./book_of.ts";
import { type Deployed, NATIVE, type Protocol, testOnChain } from "./protocol.ts";

const PLENTY = 10n ** 24n;
const UNLIMITED = 2n ** 256n - 1n;

/** The amounts of an answer, which must be of the block asked for. */
async function amountsAt(protocol: Protocol, question: FundingQuestion, block?: number) {
  const found = await fundingAt(protocol.node.url, question, block === undefined ? {} : { block });
  assert(!("reason" in found), "detail" in found ? found.detail : "");
  if (block !== undefined) assertEquals(found.block, block);
  const header = await protocol.node.block(found.block);
  const place = [found.blockHash, found.at.epochMilliseconds];
  assertEquals(place, [header.hash, 1_000 * header.seconds]);
  const { balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, isRelayerApproved } = found;
  return [balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, isRelayerApproved];
}

/** Mines one transaction of a trader; returns its block. */
async function act(protocol: Protocol, contract: Deployed, name: string, ...args: unknown[]) {
  return Number((await protocol.act(contract, name, args)).blockNumber);
}

/** Puts the contract that batches calls where every network has it. */
async function placeMulticall({ node, at }: Protocol): Promise<void> {
  const params = [MULTICALL3, await node.codeOf(at.multicall)];
  await node.ask([{ method: "anvil_setCode", params }]);
  await node.mine();
}

/** What a sale of gold by the first trader asks for, and the relayer that it allows. */
async function saleOf(protocol: Protocol) {
  const { at, traders } = protocol;
  const owner = traders[0]!.address;
  const relayer = await protocol.read<string>("settlement", "vaultRelayer");
  return {
    owner,
    relayer,
    question: { sellToken: at.gold, owner, settlementContract: at.settlement },
  };
}

for (const hasMulticall of [false, true]) {
  const name = `fundingAt() reads the state of blocks ${
    hasMulticall ? "with" : "without"
  } Multicall3`;
  testOnChain(name, async (protocol) => {
    if (hasMulticall) await placeMulticall(protocol);
    const { at } = protocol;
    const { owner, relayer, question } = await saleOf(protocol);
    const sent = await act(protocol, "gold", "transfer", at.pool, PLENTY - 60n);
    const allowed = await act(protocol, "gold", "approve", relayer, 7n);
    const back = await act(protocol, "gold", "approve", relayer, UNLIMITED);
    const before = [PLENTY, 0n, UNLIMITED, PLENTY, null];
    assertEquals(await amountsAt(protocol, question, sent - 1), before);
    assertEquals(await amountsAt(protocol, question, sent), [60n, 0n, UNLIMITED, 60n, null]);
    assertEquals(await amountsAt(protocol, question, allowed), [60n, 0n, 7n, 7n, null]);
    assertEquals(await amountsAt(protocol, question, back), [60n, 0n, UNLIMITED, 60n, null]);
    assertEquals(await amountsAt(protocol, question), [60n, 0n, UNLIMITED, 60n, null]);

    const wrapped = { ...question, sellToken: at.wrapped, wrapsNative: true };
    const native = await protocol.balanceOf(NATIVE, owner);
    const held = 100n * 10n ** 18n;
    const all = [held, native, UNLIMITED, held + native, null];
    assertEquals(await amountsAt(protocol, wrapped), all);
  });
}

testOnChain("fundingAt() counts balances in the vault", async (protocol) => {
  const { at } = protocol;
  const { owner, relayer, question } = await saleOf(protocol);
  const external = { ...question, sellTokenBalance: "external" } as const;
  const internal = { ...question, sellTokenBalance: "internal" } as const;

  const allowed = await act(protocol, "gold", "approve", at.vault, 90n);
  const kept = await act(protocol, "vault", "deposit", at.gold, 40n);
  const approved = await act(protocol, "vault", "setRelayerApproval", owner, relayer, true);
  const left = PLENTY - 40n;
  assertEquals(await amountsAt(protocol, external, allowed), [PLENTY, 0n, 0n, 0n, false]);
  assertEquals(await amountsAt(protocol, external, approved), [left, 0n, 50n, 50n, true]);
  assertEquals(await amountsAt(protocol, internal, allowed), [0n, 0n, 0n, 0n, false]);
  assertEquals(await amountsAt(protocol, internal, kept), [40n, 0n, 0n, 0n, false]);
  assertEquals(await amountsAt(protocol, internal, approved), [40n, 0n, UNLIMITED, 40n, true]);
  const found = await fundingAt(protocol.node.url, internal);
  assert(!("reason" in found));
  assertEquals([found.relayer, found.spender], [relayer.toLowerCase(), at.vault]);
});

const LACKS = "fundingAt() says which state a pruned node, a young chain and another contract lack";
testOnChain(LACKS, async (protocol) => {
  const { at, node } = protocol;
  const { question } = await saleOf(protocol);
  const { number: first } = await node.block();
  for (let mined = 0; mined < 8; mined++) await node.mine();
  const ask = async (block: number, more: Partial<FundingQuestion> = {}) => {
    const found = await fundingAt(node.url, { ...question, ...more }, { block });
    return "reason" in found ? [found.reason, found.block] : found.usableAtoms;
  };
  assertEquals(await ask(first + 8), PLENTY);
  assertEquals(await ask(first), ["state_not_kept", first]);
  assertEquals(await ask(first + 9), ["no_such_block", first + 9]);
  const silent = ["contract_does_not_answer", first + 8] as [FundingReason, number];
  assertEquals(await ask(first + 8, { sellToken: `0x${"12".repeat(20)}` }), silent);
  assertEquals(await ask(first + 8, { settlementContract: at.gold }), silent);
}, { keptStates: 2 });

testOnChain("inspectOrder() says what was missing then and what is there now", async (protocol) => {
  const { at, node, traders } = protocol;
  const { owner, relayer } = await saleOf(protocol);
  const start = (await node.block()).seconds + 100;
  const time = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(1_000 * seconds);
  const terms = goldForSilver(protocol, { sellAmount: 100n * UNIT, buyAmount: 200n * UNIT });
  const order = await signed(protocol, traders[0]!, terms);

  /** Calls gold in a block of its own at a time; gives the block. */
  const act = async (seconds: number, name: string, args: unknown[], from: string = owner) => {
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
