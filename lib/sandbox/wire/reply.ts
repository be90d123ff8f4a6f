/** An answer before it is sent. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** Kind of the body; `null` where there is none. */
  readonly contentType: string | null;
  /** The body. */
  readonly body: string;
  /** Headers beside the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content type of everything that is no document. */
const TEXT = "text/plain; charset=utf-8";

/** A JSON answer; amounts must be text already. */
export function json(value: unknown, status = 200): Reply {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

/** A refusal with its type. */
export function failure(status: number, errorType: string, description: string): Reply {
  return json({ errorType, description }, status);
}

/** Plain text, as the service answers what never reached its logic. */
export function text(body: string, status = 200): Reply {
  return { status, contentType: TEXT, body };
}

/** Nothing but a status. */
export function empty(status: number): Reply {
  return { status, contentType: null, body: "" };
}

/** A refusal that ends the handling of a request wherever it is found. */
export class Rejection extends Error {
  /** The answer. */
  readonly reply: Reply;

  /** Ends with this answer. */
  constructor(reply: Reply) {
    super(`Answer with status ${reply.status}`);
    this.name = "Rejection";
    this.reply = reply;
  }
}

/** Refuses with a type. */
export function refuse(status: number, errorType: string, description: string): Rejection {
  return new Rejection(failure(status, errorType, description));
}
