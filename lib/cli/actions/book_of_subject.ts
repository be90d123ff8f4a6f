import { connect } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { NotFoundError } from "../../errors/mod.ts";
import { hostOf, locate } from "../../reports/places/locate.ts";
import { openBook, PROMPT } from "../deployment/open_book.ts";
import { targetOf } from "../deployment/target.ts";
import { counted } from "../terminal/in_words.ts";
import type { Session } from "../terminal/session.ts";
import type { Given } from "../words/given.ts";
import { usageError } from "../words/usage_error.ts";
import type { Subject } from "./inspect_subject.ts";

/** Finds deployments for subjects; one that was named is opened once. */
export class BookFinder {
  readonly #session: Session;
  readonly #given: Given;
  #named: Promise<OrderBook> | undefined;

  /** Reads the deployment from the options. */
  constructor(session: Session, given: Given) {
    this.#session = session;
    this.#given = given;
    const target = targetOf(given);
    if (target !== null) this.#named = openBook(session, given, target, PROMPT);
    // It is awaited where it is needed, and fails there.
    this.#named?.catch(() => {});
  }

  /**
   * The deployment that has something: the one that the options name, one of the network that an
   * explorer's address names, or the first public one that has it.
   *
   * @throws {NotFoundError} If no public deployment has it.
   */
  async of(subject: Subject): Promise<OrderBook> {
    const { kind, key, network } = subject;
    if (this.#named !== undefined) return await this.#named;
    if (kind === "auction") {
      throw usageError(
        `${this.#given.cannot} for auction ${key} without a deployment: each has its own ids`,
        "Pass --network, such as --network mainnet",
      );
    }
    const { signal } = this.#session;
    const books = network === null ? {} : {
      books: [connect(network), connect(network, { environment: "staging" })],
    };
    if (network === null) this.#session.say("Asking the public networks, two at a time");
    const { found: [first, ...others], asked, failed } = await locate(key, { signal, ...books });
    for (const [host, all] of Map.groupBy(failed, ({ book }) => hostOf(book))) {
      const { message, remedy } = all[0]!.error;
      const many = all.length === 1 ? "" : ` (${all.length} deployments)`;
      this.#session.warn(`${host}${many} could not be asked: ${message.split("\n")[0]}. ${remedy}`);
    }
    const [failure] = failed;
    if (first === undefined && failure !== undefined && failed.length === asked) {
      throw failure.error;
    }
    if (first === undefined) throw notFound(subject, asked - failed.length, failed.length);
    this.#session.say(`Found at ${nameOf(first.book)}`);
    if (others.length > 0) {
      const names = others.map(({ book }) => nameOf(book)).join(", ");
      this.#session.say(`Also at ${names}: pass --network and --env for them`);
    }
    return first.book;
  }
}

function nameOf({ network, environment, baseUrl }: OrderBook): string {
  return network === null ? baseUrl : `${network.name}, ${environment}`;
}

function notFound({ kind, key }: Subject, asked: number, failed: number): NotFoundError {
  const others = failed === 0 ? "" : `, and ${failed} could not be asked`;
  return new NotFoundError(
    `Cannot find ${kind} ${key}: ${counted(asked, "public deployment")} did not have it${others}`,
    {
      request: "locate",
      status: 404,
      body: "",
      remedy: "Check the digits; a deployment of your own is named with --url",
    },
  );
}
