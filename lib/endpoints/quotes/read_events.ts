import { type AnsweredRequest, WholeEvents } from "../../http/reading/whole_events.ts";

/** One event of a stream of server-sent events. */
export interface ServerEvent {
  /** Name of the event; `message` if it has none. */
  readonly name: string;
  /** Its data; several `data` fields are joined by newlines. */
  readonly data: string;
  /** Whether the stream ended before the blank line that ends an event. */
  readonly isCut: boolean;
}

/**
 * Splits a stream into server-sent events: lines end in LF, CR or CRLF, also across chunks, lines
 * that begin with a colon are comments, a blank line ends an event, and events without data are
 * dropped.
 *
 * An event that is cut off by the end of the stream is returned and marked as cut. `id` and `retry`
 * are ignored: a stream of quotes is never resumed.
 *
 * @throws {HttpStatusError} If an event is longer than a million characters; nothing beyond is
 * read.
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html | the standard}
 */
export async function* readEvents(
  chunks: AsyncIterable<string> | Iterable<string>,
  source: AnsweredRequest,
): AsyncGenerator<ServerEvent, void, undefined> {
  const events = new WholeEvents(source);
  let isFirst = true;
  for await (const chunk of chunks) {
    const whole = events.push(isFirst ? chunk.replace(/^\uFEFF/, "") : chunk);
    isFirst &&= chunk === "";
    yield* eventsIn(whole);
  }
  yield* eventsIn(events.rest());
}

/** The events of a text; one without a closing blank line is cut. */
function* eventsIn(text: string): Generator<ServerEvent, void, undefined> {
  let name = "";
  let data: string[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  // The empty text after the last line end is not a line.
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
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
