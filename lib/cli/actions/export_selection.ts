import type { ExportOptions } from "../../datasets/mod.ts";
import { textFile } from "../deployment/read_secret.ts";
import { counted } from "../terminal/in_words.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { TABLE_NAMES } from "../words/table_names.ts";
import { usageError } from "../words/usage_error.ts";

const UID = /(?<![0-9a-z])0x[0-9a-f]{112}(?![0-9a-f])/gi;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Options of which exactly one says what to export; two of them are one. */
const SELECTING = ["--from", "--auctions", "--blocks", "--last", "--owner", "--uids"] as const;

/**
 * What an export is asked for.
 *
 * @throws {InputError} If nothing or several things are selected, or an option is invalid.
 */
export async function exportSelection(session: Session, given: Given): Promise<ExportOptions> {
  const selected = SELECTING.filter((option) => given.has(option));
  if (given.has("--from") !== given.has("--to")) {
    const [has, lacks] = given.has("--from") ? ["--from", "--to"] : ["--to", "--from"];
    throw usageError(`${given.cannot} with ${has} and without ${lacks}`, `Pass ${lacks} too`);
  }
  if (selected.length !== 1) {
    throw usageError(
      selected.length === 0
        ? `${given.cannot} without a selection`
        : `${given.cannot} with ${selected.join(" and ")}`,
      `Pass exactly one of --from and --to, ${SELECTING.slice(1).join(", ")}`,
    );
  }
  return {
    ...await selectedBy(session, given),
    tables: given.choices("--tables", "table", TABLE_NAMES),
    trades: !given.isOff("--no-trades"),
    debugReports: !given.isOff("--no-debug-reports"),
    rate: given.whole("--rate", 1),
    ...laterOptions(given),
  };
}

/** Options that are passed on only where they are given. */
function laterOptions(given: Given): Record<string, unknown> {
  const blocks = given.range("--blocks");
  const maxRequests = given.whole("--max-requests", 1);
  const dates = { from: given.date("--from"), to: given.date("--to") };
  return {
    ...blocks === undefined ? {} : { blocks },
    ...dates.from === undefined ? {} : { dates },
    ...given.has("--follow") ? { follow: true } : {},
    ...maxRequests === undefined ? {} : { maxRequests },
  };
}

async function selectedBy(session: Session, given: Given): Promise<ExportOptions> {
  const auctions = given.range("--auctions");
  if (auctions !== undefined) return { auctions };
  const last = given.whole("--last", 1);
  if (last !== undefined) return { last };
  const owner = given.text("--owner");
  if (owner !== undefined) return { owner: addressOf(given, owner) };
  const file = given.text("--uids");
  if (file !== undefined) return { uids: await uidsOf(session, given, file) };
  return {};
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
