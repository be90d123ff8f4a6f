import type { Sandbox } from "../../lib/sandbox/mod.ts";
import type { Exchange } from "../../lib/sandbox/recordings/exchange.ts";

/** Asks a sandbox, and remembers every exchange. */
export class Witness {
  /** Everything that was asked and answered. */
  readonly exchanges: Exchange[] = [];
  readonly #sandbox: Sandbox;

  /** Asks `sandbox`. */
  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /**
   * Asks for one thing.
   *
   * @param request Method and path, as `GET /api/v1/version`.
   * @param body Text, or what is sent as JSON, big numbers as text; nothing where it is absent.
   */
  async ask(
    request: string,
    body?: unknown,
    { contentType = "application/json" }: { readonly contentType?: string } = {},
  ): Promise<Exchange> {
    const [method = "", path = ""] = request.split(" ");
    const requestBody = body === undefined || typeof body === "string"
      ? body
      : JSON.stringify(body, (_key, value) => typeof value === "bigint" ? String(value) : value);
    const response = await this.#sandbox.fetch(`http://sandbox${path}`, {
      method,
      ...(requestBody === undefined
        ? {}
        : { body: requestBody, headers: { "content-type": contentType } }),
    });
    const exchange: Exchange = {
      method,
      path,
      ...(requestBody === undefined ? {} : { requestBody }),
      status: response.status,
      contentType: response.headers.get("content-type"),
      responseBody: await response.text(),
    };
    this.exchanges.push(exchange);
    return exchange;
  }
}
