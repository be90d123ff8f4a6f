import { foundAt, type JsonNode, memberOf, placeIn, placeOfNext } from "./json_node.ts";
import { inWords } from "./loose_values.ts";
import { Mismatch, NoWord } from "./mismatch.ts";
import { readJson } from "./read_json.ts";
import { orRefuse } from "./or_refuse.ts";
import { Rejection, text } from "./reply.ts";

/** How a field is read. */
export interface Field<T> {
  /** Reads its value. @throws {Mismatch} If it holds something else. */
  readonly read: (node: JsonNode) => T;
  /** What stands for a missing one; a field without it must be there. */
  readonly fallback?: { readonly value: T };
}

/** A field that must be there. */
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

type Shape = Readonly<Record<string, Field<unknown>>>;
type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** The fields of a body, read as the service reads them: what is wrong first is what it tells. */
export class Fields {
  readonly #text: string;
  readonly #root: JsonNode;
  readonly #fault: Rejection | null;

  /**
   * Takes a body.
   *
   * @throws {Rejection} 400 or 422 as text, where it is no object.
   */
  constructor(body: string, struct: string) {
    const { root, fault } = readJson(body);
    this.#text = body;
    this.#fault = fault === null ? null : noJson(fault);
    if (root === null) throw this.#fault!;
    this.#root = root;
    if (root.kind !== "object") throw wrongKind(body, root, `struct ${struct}`);
  }

  /** Whether there is such a field, whatever it holds. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** What a field holds; `undefined` where there is none. */
  raw(name: string): JsonNode | undefined {
    return memberOf(this.#root, name);
  }

  /**
   * Reads fields: those that are there in the body's order, then those that are not in the shape's.
   *
   * @throws {Rejection} 400 or 422 as text.
   */
  all<Wanted extends Shape>(shape: Wanted): Values<Wanted> {
    const values = new Map<string, unknown>();
    for (const { name, nameEnd, value } of membersOf(this.#root)) {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) continue;
      if (values.has(name)) {
        throw shapeless(`duplicate field \`${name}\` ${placeIn(this.#text, nameEnd)}`);
      }
      values.set(name, readNode(this.#text, value, { name, read: field.read }));
    }
    if (this.#fault !== null) throw this.#fault;
    for (const [name, { fallback }] of Object.entries(shape)) {
      if (values.has(name)) continue;
      if (fallback === undefined) throw this.wrong(`missing field \`${name}\``);
      values.set(name, fallback.value);
    }
    return Object.fromEntries(values) as Values<Wanted>;
  }

  /**
   * Reads a field that is judged once the whole body is known; `undefined` where there is none.
   *
   * @throws {Rejection} 422 as text.
   */
  late<T>(name: string, read: Field<T>["read"]): T | undefined {
    const [node, second] = membersOf(this.#root).filter((member) => member.name === name);
    if (node === undefined) return undefined;
    if (second !== undefined) throw this.wrong(`duplicate field \`${name}\``);
    return orRefuse(() => read(node.value), (reason) => this.wrong(reason));
  }

  /** A refusal of the body's shape. */
  wrong(message: string): Rejection {
    return shapeless(`${message} ${placeIn(this.#text, this.#root.end)}`);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Field<T>["read"]): T[] {
  const { root, fault } = readJson(body);
  if (root === null) throw noJson(fault!);
  if (root.kind !== "list") throw wrongKind(body, root, "a sequence");
  const items = root.items.map((item, at) => readNode(body, item, { name: `[${at}]`, read }));
  if (fault !== null) throw noJson(fault);
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
    if (error instanceof NoWord) {
      throw noJson({ path: name, message: `${error.message} ${placeOfNext(body, node.start)}` });
    }
    throw shapeless(`${name}: ${error.message} ${placeIn(body, foundAt(node))}`);
  }
}

function wrongKind(body: string, node: JsonNode, wanted: string): Rejection {
  return shapeless(
    `invalid type: ${inWords(node)}, expected ${wanted} ${placeIn(body, foundAt(node))}`,
  );
}

function noJson({ path, message }: { path: string; message: string }): Rejection {
  const where = path === "" ? "" : `${path}: `;
  return new Rejection(text(`Failed to parse the request body as JSON: ${where}${message}`, 400));
}

function shapeless(message: string): Rejection {
  return new Rejection(
    text(`Failed to deserialize the JSON body into the target type: ${message}`, 422),
  );
}
