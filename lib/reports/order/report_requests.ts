import { classifyFailure, type FailureKind } from "../../errors/failure_kind.ts";
import { formatFault } from "../../errors/http_errors.ts";
import { NotRecordedError, OrderlensError } from "../../errors/mod.ts";
import type { AnswerPresence, ReportedUnknown } from "./order_report.ts";

/**
 * A response that a report can do without: the record, `absent` if the service has none, `refused` to
 * this caller or by this deployment, `unreadable`, or `failed` if it did not come.
 */
export type MaybeRecord<Record> = Record | Exclude<AnswerPresence, "present">;

/** The record of a response; `null` if there is none. */
export function recordOrNull<Value extends object>(response: MaybeRecord<Value>): Value | null {
  return typeof response === "string" ? null : response;
}

/** Outcome of a request, in the words of a report. */
export function toPresence(response: MaybeRecord<object>): AnswerPresence {
  return typeof response === "string" ? response : "present";
}

/** Each kind of failure in the words of a report. */
const PRESENCE: Readonly<Record<FailureKind, Exclude<AnswerPresence, "present">>> = {
  absent: "absent",
  not_offered: "refused",
  refused: "refused",
  unreadable: "unreadable",
  no_order_book: "failed",
  unreachable: "failed",
  rejected: "failed",
};

/**
 * Requests what a report can do without, and takes for a result that it is absent, refused or unreadable.
 *
 * @param request Sends the request.
 * @param onFailure Called with the error if it is refused, unreadable or did not come; without it, an error
 *   of the last kind is thrown.
 */
export async function fetchOptional<Value extends object>(
  request: () => Promise<Value>,
  onFailure?: (error: OrderlensError) => void,
): Promise<MaybeRecord<Value>> {
  try {
    return await request();
  } catch (error) {
    const kind = classifyFailure(error);
    if (kind === null || !(error instanceof OrderlensError)) throw error;
    const presence = PRESENCE[kind];
    if (presence === "failed" && onFailure === undefined) throw error;
    if (kind !== "absent" && kind !== "not_offered") onFailure?.(error);
    return presence;
  }
}

/**
 * Requests what only the service itself can say that it does not have: a recording without the response
 * does not show it.
 */
export async function fetchStated<Value extends object>(
  request: () => Promise<Value>,
  onFailure: (error: OrderlensError) => void,
): Promise<MaybeRecord<Value>> {
  let isRecorded = true;
  const requestRecorded = () =>
    request().catch((error) => {
      isRecorded = !(error instanceof NotRecordedError);
      throw error;
    });
  const response = await fetchOptional(requestRecorded, onFailure);
  return isRecorded ? response : "refused";
}

/**
 * Requests what a report is about: only the service itself can say that there is no such thing. A
 * recording or a dataset has all that it knows.
 *
 * @returns The record; `null` if the service, the recording or the dataset does not have it.
 * @throws {OrderlensError} If the request is refused or fails, so that nothing is known.
 */
export async function fetchSubject<Value extends object>(
  request: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await request();
  } catch (error) {
    const isUnknown = classifyFailure(error) === "absent" || error instanceof NotRecordedError;
    if (isUnknown) return null;
    throw error;
  }
}

/** Collects the missing responses of a report, each kind once. */
export class MissingResponses {
  readonly #unknown = new Map<string, ReportedUnknown & { count: number }>();

  /**
   * The function that notes a failure.
   *
   * @param topic One word in snake_case.
   * @param name The response at the beginning of a sentence: `The debug report`.
   */
  note(topic: string, name: string): (error: OrderlensError) => void {
    return (error) => {
      const count = (this.#unknown.get(topic)?.count ?? 0) + 1;
      const times = count === 1 ? "" : ` ${count} times`;
      const isUnreadable = classifyFailure(error) === "unreadable";
      const fault = isUnreadable ? "could not be read" : "could not be fetched";
      const why = `${name} ${fault}${times}: ${formatFault(error)}`;
      this.#unknown.set(topic, { what: topic, why, remedy: error.remedy, count });
    };
  }

  /**
   * Notes a response that a recording lacks or the deployment does not offer, unless its failure is noted.
   *
   * @param name The response within a sentence: `the trades of the order`.
   */
  noteUnrecorded(topic: string, name: string): void {
    if (this.#unknown.has(topic)) return;
    const why = `No response has ${name}: not recorded, or not offered by the deployment`;
    const remedy = "Inspect it at its deployment, or use a recording that has them";
    this.#unknown.set(topic, { what: topic, why, remedy, count: 1 });
  }

  /** Takes over what did not come for a part of the report. */
  add(unknowns: readonly ReportedUnknown[]): void {
    for (const entry of unknowns) this.#unknown.set(entry.what, { ...entry, count: 1 });
  }

  /** Missing responses, in the order in which they were noticed. */
  get unknown(): ReportedUnknown[] {
    return [...this.#unknown.values()].map(({ count: _, ...unknown }) => unknown);
  }
}
