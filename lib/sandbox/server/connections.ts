import { Connection, type Patience } from "./connection.ts";

/**
 * The open connections of a server, within limits. Above the maximum number, the connection that
 * has been waited for the longest closes; above the maximum of unread characters, the one with the
 * oldest unread response.
 */
export class Connections {
  readonly #patience: Patience;
  /** All open connections. */
  readonly #open = new Set<Connection>();
  /** Connections without a complete request, the longest-waiting first. */
  readonly #waiting = new Set<Connection>();
  /** Characters of large unread responses, the oldest first. */
  readonly #unsent = new Map<Connection, number>();
  #unsentInAll = 0;

  /** Starts without connections. */
  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** Adds an accepted connection. */
  add(conn: Deno.Conn): Connection {
    const connection = new Connection(conn, this.#patience);
    this.#open.add(connection);
    this.waits(connection);
    connection.on("close", () => {
      this.#open.delete(connection);
      this.#waiting.delete(connection);
      this.sent(connection);
    });
    // A client that disconnects is not an error.
    connection.on("error", () => {});
    if (this.#open.size > this.#patience.connections) this.#first(this.#waiting)?.destroy();
    return connection;
  }

  /** Marks a connection as waiting for a request. */
  waits(connection: Connection): void {
    this.#waiting.add(connection);
  }

  /** Marks a connection as being answered. */
  isAnswered(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  /** Records a response that the client has to read. */
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

  /** Marks a response as read or abandoned. */
  sent(connection: Connection): void {
    this.#unsentInAll -= this.#unsent.get(connection) ?? NOTHING;
    this.#unsent.delete(connection);
  }

  /** Closes all connections. */
  end(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #first(connections: Iterable<Connection>): Connection | undefined {
    for (const connection of connections) return connection;
    return undefined;
  }
}

const NOTHING = 0;
/** Minimum size of a response that counts: the connection limit bounds smaller ones. */
const LARGE = 64 * 1024;
