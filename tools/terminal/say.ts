const encoder = new TextEncoder();

/** Writes one line of progress to stderr; results go to stdout. */
export function say(line: string): void {
  write(Deno.stderr, `${line}\n`);
}

/** Writes one line of a task's result. */
export function report(line: string): void {
  write(Deno.stdout, `${line}\n`);
}

/** Writes all of `text`, even if the reader accepts it in parts. */
export function write(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
}
