// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Lists unknown fields and values in a folder of recordings; `deno task drift <folder>`.
 *
 * @module
 */
import { drift, type KindedBody } from "orderlens/schemas";
import { recordedBodies } from "./conformance/recorded_bodies.ts";

const USAGE = `Usage: deno task drift <folder>

Prints the fields and values in the recorded bodies of a folder and its subfolders that this library
does not know: how often each was seen, where first, and a sample.`;

async function kindedBodies(folder: string): Promise<KindedBody[]> {
  const bodies: KindedBody[] = [];
  for await (const found of recordedBodies(folder)) {
    if (!("holds" in found)) continue;
    const { holds, body, where } = found;
    const elements = holds.isList && Array.isArray(body) ? body : [body];
    for (const element of elements) bodies.push({ kind: holds.kind, body: element, source: where });
  }
  return bodies;
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder === undefined || folder === "--help" || folder === "-h") {
    console.log(USAGE);
    Deno.exit(folder === undefined ? 2 : 0);
  }
  let bodies: KindedBody[];
  try {
    bodies = await kindedBodies(folder);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`Cannot read ${folder}: the folder does not exist`);
    Deno.exit(2);
  }
  const report = drift(bodies);
  for (const { kind, path, count, sample, source } of report.unknownFields) {
    console.log(`field  ${kind} ${path}: ${count} ×, first ${sample} in ${source}`);
  }
  for (const { kind, path, value, count, source } of report.unknownValues) {
    console.log(
      `value  ${kind} ${path} = ${JSON.stringify(value)}: ${count} ×, first in ${source}`,
    );
  }
  console.log(
    `${report.bodies} wire objects, ${report.unknownFields.length} unknown fields, ` +
      `${report.unknownValues.length} unknown values`,
  );
}
