import { isMap, Mismatch, NotAString, parseJson, unexpected } from "./loose_values.ts";
import { orReject, Rejection, text } from "./reply.ts";

/** How to read a field. */
export interface Field<T> {
  /** Reads its value. @throws {Mismatch} If the value is of another kind. */
  readonly read: (value: unknown) => T;
  /** Value if the field is missing; without a fallback, the field is required. */
  readonly fallback?: { readonly value: T };
}

/** A required field. */
export function required<T>(read: Field<T>["read"]): Field<T> {
  return { read };
}

/** A field that may be missing or `null`. */
export function optional<T>(read: Field<T>["read"]): Field<T | null> {
  return { read: (value) => value === null ? null : read(value), fallback: { value: null } };
}

/** A field that may be missing, but not `null`. */
export function defaulted<T>(read: Field<T>["read"], value: NoInfer<T>): Field<T> {
  return { read, fallback: { value } };
}

/** The members of a JSON object. */
export class Members {
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws {Mismatch} If the value is not an object. */
  constructor(value: unknown, struct: string) {
    if (!isMap(value)) throw unexpected(value, `struct ${struct}`);
    this.#values = value;
  }

  /** Their names, in sequence. */
  get names(): string[] {
    return Object.keys(this.#values);
  }

  /** Whether a member is present, even if it is `null`. */
  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /**
   * Reads a member.
   *
   * @throws {Mismatch} If it is required and missing, or of another kind.
   */
  get<T>(name: string, { read, fallback }: Field<T>): T {
    if (this.has(name)) return read(this.#values[name]);
    if (fallback === undefined) throw new Mismatch(`missing field \`${name}\``);
    return fallback.value;
  }
}

type Shape = Readonly<Record<string, Field<unknown>>>;

/** The values of fields. */
export type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** The fields of a JSON body; as in the service, the first error is reported. */
export class Fields {
  readonly #members: Members;

  /**
   * Parses a body.
   *
   * @throws {Rejection} 400 or 422 as text, if it is not an object.
   */
  constructor(body: string, struct: string) {
    const value = parseBody(body);
    this.#members = orReject(() => new Members(value, struct), wrongShape);
  }

  /** Whether a field is present, even if it is `null`. */
  has(name: string): boolean {
    return this.#members.has(name);
  }

  /**
   * Reads fields: present ones in the body's sequence, then missing ones in the shape's.
   *
   * @throws {Rejection} 400 or 422 as text.
   */
  all<Wanted extends Shape>(shape: Wanted): Values<Wanted> {
    const present = this.#members.names.filter((name) => Object.hasOwn(shape, name));
    const names = [...present, ...Object.keys(shape).filter((name) => !this.has(name))];
    const values = names.map((name) => [name, this.#read(name, shape[name]!)]);
    return Object.fromEntries(values);
  }

  #read<T>(name: string, field: Field<T>): T {
    try {
      return this.#members.get(name, field);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const reason = this.has(name) ? `${name}: ${error.message}` : error.message;
      throw error instanceof NotAString ? invalidJson(reason) : wrongShape(reason);
    }
  }

  /**
   * Reads a field whose errors are reported after those of `all`, and without its name.
   *
   * @throws {Rejection} 422 as text.
   */
  deferred<T>(name: string, field: Field<T>): T {
    return orReject(() => this.#members.get(name, field), wrongShape);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Field<T>["read"]): T[] {
  const items = parseBody(body);
  if (!Array.isArray(items)) throw wrongShape(unexpected(items, "a sequence").message);
  return items.map((item, at) =>
    orReject(() => read(item), (reason) => wrongShape(`[${at}]: ${reason}`))
  );
}

function parseBody(body: string): unknown {
  return orReject(() => parseJson(body), invalidJson);
}

/** A rejection of a body that is not JSON. */
export function invalidJson(reason: string): Rejection {
  return new Rejection(text(`Failed to parse the request body as JSON: ${reason}`, 400));
}

/** A rejection for the shape of a body. */
export function wrongShape(reason: string): Rejection {
  return new Rejection(
    text(`Failed to deserialize the JSON body into the target type: ${reason}`, 422),
  );
}
