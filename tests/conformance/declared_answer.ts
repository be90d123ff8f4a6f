import type { DeclaredAnswer, Schema } from "./schema.ts";

/** An object that says why a request is rejected. */
export function rejectedWith(...errorTypes: string[]): Schema {
  return {
    type: "object",
    properties: {
      errorType: { type: "string", enum: errorTypes },
      description: { type: "string" },
    },
    required: ["errorType", "description"],
  };
}

/** A response with a JSON body. */
export function bodyOf(schema: Schema): DeclaredAnswer {
  return { content: { "application/json": { schema } } };
}
