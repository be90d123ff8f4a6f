/**
 * Compares the metrics with the records of the real service; `deno task check-metrics <folder>`.
 *
 * @module
 */
import { inferMaxWinners, isNotComputable } from "orderlens/metrics";
import { checkAuctions } from "./metrics/check_auctions.ts";
import { checkFees } from "./metrics/check_fees.ts";
import { checkOutcomes } from "./metrics/check_outcomes.ts";
import { checkVerdicts } from "./metrics/check_verdicts.ts";
import { checkStatuses } from "./metrics/check_statuses.ts";
import { readScenario, type Scenario } from "./metrics/read_scenario.ts";
import { CHECKS, type Count, Tally } from "./metrics/tally.ts";

const USAGE = `Usage: deno task check-metrics [--max-winners <number>] <folder>

Recomputes what can be recomputed from every <scenario>.ndjson (or .ndjson.gz) of a folder and holds
it against <scenario>.truth.json, what the service stored of the same run, and <scenario>.chain.json,
its settlements. Either may be missing, or be gzipped: then what was answered is held against itself,
or what needs the calldata is left out.

  answers       answers that decode
  filter        filtered flags, from the public answer alone and with orders and policies
  winners       winners, likewise
  ranking       places, likewise
  reference     reference scores, likewise
  scores        solution scores whose policies are all known, to the atom
  score bounds  the others: surplus alone is at most the score
  fees/trade    protocol fees by the policies of trades, to the atom
  fees/report   the same by those of debug reports
  executedFee   all fees of a fill from the settlement's calldata, to the atom; 0 of an order that a
                solver brought as liquidity
  statuses      statuses of orders by the service's rules
  outcomes      winning solutions settled in time, late or not
  prices        one price for one pair in each settlement
  verdicts      what decided the fate of each order, from its debug report; /public from public
                answers alone, /deep from those with the auctions of its lifetime: the same, or
                unknown with the stored cause among those that fit

--max-winners is the most winners an auction of these runs could have; without it it is inferred for
each scenario. The last line is "N checks, N failed". Exits with 1 when a check failed.`;

interface MetricsArguments {
  readonly folder: string;
  readonly maxWinners: number | undefined;
}

function readArguments(args: readonly string[]): MetricsArguments | string {
  const folders: string[] = [];
  let maxWinners: number | undefined;
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const [name, inline] = word.split("=", 2);
    if (name === "--max-winners") {
      const value = inline ?? args[++index];
      maxWinners = Number(value);
      if (!Number.isSafeInteger(maxWinners) || maxWinners < 1) {
        return `--max-winners must be a whole number of at least 1, not ${value ?? "nothing"}`;
      }
    } else if (word.startsWith("-")) return `Unknown option ${word}`;
    else folders.push(word);
  }
  const [folder, ...otherFolders] = folders;
  if (folder === undefined || otherFolders.length > 0) return "Pass one folder";
  return { folder: folder.replace(/\/+$/, ""), maxWinners };
}

async function listScenarios(folder: string): Promise<string[]> {
  const names = new Set<string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const match = /^(.+)\.ndjson(?:\.gz)?$/.exec(name);
    if (isFile && match !== null) names.add(match[1]!);
  }
  return [...names].sort();
}

async function checkScenario(
  scenario: Scenario,
  { folder, maxWinners: givenMaxWinners }: MetricsArguments,
): Promise<Tally> {
  const tally = new Tally(scenario.name);
  checkAnswers(scenario, tally);
  checkAuctions(scenario, tally, givenMaxWinners ?? inferWinners(scenario, tally));
  checkFees(scenario, tally);
  checkStatuses(scenario, tally);
  checkOutcomes(scenario, tally);
  await checkVerdicts(scenario, folder, tally);
  return tally;
}

function checkAnswers({ answers, unreadable }: Scenario, tally: Tally): void {
  for (let answer = unreadable.length; answer < answers; answer++) tally.check("answers", null);
  for (const fault of unreadable) tally.check("answers", fault);
}

function inferWinners({ competitions, wrappedNativeToken }: Scenario, tally: Tally): number {
  const inference = inferMaxWinners(
    competitions.values(),
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  if (isNotComputable(inference)) return 1;
  if (inference.maxWinners > 1) {
    const larger = inference.largest === null ? "any larger one" : `up to ${inference.largest}`;
    tally.remarks.push(
      `${tally.scenario}: inferred a maximum of ${inference.maxWinners} winners; ${larger} fits as well`,
    );
  }
  return inference.maxWinners;
}

function formatCount({ made, failed, skipped }: Count): string {
  const note = skipped === 0 ? "" : ` (${skipped} left out)`;
  return `${failed === 0 ? made : `${made - failed}/${made}`}${note}`;
}

function printTable(tallies: readonly Tally[], { log }: Printer): void {
  const rows = [
    ["scenario", ...CHECKS],
    ...tallies.map(({ scenario, counts }) => [
      scenario,
      ...CHECKS.map((check) => formatCount(counts.get(check)!)),
    ]),
    [
      "all",
      ...CHECKS.map((check) =>
        formatCount(sumCounts(tallies.map((tally) => tally.counts.get(check)!)))
      ),
    ],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) {
    log(
      row.map((text, column) =>
        column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)
      ).join("  "),
    );
  }
}

function sumCounts(counts: readonly Count[]): Count {
  return counts.reduce((sum, { made, failed, skipped }) => ({
    made: sum.made + made,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }), { made: 0, failed: 0, skipped: 0 });
}

async function run(args: MetricsArguments, to: Printer): Promise<number> {
  const tallies: Tally[] = [];
  const { folder } = args;
  for (const name of await listScenarios(folder)) {
    tallies.push(await checkScenario(await readScenario(folder, name), args));
  }
  if (tallies.length === 0) {
    to.error(`Nothing to check in ${folder}: it has no .ndjson file`);
    return 2;
  }
  printTable(tallies.filter(({ counts }) => sumCounts([...counts.values()]).made > 0), to);
  to.log("");
  for (const remark of tallies.flatMap(({ remarks }) => remarks)) to.log(remark);
  for (const failure of tallies.flatMap(({ failures }) => failures)) {
    to.log(`FAILED ${failure}`);
  }
  const total = sumCounts(tallies.flatMap(({ counts }) => [...counts.values()]));
  to.log(`${total.made} checks, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

/** Output of the task: results with `log`, invalid arguments with `error`. */
export type Printer = Pick<Console, "log" | "error">;

/**
 * Runs the task.
 *
 * @returns Its exit code: 0 if every check held, 1 if one failed, 2 if there is nothing to check.
 */
export async function checkMetrics(args: readonly string[], to: Printer): Promise<number> {
  if (args.some((word) => word === "--help" || word === "-h")) {
    to.log(USAGE);
    return 0;
  }
  const parsedArgs = readArguments(args);
  if (typeof parsedArgs === "string") {
    to.error(`${parsedArgs}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await run(parsedArgs, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    to.error(`Cannot read ${parsedArgs.folder}: the folder does not exist`);
    return 2;
  }
}

if (import.meta.main) Deno.exit(await checkMetrics(Deno.args, console));
