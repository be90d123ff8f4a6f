import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Abi,
  type Address,
  createPublicClient,
  custom,
  domainSeparator,
  multicall3Abi,
  parseEventLogs,
} from "viem";
import { orderDomain } from "orderlens/evm";
import { NATIVE_TOKEN_ADDRESS } from "orderlens/networks";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "orderlens/sandbox";
import { ABI, sellForEther } from "./read_chain.ts";

/** A market, whose contracts viem reads. */
const sandbox = await openSandbox({ seed: 5, auctions: 10 });
const client = createPublicClient({
  transport: custom({
    async request(call) {
      const [answer] = await sandbox.rpc([call]);
      if ("error" in answer!) throw Object.assign(new Error(), answer.error);
      return answer!.result;
    },
  }),
});
const { tokens, settlementContract, accounts } = sandbox.description;
const [weth, usdc] = tokens;

/** Reads from a contract by its address. */
// deno-lint-ignore no-explicit-any
function read(address: string, functionName: string, ...args: unknown[]): Promise<any> {
  return client.readContract({ abi: ABI as Abi, address: address as Address, functionName, args });
}

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const VAULT_RELAYER = "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110";
const AUTHENTICATOR = "0x2c4c28ddbdac9c5e7055b4c863b72ea0149d8afe";

Deno.test("balances of the settlement contract change by the logs of settlements", async () => {
  const contracts = tokens.map(({ address }) => ({
    abi: ABI,
    address: address as Address,
    functionName: "balanceOf" as const,
    args: [settlementContract as Address] as const,
  }));
  const multicall = { contracts, multicallAddress: MULTICALL3, allowFailure: false } as const;
  const balances = () => client.multicall(multicall);
  const before = await balances();
  const from = await client.getBlockNumber({ cacheTime: 0 });
  await sandbox.advance({ auctions: 40 });
  const after = await balances();
  const logs = await client.getLogs({ fromBlock: from + 1n, toBlock: "latest" });
  const moved = new Map(tokens.map(({ address }) => [address, 0n]));
  const add = (token: string, atoms: bigint) => moved.set(token, moved.get(token)! + atoms);
  for (const log of parseEventLogs({ abi: ABI, logs })) {
    const token = log.address.toLowerCase();
    if (log.eventName === "Withdrawal") add(token, -log.args.wad);
    if (log.eventName !== "Transfer") continue;
    if (log.args.to.toLowerCase() === settlementContract) add(token, log.args.value);
    if (log.args.from.toLowerCase() === settlementContract) add(token, -log.args.value);
  }
  assertEquals(after.map((atoms, at) => atoms - before[at]!), [...moved.values()]);
  assert(moved.values().filter((atoms) => atoms !== 0n).toArray().length > 3);
});

Deno.test("an order moves the amounts of its trade, in tokens and native currency", async () => {
  const [owner, receiver] = DEVELOPMENT_ACCOUNTS.map(({ address }) => address as Address);
  const held = async (): Promise<[bigint, bigint]> => [
    await read(usdc!.address, "balanceOf", owner),
    await client.getBalance({ address: receiver! }),
  ];
  const before = await held();
  const { book, uid } = await sellForEther(sandbox, {
    buyToken: NATIVE_TOKEN_ADDRESS,
    receiver: receiver!,
  });
  const [trade, ...others] = await Array.fromAsync(book.trades({ orderUid: uid }));
  const { sellAmount, buyAmount, txHash } = trade!;
  assertEquals(others, []);
  assertEquals(await held(), [before[0] - sellAmount, before[1] + buyAmount]);
  const receipt = await client.getTransactionReceipt({ hash: txHash as Address });
  const unwrapped = parseEventLogs({ abi: ABI, logs: receipt.logs, eventName: "Withdrawal" });
  assertEquals(
    unwrapped.filter(({ args }) => args.wad === buyAmount).map((log) => log.address),
    [weth!.address as Address],
  );
  assertEquals(await read(settlementContract, "filledAmount", uid), 5_000_000_000n);
});

Deno.test("the contracts of the market identify themselves", async () => {
  const [, owner, other] = accounts;
  const verifyingContract = settlementContract as Address;
  const domain = { ...orderDomain(sandbox.deployment), verifyingContract };
  const isSolver = (who: string) => read(AUTHENTICATOR, "isSolver", who);
  assertEquals(await read(settlementContract, "domainSeparator"), domainSeparator({ domain }));
  assertEquals((await read(settlementContract, "vaultRelayer")).toLowerCase(), VAULT_RELAYER);
  assertEquals((await read(settlementContract, "authenticator")).toLowerCase(), AUTHENTICATOR);
  assertEquals(await isSolver(sandbox.deployment.solvers![0]!.address), true);
  assertEquals(await isSolver(owner!), false);
  for (const { address, symbol, decimals } of tokens) {
    assertEquals(await read(address, "symbol"), symbol);
    assertEquals(await read(address, "name"), symbol);
    assertEquals(await read(address, "decimals"), decimals);
    assertEquals(await read(address, "allowance", owner, VAULT_RELAYER), 2n ** 256n - 1n);
    assertEquals(await read(address, "allowance", owner, other), 0n);
    const supply = await read(address, "totalSupply");
    const held = await Promise.all(accounts.map((one) => read(address, "balanceOf", one)));
    assert(supply > held.reduce((sum, atoms) => sum + atoms) && held.every((atoms) => atoms > 0n));
  }
});

Deno.test("callContract() reverts, and returns nothing for unknown contracts, in a multicall and alone", async () => {
  const [owner] = accounts;
  const calls = [weth!.address, owner!].map((target) => ({
    target: target as Address,
    allowFailure: true,
    callData: "0xdeadbeef" as const,
  }));
  const multicall = {
    abi: multicall3Abi,
    address: MULTICALL3,
    functionName: "aggregate3",
  } as const;
  assertEquals(await client.readContract({ ...multicall, args: [calls] }), [
    { success: false, returnData: "0x" },
    { success: true, returnData: "0x" },
  ]);
  const strict = calls.map((call) => ({ ...call, allowFailure: false }));
  await assertRejects(() => client.readContract({ ...multicall, args: [strict] }), Error, "revert");
  const wrong = { to: weth!.address as Address, data: "0xdeadbeef" } as const;
  await assertRejects(() => client.call(wrong), Error, "revert");
  assertEquals((await client.call({ ...wrong, to: owner as Address })).data, undefined);
});

Deno.test("balances of earlier blocks are rejected, decimals are not", async () => {
  const { accounts: [owner], block } = sandbox.description;
  const before = `0x${(block - 1).toString(16)}`;
  const balance = { to: weth!.address, data: `0x70a08231${owner!.slice(2).padStart(64, "0")}` };
  const answers = await sandbox.rpc([
    { method: "eth_call", params: [balance, before] },
    { method: "eth_getBalance", params: [owner, before] },
    { method: "eth_call", params: [{ to: weth!.address, data: "0x313ce567" }, before] },
    { method: "eth_call", params: [balance, `0x${(block + 1).toString(16)}`] },
    { method: "eth_call", params: [balance, { blockNumber: `0x${block.toString(16)}` }] },
  ]);
  const kept = {
    code: -32000,
    message: `the state of block ${block - 1} is not kept: only the latest block's is`,
  };
  assertEquals(answers.slice(0, 4), [
    { error: kept },
    { error: kept },
    { result: `0x${"12".padStart(64, "0")}` },
    { error: { code: -32000, message: "unknown block" } },
  ]);
  assert("result" in answers[4]!);
});
