/** How long the tests of one module ran. */
export interface ModuleTime {
  /** Its file, from where the tests were run. */
  readonly module: string;
  /** Of all its tests, without what loading it took; in seconds. */
  readonly sec: number;
}

const SUITE = /<testsuite name="([^"]*)"[^>]*>([^]*?)<\/testsuite>/g;
const CASE = /<testcase name="([^"]*)"[^>]*? time="([^"]*)"/g;
/** How the report writes ` > ` between a test and its step. */
const STEP = " &gt; ";

/**
 * The modules whose tests ran longest, slowest first.
 *
 * @param report What `deno test --junit-path` wrote: a suite for each module, in it a case for each
 * test and for each step. The time of a step is a part of its test's, and not counted again.
 * @param count How many at most.
 */
export function slowestModules(report: string, count: number): ModuleTime[] {
  return [...report.matchAll(SUITE)]
    .map(([, module = "", cases = ""]) => ({
      module: module.replace(/^\.\//, ""),
      sec: testTimes(cases).reduce((sum, time) => sum + time, 0),
    }))
    .toSorted((a, b) => b.sec - a.sec)
    .slice(0, count);
}

function testTimes(cases: string): number[] {
  const found = [...cases.matchAll(CASE)].map(([, name = "", time]) => ({
    name,
    time: Number(time),
  }));
  const names = new Set(found.map(({ name }) => name));
  const isStep = (name: string): boolean => {
    const parts = name.split(STEP);
    return parts.some((_, at) => at > 0 && names.has(parts.slice(0, at).join(STEP)));
  };
  return found.filter(({ name }) => !isStep(name)).map(({ time }) => time);
}
