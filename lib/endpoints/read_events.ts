/** One event of a stream of server-sent events. */
export interface ServerEvent {
  /** Name of the event; `message` when it has none. */
  readonly name: string;
  /** Its data; the lines of several `data` fields joined by newlines. */
  readonly data: string;
  /** Whether the stream ended before the blank line that ends an event. */
  readonly isCut: boolean;
}

/**
 * Splits a stream into server-sent events: lines end in LF, CR or CRLF, also across chunks, lines that
 * begin with a colon are comments, a blank line ends an event, and events without data are none.
 *
 * An event that the end of the stream cuts is given too, and says so.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | the standard}
 */
export async function* readEvents(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ServerEvent, void, undefined> {
  let name = "";
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === "") {
      if (data.length > 0) yield eventOf(name, data, false);
      name = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  if (data.length > 0) yield eventOf(name, data, true);
}

function eventOf(name: string, data: readonly string[], isCut: boolean): ServerEvent {
  return { name: name === "" ? "message" : name, data: data.join("\n"), isCut };
}

/** The lines of a text that comes in pieces, without what ends them. */
async function* readLines(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest = "";
  let isFirst = true;
  let endsInReturn = false;
  for await (const chunk of chunks) {
    let text = chunk;
    if (isFirst && text !== "") {
      isFirst = false;
      text = text.replace(/^\uFEFF/, "");
    }
    // The LF of a CRLF whose CR ended the chunk before.
    if (endsInReturn && text.startsWith("\n")) text = text.slice(1);
    if (chunk !== "") endsInReturn = chunk.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}
