import { resolved, type Schema, type Specification } from "./schema.ts";

/** What a document declares that operations answer. */
export interface DeclaredAnswers {
  /** `GET /api/v1/version 200 text/plain`; without a content type if it is described in prose only. */
  readonly kinds: readonly string[];
  /** `POST /api/v1/quote NoLiquidity`. */
  readonly errors: readonly string[];
}

/** Lists all that a document declares, each once. */
export function declaredAnswers(specification: Specification): DeclaredAnswers {
  const kinds = new Set<string>();
  const errors = new Set<string>();
  for (const [path, methods] of Object.entries(specification.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`;
      for (const [status, { content }] of Object.entries(responses)) {
        if (content === undefined) kinds.add(`${route} ${status}`);
        for (const [type, { schema = {} }] of Object.entries(content ?? {})) {
          kinds.add(`${route} ${status} ${type}`);
          for (const error of errorTypesOf(schema, specification)) errors.add(`${route} ${error}`);
        }
      }
    }
  }
  return { kinds: [...kinds], errors: [...errors] };
}

function errorTypesOf(reference: Schema, specification: Specification): unknown[] {
  const { anyOf = [], properties } = resolved(reference, specification);
  return [
    ...properties?.errorType?.enum ?? [],
    ...anyOf.flatMap((schema) => errorTypesOf(schema, specification)),
  ];
}
