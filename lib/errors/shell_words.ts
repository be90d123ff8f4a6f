/** Formats a command as it is typed in a shell, from the words after `orderlens`. */
export function formatCommand(words: readonly string[]): string {
  return ["orderlens", ...words.map(quoteWord)].join(" ");
}

/** Quotes a word of a command, if a shell would change it. */
export function quoteWord(word: string): string {
  return /^[\w.,:/@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
