/** Formats a command as it is typed in a shell, from the words after `orderlens`. */
export function formatCommand(words: readonly string[]): string {
  const quotedWords = words.map((word) =>
    /^[\w.,:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  );
  return ["orderlens", ...quotedWords].join(" ");
}
