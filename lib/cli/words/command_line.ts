/** The words as they are typed in a shell. */
export function commandLine(args: readonly string[]): string {
  const quoted = args.map((word) =>
    /^[\w.,:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  );
  return ["orderlens", ...quoted].join(" ");
}
