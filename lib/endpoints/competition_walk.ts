import { DecodeError, NotFoundError } from "../errors/mod.ts";
import type { Transport } from "../http/mod.ts";
import type { Competition } from "../schemas/mod.ts";
import { getCompetition } from "./get_competition.ts";

/** What was found under one auction id. */
export type Sighting =
  & { readonly auctionId: number }
  & (
    | { readonly is: "visible"; readonly competition: Competition }
    | { readonly is: "broken"; readonly error: DecodeError }
    | { readonly is: "absent" | "hidden" | "undecided" }
  );

/**
 * Looks at auction ids in ascending order, and tells gaps from competitions that are not visible yet.
 *
 * A 404 means either; the latest visible competition decides. It is asked for when a 404 cannot be told
 * without it: at the first gap, and once more where the walk comes to its end. A 404 below it is a gap
 * if the id was asked for after the latest was known, and is asked for again if it was before, since
 * the competition may have become visible in between. A service that hides its latest competition
 * decides nothing: then a 404 stays undecided until something later is seen.
 */
export class CompetitionWalk {
  readonly #transport: Transport;
  #latest: Competition | undefined;
  /** Whether the service was asked for its latest competition and does not tell. */
  #isLatestHidden = false;
  /** First id known to be above the latest visible one: from here on nothing is asked. */
  #hiddenFrom = Infinity;
  #asking: Promise<void> | undefined;

  /** Walks through what a transport answers. */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Looks at an id for the first time. */
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

  /** Looks at an id once something later is known to be visible: a 404 is a gap now. */
  async lookAgain(auctionId: number, signal: AbortSignal | undefined): Promise<Sighting> {
    return await this.#ask(auctionId, signal) ?? { auctionId, is: "absent" };
  }

  get #visibleTo(): number {
    return this.#latest?.auctionId ?? -1;
  }

  /** What a request for an id brought; `undefined` for a 404. */
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

  /** Asks for the latest competition, once for all who want it now. */
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
