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

interface Wanted {
  readonly folder: string;
  readonly maxWinners: number | undefined;
}

function readArguments(given: readonly string[]): Wanted | string {
  const folders: string[] = [];
  let maxWinners: number | undefined;
  for (let place = 0; place < given.length; place++) {
    const word = given[place]!;
    const [name, inline] = word.split("=", 2);
    if (name === "--max-winners") {
      const value = inline ?? given[++place];
      maxWinners = Number(value);
      if (!Number.isSafeInteger(maxWinners) || maxWinners < 1) {
        return `--max-winners must be a whole number of at least 1, not ${value ?? "nothing"}`;
      }
    } else if (word.startsWith("-")) return `Unknown option ${word}`;
    else folders.push(word);
  }
  const [folder, ...others] = folders;
  if (folder === undefined || others.length > 0) return "Pass one folder";
  return { folder: folder.replace(/\/+$/, ""), maxWinners };
}

async function scenariosOf(folder: string): Promise<string[]> {
  const names = new Set<string>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const match = /^(.+)\.ndjson(?:\.gz)?$/.exec(name);
    if (isFile && match !== null) names.add(match[1]!);
  }
  return [...names].sort();
}

async function checkScenario(
  scenario: Scenario,
  { folder, maxWinners: given }: Wanted,
): Promise<Tally> {
  const tally = new Tally(scenario.name);
  checkAnswers(scenario, tally);
  checkAuctions(scenario, tally, given ?? inferred(scenario, tally));
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

function inferred({ competitions, wrappedNativeToken }: Scenario, tally: Tally): number {
  const found = inferMaxWinners(
    competitions.values(),
    wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
  );
  if (isNotComputable(found)) return 1;
  if (found.maxWinners > 1) {
    const larger = found.largest === null ? "any larger one" : `up to ${found.largest}`;
    tally.remarks.push(
      `${tally.scenario}: inferred a maximum of ${found.maxWinners} winners; ${larger} fits as well`,
    );
  }
  return found.maxWinners;
}

function cell({ made, failed, skipped }: Count): string {
  const left = skipped === 0 ? "" : ` (${skipped} left out)`;
  return `${failed === 0 ? made : `${made - failed}/${made}`}${left}`;
}

function printTable(tallies: readonly Tally[], { log }: Printer): void {
  const rows = [
    ["scenario", ...CHECKS],
    ...tallies.map(({ scenario, counts }) => [
      scenario,
      ...CHECKS.map((check) => cell(counts.get(check)!)),
    ]),
    ["all", ...CHECKS.map((check) => cell(sumOf(tallies.map((each) => each.counts.get(check)!))))],
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

function sumOf(counts: readonly Count[]): Count {
  return counts.reduce((sum, { made, failed, skipped }) => ({
    made: sum.made + made,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }), { made: 0, failed: 0, skipped: 0 });
}

async function run(wanted: Wanted, to: Printer): Promise<number> {
  const tallies: Tally[] = [];
  const { folder } = wanted;
  for (const name of await scenariosOf(folder)) {
    tallies.push(await checkScenario(await readScenario(folder, name), wanted));
  }
  if (tallies.length === 0) {
    to.error(`Nothing to check in ${folder}: it has no .ndjson file`);
    return 2;
  }
  printTable(tallies.filter(({ counts }) => sumOf([...counts.values()]).made > 0), to);
  to.log("");
  for (const remark of tallies.flatMap(({ remarks }) => remarks)) to.log(remark);
  for (const failure of tallies.flatMap(({ failures }) => failures)) {
    to.log(`FAILED ${failure}`);
  }
  const all = sumOf(tallies.flatMap(({ counts }) => [...counts.values()]));
  to.log(`${all.made} checks, ${all.failed} failed`);
  return all.failed === 0 ? 0 : 1;
}

/** Where lines are printed: what is found, and what is wrong with the arguments. */
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
  const wanted = readArguments(args);
  if (typeof wanted === "string") {
    to.error(`${wanted}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await run(wanted, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    to.error(`Cannot read ${wanted.folder}: the folder does not exist`);
    return 2;
  }
}

if (import.meta.main) Deno.exit(await checkMetrics(Deno.args, console));
