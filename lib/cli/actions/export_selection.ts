import type { ExportOptions } from "../../datasets/mod.ts";
import { textFile } from "../deployment/read_secret.ts";
import { counted } from "../terminal/in_words.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { aboutOf } from "../words/about_options.ts";
import { TABLE_NAMES } from "../words/table_names.ts";
import { usageError } from "../words/usage_error.ts";

const UID = /(?<![0-9a-z])0x[0-9a-f]{112}(?![0-9a-f])/gi;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

const WALKS = ["ids", "settlements"] as const;

/** Options of which exactly one says what to export; two of them are one. */
const SELECTING = ["--from", "--auctions", "--blocks", "--last", "--owner", "--uids"] as const;

/**
 * What an export is asked for.
 *
 * @throws {InputError} If nothing or several things are selected, or an option is invalid.
 */
export async function exportSelection(session: Session, given: Given): Promise<ExportOptions> {
  const selected = SELECTING.filter((option) => given.has(option));
  if (given.has("--to") && !given.has("--from")) {
    throw usageError(`${given.cannot} with --to and without --from`, "Pass --from too");
  }
  if (selected.length !== 1) {
    throw usageError(
      selected.length === 0
        ? `${given.cannot} without a selection`
        : `${given.cannot} with ${selected.join(" and ")}`,
      `Pass exactly one of --from and --to, ${SELECTING.slice(1).join(", ")}`,
    );
  }
  checkEnd(given);
  checkWalk(given);
  checkTables(given);
  return {
    ...await selectedBy(session, given),
    tables: given.choices("--tables", "table", TABLE_NAMES),
    trades: !given.isOff("--no-trades"),
    debugReports: !given.isOff("--no-debug-reports"),
    blockTimes: given.isOff("--no-block-times") ? false : undefined,
    settlements: given.isOff("--no-settlements") ? false : undefined,
    rate: given.whole("--rate", 1),
    maxRequests: given.whole("--max-requests", 1),
    follow: given.has("--follow"),
    ...aboutOf(given),
    walk: walkOf(given),
  };
}

/** What follows has no end, and everything else has one. */
function checkEnd(given: Given): void {
  const auctions = given.openRange("--auctions");
  const isOpen = given.has("--from")
    ? !given.has("--to")
    : auctions !== undefined && auctions.to === undefined;
  if (given.has("--follow") && !isOpen && !given.has("--last")) {
    throw usageError(
      `${given.cannot} with --follow and a selection that has an end`,
      "Pass --last, --from without --to, or --auctions as A..",
    );
  }
  if (!given.has("--follow") && isOpen) {
    throw usageError(
      given.has("--from")
        ? `${given.cannot} with --from and without --to`
        : `${given.cannot} with --auctions and no end`,
      "Pass the end, or --follow to go on with new auctions",
    );
  }
}

/** Settlements are found in blocks, by a node. */
function checkWalk(given: Given): void {
  if (walkOf(given) !== "settlements") return;
  if (!given.has("--blocks") && !given.has("--from")) {
    throw usageError(
      `${given.cannot} with --discover-by settlements and neither blocks nor dates`,
      "Pass --blocks, or --from and --to",
    );
  }
  if (given.has("--follow")) {
    throw usageError(
      `${given.cannot} with --discover-by settlements and --follow`,
      "Pass --to, or leave out --discover-by",
    );
  }
}

function walkOf(given: Given): (typeof WALKS)[number] | undefined {
  const word = given.choice("--discover-by", "way", WALKS);
  return WALKS.find((walk) => walk === word);
}

/** A table of fills is empty where fills are left out. */
function checkTables(given: Given): void {
  const tables = given.choices("--tables", "table", TABLE_NAMES) ?? [];
  const ofFills = tables.find((name) => name === "trades" || name === "protocol_fees");
  if (ofFills === undefined || !given.isOff("--no-trades")) return;
  throw usageError(
    `${given.cannot} with --tables ${ofFills} and --no-trades, which leaves it empty`,
    "Leave out one of them",
  );
}

async function selectedBy(session: Session, given: Given): Promise<ExportOptions> {
  const from = given.date("--from");
  if (from !== undefined) return { dates: { from, to: given.date("--to") } };
  const file = given.text("--uids");
  if (file !== undefined) return { uids: await uidsOf(session, given, file) };
  const owner = given.text("--owner");
  if (owner !== undefined) return { owner: addressOf(given, owner) };
  return {
    auctions: given.openRange("--auctions"),
    blocks: given.range("--blocks"),
    last: given.whole("--last", 1),
  };
}

function addressOf(given: Given, owner: string): string {
  if (ADDRESS.test(owner)) return owner;
  throw usageError(
    `${given.cannot} with --owner ${owner}: it is no address`,
    "Pass 0x and 40 hex digits",
  );
}

async function uidsOf(session: Session, given: Given, file: string): Promise<string[]> {
  const text = file === "-"
    ? await session.io.readInput()
    : await textFile(file, `${given.cannot} with --uids`);
  const uids = new Set(Array.from(text.matchAll(UID), ([uid]) => uid.toLowerCase()));
  if (uids.size === 0) {
    throw usageError(
      `${given.cannot} with --uids ${file}: there is no UID in it`,
      "Pass a text with UIDs: 0x and 112 hex digits each",
    );
  }
  session.say(`${counted(uids.size, "different UID")} in ${file === "-" ? "stdin" : file}`);
  return [...uids];
}
