/** Options of `deno test` whose value may be a separate argument. */
const WITH_VALUE = new Set(["--filter", "--reporter"]);

/** Whether arguments of `deno test` name files. */
export function hasPaths(args: readonly string[]): boolean {
  return args.some((arg, index) => !arg.startsWith("-") && !WITH_VALUE.has(args[index - 1] ?? ""));
}
