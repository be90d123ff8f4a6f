/** One answer of a recording that has a body of JSON. */
export interface RecordedLine {
  path: string;
  body: unknown;
}

/** The answers with status 200 of a shipped recording, as `JSON.parse` reads them. */
export async function recordedLines(name: string): Promise<RecordedLine[]> {
  const file = await Deno.open(
    new URL(`../../../data/recorded/${name}.ndjson.gz`, import.meta.url),
  );
  const text = await new Response(
    file.readable.pipeThrough(new DecompressionStream("gzip")),
  ).text();
  return text.trim().split("\n").flatMap((line): RecordedLine[] => {
    const { path, status, responseBody } = JSON.parse(line);
    return status === 200 && /^[[{]/.test(responseBody)
      ? [{ path, body: JSON.parse(responseBody) }]
      : [];
  });
}
