/** A text as SQL has it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A path as a pattern of DuckDB that matches it alone. */
export function asPattern(path: string): string {
  return path.replace(/[[*?]/g, "[$&]");
}
