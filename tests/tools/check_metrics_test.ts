import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkMetrics as runTask } from "../../tools/check_metrics.ts";
import { unpack } from "../metrics/recorded_run.ts";
import { ETHER, jitRecording, writeJitRecording } from "../jit_recording.ts";
import { got, withFolder } from "../sandbox/temp_folder.ts";

const RECORDED = new URL("../../data/recorded/", import.meta.url);
const NAME = "protocol_fee__combined_protocol_fees";

/** Runs the task in this process. */
async function checkMetrics(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runTask(args, {
    log: (line: string) => void out.push(line),
    error: (line: string) => void err.push(line),
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

Deno.test("check_metrics names file, auction and order of each difference and no others, and exits with 1", () =>
  withFolder(async (folder) => {
    await Deno.copyFile(new URL(`${NAME}.ndjson.gz`, RECORDED), `${folder}/${NAME}.ndjson.gz`);
    const truth = JSON.parse(await unpack(`${NAME}.truth.json.gz`));
    const [solution] = truth.proposed_solutions;
    solution.score = `${BigInt(solution.score) + 1n}`;
    truth.reference_scores[0].reference_score = "7";
    const [{ protocol_fee_amounts: amounts }] = truth.order_execution;
    amounts[0] = `${BigInt(amounts[0]) + 1n}`;
    await Deno.writeTextFile(`${folder}/${NAME}.truth.json`, JSON.stringify(truth));
    const { code, out } = await checkMetrics(folder);
    assertEquals(code, 1);
    const failed = Array.from(out.matchAll(/^FAILED (\S+ \S+): /gm), ([, check]) => check);
    const checks = ["ranking", "reference", "scores", "fees/trade", "fees/report"];
    assertEquals(new Set(failed), new Set(checks.map((check) => `${NAME}: ${check}`)));
    assertMatch(out, /^FAILED .*auction /m);
    assertMatch(out, /^FAILED .*0x[0-9a-f]{112}, block [0-9]+, fee 1 \(/m);
    assertMatch(out, /^[0-9]+ checks, [1-9][0-9]* failed$/m);
  }));

Deno.test("check_metrics classifies JIT orders as the service does", async () => {
  const { jitOwner } = await jitRecording({ owners: [] });
  for (const owners of [[], [jitOwner], null]) {
    const recording = await jitRecording({ owners });
    await withFolder(async (folder) => {
      await writeJitRecording(folder, recording);
      const { code, out } = await checkMetrics(folder);
      assertEquals(code, 0, out);
      // Both fees are checked where the owners are known, else only that of the user's order.
      const column = out.split("\n")[0]!.split(/ {2,}/).indexOf("executedFee");
      const cell = out.split("\n")[1]!.split(/ {2,}/)[column];
      assertEquals(cell, owners === null ? "1 (1 left out)" : "2");
    });
  }
});

Deno.test("check_metrics treats a score as a bound if an answer lacks a surplus-capturing order", async () => {
  const { jitOwner } = await jitRecording({ owners: [] });
  const { exchanges, truth, ...rest } = await jitRecording({ owners: [jitOwner] });
  const { jitUid, userUid } = rest;
  const score = `${6n * ETHER}`;
  const winner = {
    solutionUid: 0,
    ranking: 1,
    solver: `0x${"f9".repeat(20)}`,
    isWinner: true,
    score,
    filteredOut: false,
    executedSell: `${10n * ETHER}`,
    executedBuy: `${10n * ETHER}`,
  };
  const lacking = exchanges.map((exchange) => {
    const body = JSON.parse(String(exchange["responseBody"]));
    const [solution] = body.solutions ?? [];
    if (solution === undefined) return exchange;
    const orders = solution.orders.filter(({ id }: { id: string }) => id !== jitUid);
    const solutions = [{ ...solution, score, orders }];
    return { ...exchange, responseBody: JSON.stringify({ ...body, solutions }) };
  });
  // With its report the policies of the user's order are known, and its score is exact.
  const report = got(`/restricted/api/v1/debug/order/${userUid}`, {
    orderUid: userUid,
    order: JSON.parse(String(exchanges[0]!["responseBody"])),
    events: [],
    auctions: [{
      id: 280,
      block: 46,
      deadline: 51,
      nativePrices: {},
      feePolicies: [],
      proposedSolutions: [winner],
      executions: [],
      settlementAttempts: [],
    }],
    trades: [],
  });
  const [stored] = truth.proposed_solutions;
  const proposal = (uid: string) => ({ auction_id: 280, solution_uid: 0, order_uid: uid });
  const finds = async (proposals: unknown, failed: boolean) => {
    const recording = {
      ...rest,
      exchanges: [...lacking, report],
      truth: {
        ...truth,
        proposed_solutions: [{ ...stored, score }],
        proposed_trade_executions: proposals,
      },
    };
    await withFolder(async (folder) => {
      await writeJitRecording(folder, recording);
      const { out } = await checkMetrics(folder);
      assertEquals(/^FAILED jit: scores: /m.test(out), failed, out);
    });
  };
  await finds([proposal(userUid), proposal(jitUid)], false);
  await finds(undefined, false);
  // The answer has every order: the score is wrong then.
  await finds([proposal(userUid)], true);
});

Deno.test("check_metrics detects a fee that a solver's liquidity cannot have paid", async () => {
  await withFolder(async (folder) => {
    const recording = await jitRecording({ owners: [] });
    const [, execution] = recording.truth.order_execution;
    execution!.executed_fee = `${9n * ETHER}`;
    await writeJitRecording(folder, recording);
    const { code, out } = await checkMetrics(folder);
    assertEquals(code, 1);
    const failures = Array.from(out.matchAll(/^FAILED jit: (\w+):/gm), ([, check]) => check);
    assertEquals(failures, ["executedFee", "prices"]);
  });
});

Deno.test("check_metrics uses the given maximum of winners", () =>
  withFolder(async (folder) => {
    await Deno.copyFile(new URL("market_3.ndjson.gz", RECORDED), `${folder}/market.ndjson.gz`);
    const inferred = await checkMetrics(folder);
    assertEquals(inferred.code, 0);
    assertStringIncludes(inferred.out, "market: inferred a maximum of 2 winners");
    assertEquals((await checkMetrics("--max-winners", "1", folder)).code, 1);
  }));

Deno.test("check_metrics --help describes it, and invalid arguments are named", async () => {
  const help = await checkMetrics("--help");
  const usage = "Usage: deno task check-metrics [--max-winners <number>] <folder>";
  assertEquals([help.code, help.out.split("\n")[0]], [0, usage]);
  const calls = [[], ["a", "b"], ["--max-winners", "none", "a"], ["--winners", "a"], ["/no/such"]];
  for (const args of calls) {
    const { code, err } = await checkMetrics(...args);
    assertEquals(code, 2, args.join(" "));
    assert(err.length > 0);
  }
});
