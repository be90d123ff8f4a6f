/** Options of `deno test` whose value may stand apart from them. */
const WITH_VALUE = new Set(["--filter", "--reporter"]);

/** Whether arguments of `deno test` say which files to run, and not only how. */
export function namesPaths(args: readonly string[]): boolean {
  return args.some((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? ""));
}
