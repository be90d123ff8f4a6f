import { Connection, type Patience } from "./connection.ts";

/**
 * The connections of a server, within bounds. Beyond them somebody has to go: of too many connections
 * the one that is waited for the longest, of too much to send the answer that takes the longest.
 */
export class Connections {
  readonly #patience: Patience;
  /** All that are open. */
  readonly #open = new Set<Connection>();
  /** Those without a request of which everything is there, the longest without one first. */
  readonly #waiting = new Set<Connection>();
  /** Characters of large answers that are yet to be taken, the oldest first. */
  readonly #unsent = new Map<Connection, number>();
  #unsentInAll = 0;

  /** None yet. */
  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** Takes one in. */
  add(conn: Deno.Conn): Connection {
    const connection = new Connection(conn, this.#patience);
    this.#open.add(connection);
    this.waits(connection);
    connection.on("close", () => {
      this.#open.delete(connection);
      this.#waiting.delete(connection);
      this.sent(connection);
    });
    // A client that goes away is no error of the server.
    connection.on("error", () => {});
    if (this.#open.size > this.#patience.connections) this.#first(this.#waiting)?.destroy();
    return connection;
  }

  /** Takes note that a connection has no request. */
  waits(connection: Connection): void {
    this.#waiting.add(connection);
  }

  /** Takes note that a connection is being answered. */
  isAnswered(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  /** Takes note of an answer that a client has to take, of so many characters. */
  sends(connection: Connection, characters: number): void {
    this.sent(connection);
    if (characters < LARGE) return;
    this.#unsent.set(connection, characters);
    this.#unsentInAll += characters;
    while (this.#unsentInAll > this.#patience.unsent) {
      const oldest = this.#first(this.#unsent.keys());
      if (oldest === undefined || oldest === connection) return;
      this.sent(oldest);
      oldest.destroy();
    }
  }

  /** Takes note that a client has its answer, or will have none. */
  sent(connection: Connection): void {
    this.#unsentInAll -= this.#unsent.get(connection) ?? NOTHING;
    this.#unsent.delete(connection);
  }

  /** Ends all of them. */
  end(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #first(connections: Iterable<Connection>): Connection | undefined {
    for (const connection of connections) return connection;
    return undefined;
  }
}

const NOTHING = 0;
/** Characters from which an answer counts: the others are few enough by the number of connections. */
const LARGE = 64 * 1024;
