import type { Amendment } from "./amended.ts";
import { rejectedWith } from "./declared_answer.ts";
import type { Schema } from "./schema.ts";

/** A difference between the published document and the service. */
export interface Difference extends Amendment {
  /** What the document says. */
  readonly document: string;
  /** What the service does. */
  readonly service: string;
  /**
   * The recorded exchange that proves it: name of the recording, line. One operation proves a
   * difference of several, since the same code answers for all.
   */
  readonly proof: string;
  /** The half of the exchange that it concerns. @default {"answer"} */
  readonly half?: "request";
}

/** Locations of the bodies of answers with a status. */
export function answers(
  routes: readonly string[],
  { status, type = "application/json" }: { status: number; type?: string },
): string[] {
  return routes.map((route) => {
    const [method, path] = route.split(" ");
    return `paths.${path}.${method!.toLowerCase()}.responses.${status}.content.${type}.schema`;
  });
}

/** Allows any of the alternatives, not exactly one. */
export function eitherOf({ oneOf, ...rest }: Schema): Schema {
  return { ...rest, anyOf: oneOf ?? [] };
}

/** Allows `null` too. */
export function orNull(said: Schema): Schema {
  return { ...said, nullable: true };
}

/** Plain text that the document does not mention. */
export function text(
  routes: readonly string[],
  { status, proof }: { status: number; proof: string },
): Difference {
  return {
    at: answers(routes, { status, type: "text/plain" }),
    document: "no text",
    service: "plain text, from the layer that reads requests before the handlers",
    becomes: () => ({ type: "string" }),
    proof,
  };
}

/** An object with an error type, where the document has no body. */
export function rejection(
  routes: readonly string[],
  { status, types, proof }: { status: number; types: readonly string[]; proof: string },
): Difference {
  return {
    at: answers(routes, { status }),
    document: "no body",
    service: `an object of type ${types.join(" or ")}`,
    becomes: () => rejectedWith(...types),
    proof,
  };
}
