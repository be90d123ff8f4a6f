import { assert, assertEquals, assertGreater, assertRejects } from "@std/assert";
import { type Address, domainSeparator, erc20Abi, multicall3Abi, parseEventLogs } from "viem";
import { connect, placeOrder } from "orderlens";
import { orderDomain } from "orderlens/evm";
import { NATIVE_TOKEN_ADDRESS } from "orderlens/networks";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "orderlens/sandbox";
import { privateKeyToAccount } from "viem/accounts";
import { ABI, serveChain } from "./read_chain.ts";

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";
const VAULT_RELAYER = "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110";
const AUTHENTICATOR = "0x2c4c28ddbdac9c5e7055b4c863b72ea0149d8afe";

Deno.test("balances of the settlement contract move by what the logs of settlements say", async () => {
  await using chain = await serveChain({ seed: 5, auctions: 10 });
  const { sandbox, client } = chain;
  const { tokens, settlementContract } = sandbox.description;
  const balances = () =>
    client.multicall({
      contracts: tokens.map(({ address }) => ({
        address: address as Address,
        abi: erc20Abi,
        functionName: "balanceOf" as const,
        args: [settlementContract as Address] as const,
      })),
      multicallAddress: MULTICALL3,
      allowFailure: false,
    });
  const before = await balances();
  const from = await client.getBlockNumber({ cacheTime: 0 });
  await sandbox.advance({ auctions: 60 });
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
  assertGreater(moved.values().filter((atoms) => atoms !== 0n).toArray().length, 3);
});

Deno.test("an order moves what its trade says, tokens and native currency", async () => {
  await using chain = await serveChain({ seed: 6, auctions: 3 });
  const { sandbox, client } = chain;
  const { tokens: [weth, usdc] } = sandbox.description;
  const { address, privateKey } = DEVELOPMENT_ACCOUNTS[0]!;
  const owner = address as Address;
  const usdcOf = () =>
    client.readContract({
      address: usdc!.address as Address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [owner],
    });
  const [usdcBefore, nativeBefore] = [await usdcOf(), await client.getBalance({ address: owner })];
  const book = connect(sandbox);
  const { uid } = await placeOrder(book, privateKeyToAccount(privateKey as Address), {
    kind: "sell",
    sellToken: usdc!.address,
    buyToken: NATIVE_TOKEN_ADDRESS,
    sellAmountBeforeFee: 5_000_000_000n,
  }, { minBuyAmount: 1n });
  for (let at = 0; at < 40 && (await book.order(uid)).status === "open"; at++) {
    await sandbox.advance();
  }
  const trades = await Array.fromAsync(book.trades({ orderUid: uid }));
  assertEquals(trades.length, 1);
  const [trade] = trades;
  assertEquals(usdcBefore - await usdcOf(), trade!.sellAmount);
  assertEquals(await client.getBalance({ address: owner }) - nativeBefore, trade!.buyAmount);
  const receipt = await client.getTransactionReceipt({ hash: trade!.txHash as Address });
  const unwrapped = parseEventLogs({ abi: ABI, logs: receipt.logs, eventName: "Withdrawal" });
  assertEquals(
    unwrapped.filter(({ args }) => args.wad === trade!.buyAmount).map((log) => log.address),
    [weth!.address as Address],
  );
  const filled = await client.readContract({
    address: sandbox.description.settlementContract as Address,
    abi: ABI,
    functionName: "filledAmount",
    args: [uid as Address],
  });
  assertEquals(filled, 5_000_000_000n);
});

Deno.test("the contracts of the market say what they are", async () => {
  await using chain = await serveChain({ seed: 7 });
  const { sandbox, client } = chain;
  const { tokens, settlementContract, accounts } = sandbox.description;
  const at = { abi: ABI, address: settlementContract as Address } as const;
  const domain = orderDomain(sandbox.deployment);
  assertEquals(
    await client.readContract({ ...at, functionName: "domainSeparator" }),
    domainSeparator({
      domain: { ...domain, verifyingContract: settlementContract as Address },
    }),
  );
  const relayer = await client.readContract({ ...at, functionName: "vaultRelayer" });
  assertEquals(relayer.toLowerCase(), VAULT_RELAYER);
  const authenticator = await client.readContract({ ...at, functionName: "authenticator" });
  assertEquals(authenticator.toLowerCase(), AUTHENTICATOR);
  const isSolver = (who: string) =>
    client.readContract({
      abi: ABI,
      address: AUTHENTICATOR,
      functionName: "isSolver",
      args: [who as Address],
    });
  assertEquals(await isSolver(sandbox.deployment.solvers![0]!.address), true);
  assertEquals(await isSolver(accounts[0]!), false);
  for (const { address, symbol, decimals } of tokens) {
    const token = { abi: erc20Abi, address: address as Address } as const;
    assertEquals(await client.readContract({ ...token, functionName: "symbol" }), symbol);
    assertEquals(await client.readContract({ ...token, functionName: "name" }), symbol);
    assertEquals(await client.readContract({ ...token, functionName: "decimals" }), decimals);
    const allowance = (spender: string) =>
      client.readContract({
        ...token,
        functionName: "allowance",
        args: [accounts[1] as Address, spender as Address],
      });
    assertEquals(await allowance(VAULT_RELAYER), 2n ** 256n - 1n);
    assertEquals(await allowance(accounts[2]!), 0n);
    const supply = await client.readContract({ ...token, functionName: "totalSupply" });
    const held = await Promise.all(
      accounts.map((owner) =>
        client.readContract({
          ...token,
          functionName: "balanceOf",
          args: [owner as Address],
        })
      ),
    );
    assert(supply > held.reduce((sum, atoms) => sum + atoms) && held.every((atoms) => atoms > 0n));
  }
});

Deno.test("a call that reverts, and one of nobody, in a multicall and alone", async () => {
  await using chain = await serveChain({ seed: 7 });
  const { sandbox, client } = chain;
  const { tokens: [weth], accounts: [owner] } = sandbox.description;
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
  const sandbox = await openSandbox({ seed: 7, auctions: 2 });
  const { tokens: [weth], accounts: [owner], block } = sandbox.description;
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
