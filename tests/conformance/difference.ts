import type { Amendment } from "./amended.ts";
import { refusedWith } from "./declared_answer.ts";
import type { Schema } from "./schema.ts";

/** One thing that the published document says otherwise than the service does. */
export interface Difference extends Amendment {
  /** What the document says. */
  readonly document: string;
  /** What the service does. */
  readonly service: string;
  /**
   * The recorded exchange that proves it: name of the recording, line. What is said of several
   * operations is proven by one of them; the same code answers for all.
   */
  readonly proof: string;
  /** Which half of the exchange it is about. @default {"answer"} */
  readonly half?: "request";
}

/** Places of the bodies that operations answer with a status. */
export function answers(
  routes: readonly string[],
  { status, type = "application/json" }: { status: number; type?: string },
): string[] {
  return routes.map((route) => {
    const [method, path] = route.split(" ");
    return `paths.${path}.${method!.toLowerCase()}.responses.${status}.content.${type}.schema`;
  });
}

/** Any of what is said to be exactly one. */
export function eitherOf({ oneOf, ...rest }: Schema): Schema {
  return { ...rest, anyOf: oneOf ?? [] };
}

/** What is said, or null. */
export function orNull(said: Schema): Schema {
  return { ...said, nullable: true };
}

/** Plain text where the document has none. */
export function text(
  routes: readonly string[],
  { status, proof }: { status: number; proof: string },
): Difference {
  return {
    at: answers(routes, { status, type: "text/plain" }),
    document: "nothing of a text",
    service: "plain text, from what reads requests before they are looked at",
    becomes: () => ({ type: "string" }),
    proof,
  };
}

/** An object that names a type of error, where the document has no body. */
export function refusal(
  routes: readonly string[],
  { status, types, proof }: { status: number; types: readonly string[]; proof: string },
): Difference {
  return {
    at: answers(routes, { status }),
    document: "nothing of a body",
    service: `an object of type ${types.join(" or ")}`,
    becomes: () => refusedWith(...types),
    proof,
  };
}
