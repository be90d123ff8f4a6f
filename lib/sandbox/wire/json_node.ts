/** A value of a JSON text, with its position as character offsets. */
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

/** A member of an object; names may repeat. */
export interface JsonMember {
  /** Its name. */
  readonly name: string;
  /** Where its name ends. */
  readonly nameEnd: number;
  /** Its value. */
  readonly value: JsonNode;
}

/** The error in a text that is not JSON. */
interface JsonSyntaxError {
  /** Message of the service's parser, with line and column. */
  readonly message: string;
  /** Member or item with the error, such as `a.b[0]`; empty for the whole text. */
  readonly path: string;
}

/** A JSON text, parsed up to its first error. */
export interface JsonText {
  /** The value, with lists and objects up to the error; `null` if there is none. */
  readonly root: JsonNode | null;
  /** The error; `null` if the text is valid. */
  readonly syntaxError: JsonSyntaxError | null;
}

/** The member with this name; the first one if it repeats. */
export function memberOf(node: JsonNode, name: string): JsonNode | undefined {
  if (node.kind !== "object") return undefined;
  return node.members.find((member) => member.name === name)?.value;
}

/** Offset at which the parser reports a value: after scalars, before lists and objects. */
export function reportedOffset(node: JsonNode): number {
  return node.kind === "list" || node.kind === "object" ? node.start : node.end;
}

/** A position as text: lines from 1, columns in bytes. */
export function positionIn(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!)}`;
}

/** The position of the next byte, if there is one. */
export function positionOfNext(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  const past = at < text.length ? 1 : 0;
  return `at line ${lines.length} column ${bytesIn(lines.at(-1)!) + past}`;
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A value is not of the expected kind. */
export class Mismatch extends Error {
  /** Takes the service's error text. */
  constructor(message: string) {
    super(message);
    this.name = "Mismatch";
  }
}

/** An enum field is not a string, which the service reports as invalid JSON. */
export class NotAString extends Mismatch {}

/** The result of `read`; `null` on a mismatch. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}
