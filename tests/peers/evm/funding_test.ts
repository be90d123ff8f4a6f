import { assert, assertEquals } from "@std/assert";
import {
  type Funding,
  fundingAt,
  type FundingQuestion,
  type FundingReason,
} from "../../../lib/evm/mod.ts";
import { MULTICALL3 } from "../../../lib/evm/node/contract_calls.ts";
import { HAS_ANVIL } from "./artefacts.ts";
import { type Deployed, Protocol } from "./protocol.ts";

const PLENTY = 10n ** 24n;
const UNLIMITED = 2n ** 256n - 1n;

/** The amounts of an answer, which must be of the block asked for. */
async function amountsAt(protocol: Protocol, question: FundingQuestion, block?: number) {
  const found = await fundingAt(protocol.node.url, question, block === undefined ? {} : { block });
  assert(!("reason" in found), "detail" in found ? found.detail : "");
  if (block !== undefined) assertEquals(found.block, block);
  await requireBlock(protocol, found);
  const { balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, isRelayerApproved } = found;
  return [balanceAtoms, nativeAtoms, allowanceAtoms, usableAtoms, isRelayerApproved];
}

/** Requires the hash and the time of the node's own block. */
async function requireBlock({ node }: Protocol, { block, blockHash, at }: Funding): Promise<void> {
  const [header] = await node.ask([{
    method: "eth_getBlockByNumber",
    params: [`0x${block.toString(16)}`, false],
  }]) as [{ hash: string; timestamp: string }];
  assertEquals(blockHash, header.hash);
  assertEquals(at.epochMilliseconds, 1_000 * Number(header.timestamp));
}

/** Mines one transaction of a trader; returns its block. */
async function act(
  protocol: Protocol,
  contract: Deployed,
  name: string,
  ...args: unknown[]
): Promise<number> {
  const [receipt] = await protocol.node.send([{
    from: protocol.traders[0]!.address,
    to: protocol.at[contract],
    data: protocol.encode(contract, name, args),
  }]);
  assertEquals(receipt!.status, "0x1");
  return Number(receipt!.blockNumber);
}

/** Puts the contract that batches calls where every network has it. */
async function placeMulticall({ node, at }: Protocol): Promise<void> {
  const [code] = await node.ask([{ method: "eth_getCode", params: [at.multicall, "latest"] }]);
  await node.ask([
    { method: "anvil_setCode", params: [MULTICALL3, code] },
    { method: "evm_mine", params: [] },
  ]);
}

for (const hasMulticall of [false, true]) {
  Deno.test({
    name: `fundingAt() reads the state of blocks of a real EVM ${
      hasMulticall ? "with" : "without"
    } Multicall3`,
    ignore: !HAS_ANVIL,
    fn: async () => {
      await using protocol = await Protocol.deploy();
      if (hasMulticall) await placeMulticall(protocol);
      const { at, traders } = protocol;
      const owner = traders[0]!.address;
      const relayer = await protocol.read<string>("settlement", "vaultRelayer");
      const question = { sellToken: at.gold, owner, settlementContract: at.settlement };

      const sent = await act(protocol, "gold", "transfer", at.pool, PLENTY - 60n);
      const allowed = await act(protocol, "gold", "approve", relayer, 7n);
      const back = await act(protocol, "gold", "approve", relayer, UNLIMITED);
      assertEquals(await amountsAt(protocol, question, sent - 1), [
        PLENTY,
        0n,
        UNLIMITED,
        PLENTY,
        null,
      ]);
      assertEquals(await amountsAt(protocol, question, sent), [60n, 0n, UNLIMITED, 60n, null]);
      assertEquals(await amountsAt(protocol, question, allowed), [60n, 0n, 7n, 7n, null]);
      assertEquals(await amountsAt(protocol, question, back), [60n, 0n, UNLIMITED, 60n, null]);
      assertEquals(await amountsAt(protocol, question), [60n, 0n, UNLIMITED, 60n, null]);

      const wrapped = { ...question, sellToken: at.wrapped, wrapsNative: true };
      const native = await protocol.balanceOf(`0x${"ee".repeat(20)}`, owner);
      assertEquals(await amountsAt(protocol, wrapped), [
        100n * 10n ** 18n,
        native,
        UNLIMITED,
        100n * 10n ** 18n + native,
        null,
      ]);
    },
  });
}

Deno.test({
  name: "fundingAt() counts balances in the vault, on a real EVM",
  ignore: !HAS_ANVIL,
  fn: async () => {
    await using protocol = await Protocol.deploy();
    const { at, traders } = protocol;
    const owner = traders[0]!.address;
    const relayer = await protocol.read<string>("settlement", "vaultRelayer");
    const question = { sellToken: at.gold, owner, settlementContract: at.settlement };
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
  },
});

Deno.test({
  name: "fundingAt() says which state a pruned node, a young chain and another contract lack",
  ignore: !HAS_ANVIL,
  fn: async () => {
    await using protocol = await Protocol.deploy({ keptStates: 2 });
    const { at, node, traders } = protocol;
    const question = {
      sellToken: at.gold,
      owner: traders[0]!.address,
      settlementContract: at.settlement,
    };
    const [start] = await node.ask([{ method: "eth_blockNumber", params: [] }]);
    for (let mined = 0; mined < 8; mined++) await node.ask([{ method: "evm_mine", params: [] }]);
    const ask = async (block: number, more: Partial<FundingQuestion> = {}) => {
      const found = await fundingAt(node.url, { ...question, ...more }, { block });
      return "reason" in found ? [found.reason, found.block] : found.usableAtoms;
    };
    const first = Number(start);
    assertEquals(await ask(first + 8), PLENTY);
    assertEquals(await ask(first), ["state_not_kept", first]);
    assertEquals(await ask(first + 9), ["no_such_block", first + 9]);
    const silent = ["contract_does_not_answer", first + 8] as [FundingReason, number];
    assertEquals(await ask(first + 8, { sellToken: `0x${"12".repeat(20)}` }), silent);
    assertEquals(await ask(first + 8, { settlementContract: at.gold }), silent);
  },
});
