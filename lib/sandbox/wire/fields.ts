import {
  type JsonNode,
  memberOf,
  Mismatch,
  NotAString,
  positionIn,
  positionOfNext,
  readJson,
  reportedOffset,
} from "./json.ts";
import { describeNode } from "./loose_values.ts";
import { orReject, Rejection, text } from "./reply.ts";

type Shape = Readonly<Record<string, Field<unknown>>>;

type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** The fields of a JSON body; as in the service, the first error is reported. */
export class Fields {
  readonly #text: string;
  readonly #root: JsonNode;
  readonly #syntaxRejection: Rejection | null;

  /**
   * Parses a body.
   *
   * @throws {Rejection} 400 or 422 as text, if it is not an object.
   */
  constructor(body: string, struct: string) {
    const { root, syntaxError } = readJson(body);
    this.#text = body;
    this.#syntaxRejection = syntaxError === null ? null : invalidJson(syntaxError);
    if (root === null) throw this.#syntaxRejection!;
    this.#root = root;
    if (root.kind !== "object") throw wrongKind(body, root, `struct ${struct}`);
  }

  /** Whether a field is present, even if it is `null`. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** The unparsed value of a field; `undefined` if it is missing. */
  raw(name: string): JsonNode | undefined {
    return memberOf(this.#root, name);
  }

  /**
   * Reads fields: present ones in the body's sequence, then missing ones in the shape's.
   *
   * @throws {Rejection} 400 or 422 as text.
   */
  all<Wanted extends Shape>(shape: Wanted): Values<Wanted> {
    const values = new Map<string, unknown>();
    for (const { name, nameEnd, value } of membersOf(this.#root)) {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) continue;
      if (values.has(name)) {
        throw wrongShape(`duplicate field \`${name}\` ${positionIn(this.#text, nameEnd)}`);
      }
      values.set(name, readNode(this.#text, value, { name, read: field.read }));
    }
    if (this.#syntaxRejection !== null) throw this.#syntaxRejection;
    for (const [name, { fallback }] of Object.entries(shape)) {
      if (values.has(name)) continue;
      if (fallback === undefined) throw this.rejection(`missing field \`${name}\``);
      values.set(name, fallback.value);
    }
    return Object.fromEntries(values) as Values<Wanted>;
  }

  /**
   * Reads a field whose errors are reported after those of `all`; `undefined` if it is missing.
   *
   * @throws {Rejection} 422 as text.
   */
  deferred<T>(name: string, read: Field<T>["read"]): T | undefined {
    const [node, second] = membersOf(this.#root).filter((member) => member.name === name);
    if (node === undefined) return undefined;
    if (second !== undefined) throw this.rejection(`duplicate field \`${name}\``);
    return orReject(() => read(node.value), (reason) => this.rejection(reason));
  }

  /** A rejection for the shape of the body. */
  rejection(message: string): Rejection {
    return wrongShape(`${message} ${positionIn(this.#text, this.#root.end)}`);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Field<T>["read"]): T[] {
  const { root, syntaxError } = readJson(body);
  if (root === null) throw invalidJson(syntaxError!);
  if (root.kind !== "list") throw wrongKind(body, root, "a sequence");
  const items = root.items.map((item, at) => readNode(body, item, { name: `[${at}]`, read }));
  if (syntaxError !== null) throw invalidJson(syntaxError);
  return items;
}

function membersOf(node: JsonNode) {
  return node.kind === "object" ? node.members : [];
}

function readNode<T>(
  body: string,
  node: JsonNode,
  { name, read }: { name: string; read: Field<T>["read"] },
): T {
  try {
    return read(node);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    if (error instanceof NotAString) {
      throw invalidJson({
        path: name,
        message: `${error.message} ${positionOfNext(body, node.start)}`,
      });
    }
    throw wrongShape(`${name}: ${error.message} ${positionIn(body, reportedOffset(node))}`);
  }
}

function wrongKind(body: string, node: JsonNode, wanted: string): Rejection {
  return wrongShape(
    `invalid type: ${describeNode(node)}, expected ${wanted} ${
      positionIn(body, reportedOffset(node))
    }`,
  );
}

function invalidJson({ path, message }: { path: string; message: string }): Rejection {
  const where = path === "" ? "" : `${path}: `;
  return new Rejection(text(`Failed to parse the request body as JSON: ${where}${message}`, 400));
}

function wrongShape(message: string): Rejection {
  return new Rejection(
    text(`Failed to deserialize the JSON body into the target type: ${message}`, 422),
  );
}

/** How to read a field. */
export interface Field<T> {
  /** Reads its value. @throws {Mismatch} If the value is of another kind. */
  readonly read: (node: JsonNode) => T;
  /** Value if the field is missing; without a fallback, the field is required. */
  readonly fallback?: { readonly value: T };
}

/** A required field. */
export function required<T>(read: Field<T>["read"]): Field<T> {
  return { read };
}

/** A field that may be missing or `null`. */
export function optional<T>(read: Field<T>["read"]): Field<T | undefined> {
  const fallback = { value: undefined };
  return { read: (node) => node.kind === "null" ? undefined : read(node), fallback };
}

/** A field that may be missing, but not `null`. */
export function defaulted<T>(read: Field<T>["read"], value: NoInfer<T>): Field<T> {
  return { read, fallback: { value } };
}
