/** Options of `deno test` whose value may be a separate argument. */
const WITH_VALUE = new Set(["--filter", "--reporter"]);

/** Whether arguments of `deno test` name files. */
export function namesPaths(args: readonly string[]): boolean {
  return args.some((arg, at) => !arg.startsWith("-") && !WITH_VALUE.has(args[at - 1] ?? ""));
}
