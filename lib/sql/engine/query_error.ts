import { InputError } from "../../errors/mod.ts";

/** How `orderlens sql` lists what a query may name. */
export const LISTED = "`orderlens sql DIR --list` lists tables, views and columns";

/** How the engine refuses an amount where it expects another type. */
const ON_AMOUNT = /No function matches .*\bBIGNUM\b/;
/** What stands before the error of a text that cannot be parsed. */
const UNPARSED = /^Failed to extract statements: /;
/** What the engine proposes for a name that it does not know. */
const PROPOSAL = /^\s*(Did you mean .+|Candidate bindings: .+)$/m;

/** How the engine refuses a file that is no part of the datasets. */
const ON_FILE = /^Permission Error: Cannot access (?:file|directory) "(.*?)"/;
/** How the engine says that it has no memory left, and how much it may have. */
const OUT_OF_MEMORY = /^Out of Memory Error: (.*)$/m;
const MEMORY_LIMIT = /\/(\d+(?:\.\d+)? \w+) used\)/;
/** Statements that the engine refuses before it says which they are. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(COPY|EXPORT|IMPORT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE|PRAGMA)\b/i;

/** Why a query cannot name a table or view of datasets, by its name. */
export type MissingNames = ReadonlyMap<string, string>;

/**
 * The error for a query that failed: what the engine says, and where in the query.
 *
 * @param linesBefore Lines that stood before the query's first.
 */
export function queryError(cause: unknown, missing: MissingNames, linesBefore = 0): InputError {
  const whole = cause instanceof Error ? cause.message : String(cause);
  // What cannot be parsed was read alone, without the lines before it.
  const message = whole.replace(UNPARSED, "");
  const skipped = UNPARSED.test(whole) ? 0 : linesBefore;
  const [, file] = ON_FILE.exec(message) ?? [];
  if (file !== undefined) return foreignFile(file, cause);
  const [, shortage] = OUT_OF_MEMORY.exec(message) ?? [];
  if (shortage !== undefined) return outOfMemory(shortage, cause);
  const [said = message, ...rest] = message.split(/\n\s*(?=LINE \d+: )/);
  const place = rest.join("\n").replace(
    /^LINE (\d+): (.*)\n( *)\^/m,
    (_, line: string, text: string, indent: string) => {
      const [was, is] = [`LINE ${line}: `, `LINE ${Number(line) - skipped}: `];
      return `${is}${text}\n${indent.slice(was.length - is.length)}^`;
    },
  ).split("\n");
  const [name = ""] = /(?<=Table with name )\w+/.exec(said) ?? [];
  const [, proposal] = PROPOSAL.exec(message) ?? [];
  const lacks = missing.get(name.toLowerCase());
  return new InputError(`Cannot run the query: ${said.trim().split("\n")[0]}`, {
    facts: {
      ...proposal !== undefined && { hint: proposal },
      ...rest.length > 0 && { at: `\n${place.join("\n")}` },
    },
    remedy: lacks !== undefined
      ? lacks
      : ON_AMOUNT.test(said)
      ? "Amounts are whole numbers of any size (BIGNUM): +, -, comparisons, sum, min, max and median " +
        "take them; for the rest there is CAST(… AS DOUBLE), or the column beside, such as score_native"
      : `Correct the query${rest.length > 0 ? " at the place that is marked" : ""}; ${LISTED}`,
    cause,
  });
}

/** The error for a query that does not fit into memory, even with what it may keep on the disk. */
function outOfMemory(said: string, cause: unknown): InputError {
  const [, limit] = MEMORY_LIMIT.exec(said) ?? [];
  const reason = limit === undefined ? "there is" : `its limit, ${limit}`;
  return new InputError(`Cannot run the query: it needs more memory than ${reason}`, {
    facts: { found: said },
    remedy: "Pass a higher `memoryLimit` (`--memory` on the command line), select fewer columns, " +
      "or run the query on Spark (`openSpark`, `--engine spark`)",
    cause,
  });
}

/** The error for a query that names a file of its own. */
function foreignFile(file: string, cause: unknown): InputError {
  return new InputError(`Cannot run the query: ${file} does not belong to the dataset`, {
    remedy: "Query the tables and views of the dataset: a query reads nothing else, and writes " +
      `nothing but the output that was asked for; ${LISTED}`,
    cause,
  });
}

/** The kind of a statement that is no query, by its first word; `null` if it may be one. */
export function statementOf(query: string): string | null {
  return STATEMENT.exec(query)?.[1]?.toUpperCase() ?? null;
}

/** The error for anything but one query. */
export function notAQuery(found: string): InputError {
  return new InputError(`Cannot run the query: ${found}`, {
    remedy:
      "Pass one SELECT, WITH … SELECT, DESCRIBE, SUMMARIZE or EXPLAIN; the dataset is only read",
  });
}
