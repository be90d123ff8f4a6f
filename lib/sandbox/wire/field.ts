import type { JsonNode } from "./json_node.ts";

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
