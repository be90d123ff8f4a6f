import type { Sandbox, SandboxDescription } from "../../lib/sandbox/mod.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import type { AskedSandbox } from "../sandbox/order_desk.ts";

/** A sandbox that remembers everything that it was asked and what it answered. */
export class Witness implements AskedSandbox {
  /** All exchanges, in order. */
  readonly exchanges: Exchange[] = [];
  readonly #sandbox: Sandbox;

  /** Listens to `sandbox`. */
  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Facts of the sandbox. */
  get deployment(): Sandbox["deployment"] {
    return this.#sandbox.deployment;
  }

  /** What is in the sandbox now. */
  get description(): SandboxDescription {
    return this.#sandbox.description;
  }

  /** Asks the sandbox. */
  readonly fetch: Sandbox["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const requestBody = await request.clone().text();
    const response = await this.#sandbox.fetch(request);
    this.exchanges.push({
      method: request.method,
      path: `${pathname}${search}`,
      ...(requestBody === "" ? {} : { requestBody }),
      status: response.status,
      contentType: response.headers.get("content-type"),
      responseBody: await response.clone().text(),
    });
    return response;
  };
}
