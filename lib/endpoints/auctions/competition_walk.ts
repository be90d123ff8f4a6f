import { DecodeError, NotFoundError } from "../../errors/mod.ts";
import type { Transport } from "../../http/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { getCompetition } from "./get_competition.ts";

/** Result for one auction id. */
export type Sighting =
  & { readonly auctionId: number }
  & (
    | { readonly is: "visible"; readonly competition: Competition }
    | { readonly is: "broken"; readonly error: DecodeError }
    | { readonly is: "absent" | "hidden" | "undecided" }
  );

/**
 * Requests auction ids in ascending order, and distinguishes gaps from competitions that are not
 * visible yet.
 *
 * A 404 means either; the latest visible competition decides. It is requested when a 404 cannot be
 * classified without it: at the first gap, and once more at the end of the walk. A 404 below the
 * latest is a gap if the id was requested after the latest was known; otherwise the id is requested
 * again, since the competition may have become visible in between. If the service hides its latest
 * competition, a 404 stays undecided until a later competition is seen.
 */
export class CompetitionWalk {
  readonly #transport: Transport;
  #latest: Competition | undefined;
  /** Whether the service was asked for its latest competition and hides it. */
  #isLatestHidden = false;
  /** First id known to be above the latest visible one; ids from here on are not requested. */
  #hiddenFrom = Infinity;
  #asking: Promise<void> | undefined;

  /** Creates a walk over a transport. */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Requests an id for the first time. */
  async look(auctionId: number, signal: AbortSignal): Promise<Sighting> {
    if (auctionId >= this.#hiddenFrom) return { auctionId, is: "hidden" };
    const visibleBefore = this.#visibleTo;
    const sighting = await this.#ask(auctionId, signal);
    if (sighting !== undefined) return sighting;
    if (auctionId < visibleBefore) return { auctionId, is: "absent" };
    if (auctionId > this.#visibleTo && !this.#isLatestHidden) await this.#askForLatest(signal);
    if (this.#latest?.auctionId === auctionId) {
      return { auctionId, is: "visible", competition: this.#latest };
    }
    if (auctionId < this.#visibleTo) return await this.lookAgain(auctionId, signal);
    if (this.#isLatestHidden) return { auctionId, is: "undecided" };
    this.#hiddenFrom = this.#visibleTo + 1;
    return { auctionId, is: "hidden" };
  }

  /** Requests an id again once a later one is known to be visible: a 404 is a gap now. */
  async lookAgain(auctionId: number, signal: AbortSignal | undefined): Promise<Sighting> {
    return await this.#ask(auctionId, signal) ?? { auctionId, is: "absent" };
  }

  get #visibleTo(): number {
    return this.#latest?.auctionId ?? -1;
  }

  /** Result of the request for an id; `undefined` for a 404. */
  async #ask(auctionId: number, signal: AbortSignal | undefined): Promise<Sighting | undefined> {
    try {
      const competition = await getCompetition(this.#transport, auctionId, { signal });
      return { auctionId, is: "visible", competition };
    } catch (error) {
      if (error instanceof DecodeError) return { auctionId, is: "broken", error };
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Requests the latest competition; concurrent callers share one request. */
  async #askForLatest(signal: AbortSignal): Promise<void> {
    this.#asking ??= this.#updateLatest(signal).finally(() => this.#asking = undefined);
    await this.#asking;
  }

  async #updateLatest(signal: AbortSignal): Promise<void> {
    try {
      const latest = await getCompetition(this.#transport, "latest", { signal });
      if (latest.auctionId > this.#visibleTo) this.#latest = latest;
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof DecodeError)) throw error;
      this.#isLatestHidden = true;
    }
  }
}
