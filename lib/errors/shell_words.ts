/** Words after `orderlens` as they are typed in a shell. */
export function formatCommand(words: readonly string[]): string {
  const quotedWords = words.map((word) =>
    /^[\w.,:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  );
  return ["orderlens", ...quotedWords].join(" ");
}
