// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Lists in what the bodies of a folder of recordings differ from what the library knows;
 * `deno task drift <folder>`.
 *
 * @module
 */
import { drift, type DriftReport, type KindedBody } from "orderlens/schemas";
import {
  findCreationDate,
  type FolderArguments,
  runOnFolder,
  SENT_AT_USAGE,
} from "./conformance/folder_arguments.ts";
import { readRecordedBodies } from "./conformance/recorded_bodies.ts";

const USAGE = `Usage: deno task drift <folder> [--sent-at DATE]

Prints in what the recorded bodies of a folder and its subfolders differ from what this library knows:
unknown fields and values, members of app data that cannot be read, and fields that bodies lack though
responses have them since a day before. Of each, how often it was seen, and where first.

${SENT_AT_USAGE}`;

async function collectBodies({ folder, sentAt }: FolderArguments): Promise<KindedBody[]> {
  const bodies: KindedBody[] = [];
  for await (const item of readRecordedBodies(folder)) {
    if (!("holds" in item)) continue;
    const { holds, body, where } = item;
    const elements = holds.isList && Array.isArray(body) ? body : [body];
    for (const element of elements) {
      const time = sentAt ?? findCreationDate(element);
      const body = { kind: holds.kind, body: element, source: where };
      bodies.push(time === undefined ? body : { ...body, sentAt: time });
    }
  }
  return bodies;
}

function printReport(report: DriftReport): void {
  const { unknownFields, unknownValues, unreadableMembers, missingFields } = report;
  for (const { kind, path, count, sample, source } of unknownFields) {
    console.log(`field  ${kind} ${path}: ${count} ×, first ${sample} in ${source}`);
  }
  for (const { kind, path, value, count, source } of unknownValues) {
    console.log(
      `value  ${kind} ${path} = ${JSON.stringify(value)}: ${count} ×, first in ${source}`,
    );
  }
  for (const { kind, path, count, sample, source } of unreadableMembers) {
    console.log(`unreadable  ${kind} ${path}: ${count} ×, first ${sample} in ${source}`);
  }
  for (const { kind, path, since, count, source } of missingFields) {
    console.log(`missing  ${kind} ${path}, sent since ${since}: ${count} ×, first in ${source}`);
  }
  console.log(
    `${report.bodies} wire objects, ${unknownFields.length} unknown fields, ` +
      `${unknownValues.length} unknown values, ${unreadableMembers.length} unreadable members, ` +
      `${missingFields.length} missing fields`,
  );
}

if (import.meta.main) {
  await runOnFolder(USAGE, async (args) => printReport(drift(await collectBodies(args))));
}
