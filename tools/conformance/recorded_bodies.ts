import { type BodyKind, findBodyKind, findRouteKinds, LISTABLE_KINDS } from "./route_kinds.ts";

/** One body of a folder of recordings. */
export interface RecordedBody {
  /** Its content. */
  readonly holds: BodyKind;
  /** The parsed body; a body that is not JSON is its text. */
  readonly body: unknown;
  /** Location: file, and line or pointer. */
  readonly where: string;
}

/** An exchange of an unknown route, which is not decoded. */
export interface SkippedExchange {
  /** Method and path. */
  readonly route: string;
}

/** An unreadable part of a recording. */
export interface UnreadableBody {
  /** Location: file, and line or pointer. */
  readonly where: string;
  /** The error. */
  readonly reason: string;
}

/** The items of a folder. */
export type RecordedItem = RecordedBody | SkippedExchange | UnreadableBody;

interface ListedBody {
  readonly file: string;
  readonly pointer: string;
  readonly kind: string;
  readonly complete: boolean;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestBody?: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly responseBody: string;
}

async function* walkFiles(folder: string): AsyncGenerator<string> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walkFiles(path);
    else if (entry.isFile) yield path;
  }
}

function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) {
      throw new Error(`nothing at ${pointer}`);
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

async function* readListedBodies(path: string): AsyncGenerator<RecordedItem> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const list = parseOrText(await Deno.readTextFile(path));
  const { bodies } = Object(list) as { readonly bodies?: ListedBody[] };
  if (!Array.isArray(bodies)) {
    yield { where: path, reason: "it has no list `bodies`, or is not JSON" };
    return;
  }
  for (const { file, pointer, kind, complete } of bodies) {
    if (!complete) continue;
    const where = `${folder}/${file}${pointer === "" ? "" : `#${pointer}`}`;
    const holds = findBodyKind(kind);
    if (holds === undefined) {
      const kinds = LISTABLE_KINDS.join(", ");
      yield { where, reason: `bodies.json names the unknown kind "${kind}"; known are ${kinds}` };
      continue;
    }
    try {
      const document: unknown = JSON.parse(await Deno.readTextFile(`${folder}/${file}`));
      yield { holds, body: resolvePointer(document, pointer), where };
    } catch (error) {
      yield { where, reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function* parseEvents(text: string): Generator<unknown> {
  for (const line of text.split("\n")) {
    if (line.startsWith("data:")) yield JSON.parse(line.slice("data:".length));
  }
}

function* readExchange(exchange: Exchange, where: string): Generator<RecordedItem> {
  const { method, path, requestBody, status, contentType, responseBody } = exchange;
  const isSuccess = status >= 200 && status < 300;
  const isJson = contentType?.startsWith("application/json") ?? false;
  const kinds = findRouteKinds(method, path);
  if (!isSuccess) {
    const body = isJson ? JSON.parse(responseBody) : responseBody;
    yield { holds: { kind: "error", isList: false }, body, where: `${where} answer` };
    return;
  }
  if (kinds === undefined) {
    yield { route: `${method} ${path.split("?", 1)[0]}` };
    return;
  }
  if (kinds.request !== undefined && requestBody !== undefined && requestBody !== "") {
    yield { holds: kinds.request, body: JSON.parse(requestBody), where: `${where} request` };
  }
  if (contentType?.startsWith("text/event-stream")) {
    for (const body of parseEvents(responseBody)) {
      yield { holds: kinds.answer, body, where: `${where} answer` };
    }
    return;
  }
  const isText = kinds.answer.kind === "text" && !isJson;
  const body = isText
    ? responseBody
    : isJson
    ? JSON.parse(responseBody)
    : parseOrText(responseBody);
  yield { holds: kinds.answer, body, where: `${where} answer` };
}

async function readText(path: string): Promise<string> {
  if (!path.endsWith(".gz")) return await Deno.readTextFile(path);
  const file = await Deno.open(path);
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).text();
}

async function* readExchanges(path: string): AsyncGenerator<RecordedItem> {
  const lines = (await readText(path)).split("\n");
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const where = `${path}:${index + 1}`;
    try {
      yield* readExchange(JSON.parse(line) as Exchange, where);
    } catch (error) {
      yield { where, reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/**
 * Walks a folder and its subfolders: the bodies that each `bodies.json` lists, and every exchange of
 * each `.ndjson` and `.ndjson.gz`.
 */
export async function* readRecordedBodies(folder: string): AsyncGenerator<RecordedItem> {
  for await (const path of walkFiles(folder.replace(/\/+$/, ""))) {
    if (path.endsWith("/bodies.json")) yield* readListedBodies(path);
    else if (path.endsWith(".ndjson") || path.endsWith(".ndjson.gz")) yield* readExchanges(path);
  }
}
