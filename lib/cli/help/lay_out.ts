/** Lines of words that fit a width. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Terms with their texts beside them, which are wrapped below each other. */
export function listOf(
  rows: readonly (readonly [term: string, text: string])[],
  width: number,
): string[] {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  const room = Math.max(20, width - termWidth - 4);
  return rows.flatMap(([term, text]) =>
    wrapped(text, room).map((line, at) => `  ${(at === 0 ? term : "").padEnd(termWidth)}  ${line}`)
  );
}
