// deno-lint-ignore-file no-console -- a task prints its result
/**
 * Decodes and re-encodes every recorded body of a folder; `deno task check-recorded <folder>`.
 *
 * @module
 */
import { type DecodeError, type Order, OrderlensError } from "orderlens";
import { decodeKind, drift, encodeKind, type WireKind } from "orderlens/schemas";
import { checkIdentity, type IdentityVerdict } from "./conformance/check_identity.ts";
import { findDifference } from "./conformance/first_difference.ts";
import {
  findCreationDate,
  type FolderArguments,
  runOnFolder,
  SENT_AT_USAGE,
} from "./conformance/folder_arguments.ts";
import { readRecordedBodies } from "./conformance/recorded_bodies.ts";

const USAGE = `Usage: deno task check-recorded <folder> [--sent-at DATE]

Decodes and re-encodes every body of a folder and its subfolders: the complete ones that a
bodies.json lists, and every exchange of an .ndjson or .ndjson.gz file. Recomputes the UIDs of all
orders and recovers their ECDSA signers. Counts in what the bodies differ from what this library knows,
and names the fields that they lack and the members that cannot be read. Exits with 1 when anything
fails.

${SENT_AT_USAGE}`;

interface Tally {
  bodies: number;
  decoded: number;
  roundTripped: number;
  drift: number;
}

