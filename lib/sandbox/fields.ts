import { inWords, Mismatch, readWord } from "./loose_values.ts";
import { Rejection, text } from "./reply.ts";

/** How a field is read. */
export type FieldReader<T> = (value: unknown) => T;

/** The fields of a body, read as the service reads them. */
export class Fields {
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #length: number;

  /**
   * Takes a parsed body.
   *
   * @throws {Rejection} 422 as text, where it is no object.
   */
  constructor(value: unknown, { struct, length }: { struct: string; length: number }) {
    this.#length = length;
    if (typeof value !== "object" || value === null || Array.isArray(value) || !isPlain(value)) {
      throw this.wrong(`invalid type: ${inWords(value)}, expected struct ${struct}`);
    }
    this.#body = value as Readonly<Record<string, unknown>>;
  }

  /** Whether there is such a field, whatever it holds. */
  has(name: string): boolean {
    return Object.hasOwn(this.#body, name);
  }

  /** What a field holds; `undefined` where there is none. */
  raw(name: string): unknown {
    return this.has(name) ? this.#body[name] : undefined;
  }

  /** A field that must be there. */
  required<T>(name: string, read: FieldReader<T>): T {
    if (!this.has(name)) throw this.wrong(`missing field \`${name}\``);
    return this.#read(name, read);
  }

  /** A field that may be missing or `null`. */
  optional<T>(name: string, read: FieldReader<T>): T | undefined {
    const value = this.raw(name);
    return value === undefined || value === null ? undefined : this.#read(name, read);
  }

  /** A word of a few; a value that cannot be one is a fault of the JSON, as the service has it. */
  word<Word extends string>(name: string, words: readonly Word[], fallback?: Word): Word {
    const value = this.raw(name);
    if (value === undefined && fallback !== undefined) return fallback;
    if (value !== undefined && typeof value !== "string") {
      throw new Rejection(text(
        `Failed to parse the request body as JSON: ${name}: expected value ${this.#place()}`,
        400,
      ));
    }
    return this.required(name, (one) => readWord(one, words));
  }

  /** A refusal of the body's shape. */
  wrong(message: string): Rejection {
    return new Rejection(text(
      `Failed to deserialize the JSON body into the target type: ${message} ${this.#place()}`,
      422,
    ));
  }

  #place(): string {
    return `at line 1 column ${this.#length}`;
  }

  #read<T>(name: string, read: FieldReader<T>): T {
    try {
      return read(this.raw(name));
    } catch (error) {
      if (error instanceof Mismatch) throw this.wrong(`${name}: ${error.message}`);
      throw error;
    }
  }
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
