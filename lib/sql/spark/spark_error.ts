import { InputError } from "../../errors/mod.ts";
import { LISTED, type MissingNames } from "../engine/query_error.ts";
import type { Message } from "../../datasets/python/message_process.ts";

/** The error for a query that failed on Spark. */
export function sparkError(
  { message, text, place, amount }: Message,
  query: string,
  missing: MissingNames,
): InputError {
  const said = String(message).replace(/ SQLSTATE: .*$/, "");
  const [name = ""] = /(?<=table or view `)\w+(?=`)/.exec(said) ?? [];
  const lacks = missing.get(name.toLowerCase());
  const [line] = Array.isArray(place) ? place : [];
  const lines = query.split("\n");
  return new InputError(`Cannot run the query: ${said}`, {
    facts: {
      engine: "spark",
      ...typeof line === "number" && lines.length > 1 && { line: lines[line - 1]?.trim() ?? line },
    },
    remedy: typeof amount === "string"
      ? `Amounts are text on Spark: order by u_key(${amount}), compare with u_compare, add with u_sum, ` +
        "or use the double beside it, such as score_native; CAST(… AS DOUBLE) is taken as it stands"
      : lacks === undefined
      ? `Correct the query; ${LISTED}`
      : lacks,
    cause: new Error(String(text ?? message)),
  });
}

/** The error for a Spark that ended, or did not begin. */
export function sparkEnded(lastLines: readonly string[]): InputError {
  const reason = lastLines.findLast((line) => /exception|error/i.test(line)) ??
    lastLines.at(-1) ?? "it said nothing";
  return new InputError("Cannot go on: Spark has ended", {
    facts: { reason: withoutSecrets(reason).slice(0, 400) },
    remedy: "Check that the master can be reached, and that driver and executors have memory " +
      "enough: spark.driver.memory, spark.executor.memory",
  });
}

/** Passwords in addresses. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/\/\/[^/@\s]*@/g, "//");
}
