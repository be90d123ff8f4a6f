/** A value of a JSON text, with where it stands in it: offsets of characters. */
export type JsonNode =
  & { readonly start: number; readonly end: number }
  & (
    | { readonly kind: "null" }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "number"; readonly source: string }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "list"; readonly items: readonly JsonNode[] }
    | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  );

/** A member of an object; a name may come twice. */
export interface JsonMember {
  /** Its name. */
  readonly name: string;
  /** Where its name ends. */
  readonly nameEnd: number;
  /** What it holds. */
  readonly value: JsonNode;
}

/** The error in a text that is not JSON. */
export interface JsonFault {
  /** In the words of the service's parser, with the line and column. */
  readonly message: string;
  /** In which member or item it is, as `a.b[0]`; empty for the whole. */
  readonly path: string;
}

/** A JSON text as far as it could be read. */
export interface JsonText {
  /** The value, its lists and objects up to the fault; `null` where there is none at all. */
  readonly root: JsonNode | null;
  /** What is wrong; `null` where nothing is. */
  readonly fault: JsonFault | null;
}

/** The member of this name; the first, where it comes twice. */
export function memberOf(node: JsonNode, name: string): JsonNode | undefined {
  if (node.kind !== "object") return undefined;
  return node.members.find((member) => member.name === name)?.value;
}

/** Where a value is found wrong: past text and numbers, before lists and objects. */
export function foundAt(node: JsonNode): number {
  return node.kind === "list" || node.kind === "object" ? node.start : node.end;
}

/** A place in words: lines from 1 on, columns in bytes. */
export function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!)}`;
}

/** The same of the byte that comes next, as far as there is one. */
export function placeOfNext(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  const past = at < text.length ? 1 : 0;
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!) + past}`;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
