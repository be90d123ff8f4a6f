import { amended } from "./amended.ts";
import { DIFFERENCES } from "./differences.ts";
import type { Specification } from "./schema.ts";

/** The service's specification, as it is published. */
export const PUBLISHED: Specification = JSON.parse(
  await Deno.readTextFile(new URL("../testdata/openapi/order_book.json", import.meta.url)),
);

/** The specification with every difference made good: what the service does. */
export const AMENDED: Specification = amended(PUBLISHED, DIFFERENCES);
