import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { connect, formatAtoms, parseAtoms } from "orderlens";
import { openSandbox } from "orderlens/sandbox";
import { join } from "node:path";
import { Code } from "../../tools/notebooks/inject_parameters.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { storedRun } from "../stored_run.ts";
import { BROKEN, committed, saidIn, sentencesInShort } from "./committed.ts";
import { runCells, type Shown } from "./run_cells.ts";

const NOTEBOOK = join(PROJECT_ROOT, "notebooks", "10_on_the_chain.ipynb");

Deno.test("02_fee_policies and 10_on_the_chain agree on what all fees of the market are worth", async () => {
  const { said } = await committed("02_fee_policies");
  const [{ all_fees_native: all = "" } = {}] = (await committed("10_on_the_chain")).table(
    "all_fees_native",
  );
  const [, drawn] = /rows add up to ([\d.]+) ETH/.exec(said)!;
  assertEquals(Number(Number(all).toPrecision(4)), Number(drawn));
});

Deno.test("10_on_the_chain says what the service stored of the market", async () => {
  const { said, table } = await committed("10_on_the_chain");
  const { settlements, trades, isLate } = await storedRun("market_1");
  const [compared] = table("settlements", "trades", "reverted");
  const late = settlements.filter(isLate);
  assertEquals(compared, {
    settlements: `${settlements.length}`,
    trades: `${trades.length}`,
    reverted: "0",
    differences: `${late.length}`,
  });
  const differences = table("what", "on_chain").map(({ what }) => what);
  assertEquals(differences, late.map(() => "late"));
  assertStringIncludes(said, `exact fees of ${trades.length} of ${trades.length} trades`);
  assertEquals(table("fees_reported_otherwise")[0]?.fees_reported_otherwise, "0");
  const gas = settlements.reduce(
    (sum, one) => sum + BigInt(one.gas_used) * BigInt(one.effective_gas_price),
    0n,
  );
  assertEquals(table("gas_native")[0]?.gas_native, formatAtoms(gas, 18));
});

/** A log, as nodes return it. */
interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** keccak256 of `Transfer(address,address,uint256)` and of `Withdrawal(address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";
/** That of the settlement contract's `Trade`, as recorded. */
const TRADE = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";
const NATIVE = `0x${"ee".repeat(20)}`;

/** What the logs of a transaction leave in an account, in atoms by token. */
function leftIn(account: string, logs: readonly RawLog[]): Map<string, bigint> {
  const left = new Map<string, bigint>();
  const add = (token: string, atoms: bigint) => left.set(token, (left.get(token) ?? 0n) + atoms);
  const isOwn = (topic: string | undefined) => topic!.endsWith(account.slice(2));
  for (const { address, topics: [event, from, to], data } of logs) {
    const word = (place: number) => data.slice(2 + 64 * place, 66 + 64 * place);
    if (event === TRANSFER && isOwn(to)) add(address, BigInt(data));
    if (event === TRANSFER && isOwn(from)) add(address, -BigInt(data));
    if (event === WITHDRAWAL && isOwn(from)) {
      add(address, -BigInt(data));
      add(NATIVE, BigInt(data));
    }
    if (event === TRADE && word(1).endsWith(NATIVE.slice(2))) add(NATIVE, -BigInt(`0x${word(3)}`));
  }
  return left;
}

Deno.test("10_on_the_chain says what the logs of the simulated market add up to", async () => {
  const { table } = await committed("10_on_the_chain");
  const sandbox = await openSandbox({ seed: 20, auctions: 120 });
  const { settlementContract, auctionId: latest } = sandbox.description;
  let [value, count] = [0n, 0];
  for (let id = latest - 119; id <= latest; id++) {
    const answer = await sandbox.fetch(`/api/v2/solver_competition/${id}`);
    if (!answer.ok) {
      await answer.body?.cancel();
      continue;
    }
    const { transactionHashes, auction: { prices } } = await answer.json() as {
      transactionHashes: string[];
      auction: { prices: Record<string, string> };
    };
    for (const hash of transactionHashes) {
      const [receipt] = await sandbox.rpc([{
        method: "eth_getTransactionReceipt",
        params: [hash],
      }]);
      const { logs } = (receipt as { result: { logs: RawLog[] } }).result;
      count++;
      for (const [token, atoms] of leftIn(settlementContract, logs)) {
        const product = atoms * (token === NATIVE ? 10n ** 18n : BigInt(prices[token]!));
        const whole = product / 10n ** 18n;
        value += whole * 10n ** 18n > product ? whole - 1n : whole;
      }
    }
  }
  const solvers = table("valued", "left_native");
  const left = solvers.reduce((sum, row) => sum + parseAtoms(row.left_native!, 18), 0n);
  assertEquals(left, value);
  const [logs] = table("with_all_logs");
  assertEquals(logs?.with_all_logs, `${count}`);
});

function assertWhole({ texts }: Shown): string {
  const sentences = texts.filter((one) => one.includes("**"));
  for (const text of sentences) assert(!BROKEN.test(text), text);
  assertEquals(sentencesInShort([...texts]).length, 3);
  return texts.join("\n").replaceAll("**", "");
}

/** Runs the notebook with the URL of a node in a variable, which nothing that it shows may hold. */
async function runWithNode(nodeUrl: string, parameters: Record<string, unknown>): Promise<Shown> {
  const variable = `NODE_OF_A_TEST_${crypto.randomUUID().replaceAll("-", "")}`;
  Deno.env.set(variable, nodeUrl);
  try {
    const node = new Code(`Deno.env.get("${variable}")`);
    const shown = await runCells(NOTEBOOK, { node, ...parameters });
    for (const text of [...shown.texts, ...shown.drawings]) assert(!text.includes("se-cr-et"));
    return shown;
  } finally {
    Deno.env.delete(variable);
  }
}

Deno.test("10_on_the_chain asks the node of a deployment, and never shows its URL", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const { chainId, settlementContract } = sandbox.description;
  const found = await Array.fromAsync(connect(sandbox).competitions({ last: 12 }));
  const txHash = found.flatMap(({ competition }) => competition?.transactionHashes ?? [])[3]!;
  const own = { source: server.url, chainId, settlementContract, last: 40, txHash };
  const shown = await runWithNode(`${server.url}/rpc?key=se-cr-et`, own);
  assertWhole(shown);
  const { said, table } = saidIn(shown.texts);
  const settled = Number(table("settlements", "reverted")[0]?.settlements);
  assert(settled > 10);
  assertEquals(table("with_all_logs"), [
    { settlements: `${settled}`, with_all_logs: `${settled}` },
  ]);
  assertStringIncludes(said, `Transaction ${txHash.slice(0, 10)}…`);
  for (const drawing of shown.drawings) {
    assert(!drawing.includes("There is nothing to draw"));
    assertStringIncludes(drawing, `Source: ${server.url}`);
  }
});

Deno.test("10_on_the_chain refuses a node of another chain, which proves nothing", async () => {
  const other = await openSandbox({ seed: 8, auctions: 2, clock: "virtual" });
  await using server = other.listen({ port: 0 });
  const error = await assertRejects(
    () => runWithNode(`${server.url}/rpc?key=se-cr-et`, {}),
    Error,
    "node of another chain",
  );
  assert(!error.message.includes("se-cr-et"));
});

Deno.test("10_on_the_chain says that it asks no node without its URL", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 3, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const { chainId, settlementContract } = sandbox.description;
  const own = { source: server.url, chainId, settlementContract, last: 9 };
  assertStringIncludes(
    assertWhole(await runCells(NOTEBOOK, own)),
    "pass the URL of a node, as `node` in code",
  );
});