/** Results of checking a folder. */
interface Outcome {
  readonly tallies: Map<WireKind, Tally>;
  readonly identities: Map<IdentityVerdict, number>;
  readonly skipped: Map<string, number>;
  /** Number of each missing field and unreadable member of bodies. */
  readonly lacks: Map<string, number>;
  readonly failures: string[];
  bodies: number;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function ensureTally(outcome: Outcome, kind: WireKind): Tally {
  let tally = outcome.tallies.get(kind);
  if (tally === undefined) {
    outcome.tallies.set(kind, tally = { bodies: 0, decoded: 0, roundTripped: 0, drift: 0 });
  }
  return tally;
}

function formatFailure(where: string, error: unknown): string {
  if (error instanceof OrderlensError && error.code === "decode") {
    const { failure } = error as DecodeError;
    const path = failure.path || "the body";
    return `${where}: ${path} must be ${failure.expected}; found ${failure.found}`;
  }
  return `${where}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Counts the differences of a wire object from the known schema. */
function countDrift(
  { outcome, sentAt }: { outcome: Outcome; sentAt: Temporal.Instant | undefined },
  kind: WireKind,
  body: unknown,
): void {
  const time = sentAt ?? findCreationDate(body);
  const { unknownFields, unknownValues, unreadableMembers, missingFields } = drift(
    [{ kind, body }],
    time === undefined ? {} : { sentAt: time },
  );
  const lists = [unknownFields, unknownValues, unreadableMembers, missingFields];
  ensureTally(outcome, kind).drift += lists.reduce((sum, list) => sum + list.length, 0);
  for (const { path } of unreadableMembers) count(outcome.lacks, `unreadable ${kind} ${path}`);
  for (const { path, since } of missingFields) {
    count(outcome.lacks, `missing ${kind} ${path}, sent since ${since}`);
  }
}

/** Decodes, encodes and compares one wire object; returns its record if it is unchanged. */
function checkOne(outcome: Outcome, kind: WireKind, body: unknown, where: string): unknown {
  const tally = ensureTally(outcome, kind);
  tally.bodies++;
  try {
    const record = decodeKind(kind, body, { source: where });
    tally.decoded++;
    const difference = findDifference(body, encodeKind(kind, record));
    if (difference !== undefined) throw new Error(`${difference} does not round-trip`);
    tally.roundTripped++;
    return record;
  } catch (error) {
    outcome.failures.push(formatFailure(where, error));
    return undefined;
  }
}

/** Finds the order in a record; `undefined` if there is none. */
function findOrder(kind: WireKind, record: unknown): Order | undefined {
  if (record === undefined) return undefined;
  if (kind === "order") return record as Order;
  if (kind === "debug_report" || kind === "order_by_uid") {
    return (record as { order?: Order }).order;
  }
  return undefined;
}

async function checkFolder({ folder, sentAt }: FolderArguments): Promise<Outcome> {
  const outcome: Outcome = {
    tallies: new Map(),
    identities: new Map(),
    skipped: new Map(),
    lacks: new Map(),
    failures: [],
    bodies: 0,
  };
  const orders = new Map<string, { readonly order: Order; readonly location: string }>();
  for await (const item of readRecordedBodies(folder)) {
    if ("route" in item) {
      count(outcome.skipped, item.route.replaceAll(/0x[0-9a-fA-F]+/g, "{hex}"));
      continue;
    }
    outcome.bodies++;
    if ("reason" in item) {
      outcome.failures.push(`${item.where}: ${item.reason}`);
      continue;
    }
    const { holds, body, where } = item;
    if (holds.isList && !Array.isArray(body)) {
      outcome.failures.push(`${where}: the body must be a list`);
      continue;
    }
    const elements = holds.isList ? body as unknown[] : [body];
    for (const [index, element] of elements.entries()) {
      const location = holds.isList ? `${where}[${index}]` : where;
      countDrift({ outcome, sentAt }, holds.kind, element);
      const record = checkOne(outcome, holds.kind, element, location);
      const order = findOrder(holds.kind, record);
      if (order !== undefined && !orders.has(order.uid)) orders.set(order.uid, { order, location });
    }
  }
  const contracts = new Set<string>();
  for (const { order: { settlementContract } } of orders.values()) {
    if (settlementContract !== undefined) contracts.add(settlementContract.toLowerCase());
  }
  for (const { order, location } of orders.values()) {
    const verdict = await checkIdentity(order, contracts);
    count(outcome.identities, verdict);
    if (verdict === "wrong signer") {
      outcome.failures.push(`${location}: signature of another account`);
    }
  }
  return outcome;
}

function printTable(outcome: Outcome): void {
  const headings = ["kind", "bodies", "decoded", "round-tripped", "drift"];
  const rows = [...outcome.tallies].sort(([a], [b]) => a < b ? -1 : 1).map((
    [kind, { bodies, decoded, roundTripped, drift }],
  ) => [kind, bodies, decoded, roundTripped, drift].map(String));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]!.length))
  );
  for (const row of [headings, ...rows]) {
    console.log(
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
      ).join("  "),
    );
  }
}

function printOutcome(outcome: Outcome): void {
  printTable(outcome);
  const identities = outcome.identities;
  const orders = [...identities.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\nUIDs: ${orders} different orders; ${identities.get("recovered") ?? 0} recomputed with ` +
      `their signer recovered, ${identities.get("digest only") ?? 0} recomputed (no ECDSA ` +
      `signature), ${identities.get("not derivable") ?? 0} not derivable from the fields shown`,
  );
  for (const [route, times] of outcome.skipped) {
    console.log(`skipped ${times} × ${route}: outside the interface`);
  }
  for (const [lack, times] of outcome.lacks) console.log(`${lack}: ${times} ×`);
  for (const failure of outcome.failures.slice(0, 100)) console.log(`FAILED ${failure}`);
  if (outcome.failures.length > 100) console.log(`… and ${outcome.failures.length - 100} more`);
  console.log(`${outcome.bodies} bodies, ${outcome.failures.length} failed`);
}

if (import.meta.main) {
  await runOnFolder(USAGE, async (args) => {
    const outcome = await checkFolder(args);
    if (outcome.bodies === 0) {
      console.error(
        `No recorded bodies below ${args.folder}: it has no bodies.json and no .ndjson file`,
      );
      Deno.exit(2);
    }
    printOutcome(outcome);
    Deno.exit(outcome.failures.length === 0 ? 0 : 1);
  });
}
