import { z } from "zod";

/** Result of a leaf's `read` and `write` for an invalid value. */
export const REFUSED: unique symbol = Symbol("refused");

/** How a single wire value is decoded, encoded and described. */
export interface Leaf<T> {
  /** Description of the value, as it follows "must be" in an error. */
  readonly expected: string;
  /** Decodes the value, or returns `REFUSED`; never throws. */
  readonly read: (value: unknown) => T | typeof REFUSED;
  /** Encodes the value, or returns `REFUSED`; absent if decoding changes nothing. */
  readonly write?: (value: T) => unknown;
  /**
   * Code of a condition on the variable of that name which says the same as `read`, for values that
   * stay as they are: generated decoders have it in place of a call.
   */
  readonly isValid?: (variable: string) => string;
  /** For open sets: whether the text is one of those the service is known to send. */
  readonly isKnown?: (value: T) => boolean;
}

const leaves = new WeakMap<z.core.$ZodType, Leaf<unknown>>();

/**
 * Declares a leaf once for both paths: as a zod codec, and for the compiled decoder, which calls
 * the same `read`.
 */
export function leaf<T>(definition: Leaf<T>): z.ZodType<T> {
  const { expected, read, write } = definition;
  const schema = z.codec(z.unknown(), z.custom<T>(), {
    decode(value, context): T {
      const decoded = read(value);
      if (decoded !== REFUSED) return decoded;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
    encode(value, context): unknown {
      const encoded = write === undefined ? read(value) : write(value);
      if (encoded !== REFUSED) return encoded;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    },
  });
  leaves.set(schema, definition as Leaf<unknown>);
  return schema;
}

/** The leaf that a schema was declared as, if it was. */
export function leafOf(schema: z.core.$ZodType): Leaf<unknown> | undefined {
  return leaves.get(schema);
}
