import { InputError } from "../errors/mod.ts";
import type { HttpRequest, HttpResponse, Transport } from "../http/mod.ts";
import { type AuctionRange, type Deployment, readFacts } from "./deployment.ts";
import { Answers } from "./answers.ts";
import { deriveDeployment } from "./derive_deployment.ts";
import type { Exchange } from "./exchange.ts";
import { findRecording } from "./find_recording.ts";
import { readRecording } from "./read_recording.ts";
import type { Recorded } from "./recorded.ts";
import { Tape } from "./tape.ts";

/** A recording that answers requests as the deployment it was made of did. */
export interface Replay extends Transport, AsyncDisposable {
  /** Name of the recording, as `market_1`. */
  readonly name: string;
  /** `replay://` and the name. */
  readonly baseUrl: string;
  /** The recorded deployment; `null` when neither a file beside the recording nor its orders tell. */
  readonly deployment: Deployment | null;
  /** What was recorded, to walk over it. */
  readonly recorded: Recorded;
  /**
   * Answers one request with what was recorded.
   *
   * @throws {NotRecordedError} If the recording does not tell the answer.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/**
 * Opens a recording and answers requests from it: a whole deployment without a network.
 *
 * Bodies come back character for character. A GET is found whatever the order of its query, the case
 * of its hex digits and whichever of two spellings of its path is used (the service's or the
 * interface document's), and gives what it gave last. Other requests are found by equal JSON, and
 * repeated ones answer in the order recorded, the last answer from then on. Beyond the recorded
 * requests these are put together from what they answered:
 *
 * - any page of an account's orders or of an owner's or an order's trades, cut from recorded pages;
 * - by_uids for any UIDs whose orders were recorded; a UID that occurs in no answer is left out, as
 *   the service leaves out an order it does not have;
 * - one order out of a recorded by_uids answer, and the service's 404 for one that such an answer lacks;
 * - the latest competition, and the service's 404 for an auction id that the recording proves absent:
 *   above its latest one, or in a gap of a walk that its file of facts declares complete.
 *
 * A recording is a name that ships with the library, a file (`.ndjson` or `.ndjson.gz`), or a folder
 * of such files that is one deployment, read in the order of their names. Facts of the deployment are
 * read from `<name>.deployment.json` beside the file, or the one such file in the folder; without it
 * they are read from the recorded orders. Needs permission to read, and holds no file open.
 *
 * @param nameOrPath A name that ships (`market_1`), or a path; where both fit, the name (`./market_1`
 * is the path).
 * @throws {InputError} If nothing is there, a line is not an exchange, nothing was recorded, or the
 * orders name several settlement contracts.
 * @example Half an hour of auctions, offline
 * ```ts
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const latest = await tape.send({ method: "GET", path: "/api/v2/solver_competition/latest" });
 *
 * assertEquals(tape.recorded.auctionIds.length, 569);
 * assertEquals(JSON.parse(latest.body).auctionId, tape.recorded.auctionIds.at(-1));
 * ```
 */
export async function replay(nameOrPath: string | URL): Promise<Replay> {
  const { name, files, facts } = await findRecording(nameOrPath);
  const exchanges: Exchange[] = [];
  for (const file of files) for (const each of await readRecording(file)) exchanges.push(each);
  if (exchanges.length === 0) {
    throw new InputError(`Cannot replay ${nameOrPath}: nothing is recorded in it`, {
      facts: { files: files.join(", ") },
      remedy: "Record something first, with `record(transport, folder)`",
    });
  }
  const tape = new Tape(exchanges);
  return new RecordedDeployment(
    name,
    tape,
    facts === undefined ? { deployment: deriveDeployment(name, tape) } : await readFacts(facts),
  );
}

interface Facts {
  readonly deployment: Deployment | null;
  readonly walked?: AuctionRange;
}

class RecordedDeployment implements Replay {
  readonly name: string;
  readonly baseUrl: string;
  readonly deployment: Deployment | null;
  readonly #answers: Answers;

  constructor(name: string, tape: Tape, facts: Facts) {
    this.name = name;
    this.baseUrl = `replay://${name}`;
    this.deployment = facts.deployment;
    this.#answers = new Answers(tape, { recording: this.baseUrl, walked: facts.walked });
  }

  get recorded(): Recorded {
    return this.#answers.recorded;
  }

  // deno-lint-ignore require-await -- a rejection, never an exception before the promise
  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const { status, contentType, responseBody } = this.#answers.to(request);
    const headers = new Headers(contentType === null ? {} : { "content-type": contentType });
    return { status, contentType, headers, body: responseBody };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
