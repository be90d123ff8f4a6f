/** Duration of the tests of one module. */
export interface ModuleTime {
  /** Its file, relative to the working folder. */
  readonly module: string;
  /** Duration of all its tests without loading, in seconds. */
  readonly sec: number;
}

const SUITE = /<testsuite name="([^"]*)"[^>]*>([^]*?)<\/testsuite>/g;
const CASE = /<testcase name="([^"]*)"[^>]*? time="([^"]*)"/g;
/** Separator of a test and its step in the report. */
const STEP = " &gt; ";

/**
 * Ranks the slowest modules, slowest first.
 *
 * @param report Output of `deno test --junit-path`: a suite per module, with a case per test and per
 *   step. The duration of a test includes its steps.
 * @param count Maximum number of modules.
 */
export function rankSlowest(report: string, count: number): ModuleTime[] {
  return [...report.matchAll(SUITE)]
    .map(([, module = "", cases = ""]) => ({
      module: module.replace(/^\.\//, ""),
      sec: readTestTimes(cases).reduce((sum, time) => sum + time, 0),
    }))
    .toSorted((a, b) => b.sec - a.sec)
    .slice(0, count);
}

function readTestTimes(cases: string): number[] {
  const times = [...cases.matchAll(CASE)].map(([, name = "", time]) => ({
    name,
    time: Number(time),
  }));
  const names = new Set(times.map(({ name }) => name));
  const isStep = (name: string): boolean => {
    const parts = name.split(STEP);
    return parts.some((_, index) => index > 0 && names.has(parts.slice(0, index).join(STEP)));
  };
  return times.filter(({ name }) => !isStep(name)).map(({ time }) => time);
}
