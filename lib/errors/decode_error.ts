import { OrderlensError } from "./orderlens_error.ts";
import { withoutSecrets } from "./secrets.ts";

/** Source of a body that failed to decode, and its first fault. */
export interface DecodeFailure {
  /** What was being decoded, such as `an order` or `solver competition 17`. */
  what: string;
  /**
   * Path of the first invalid value, such as `solutions[3].orders[0].sellAmount`; `""` is the whole
   * body.
   */
  path: string;
  /** What was expected there, such as `an amount: decimal digits, at most 78`. */
  expected: string;
  /** What was found there as JSON, cut to 80 characters; `nothing` where it is missing. */
  found: string;
  /** Where the body came from (method and path, or file and line), when known. */
  source?: string;
}

/**
 * Thrown when a body does not match its schema. Never retried: the same body fails again.
 *
 * @example The path, the value found and the value expected are properties as well as text
 * ```ts
 * import { DecodeError } from "orderlens";
 * import { decodeOrderStatus } from "orderlens/schemas";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const error = assertThrows(() => decodeOrderStatus({ type: 7 }), DecodeError);
 *
 * assertEquals(error.failure.path, "type");
 * assertEquals(error.failure.found, "7");
 * ```
 */
export class DecodeError extends OrderlensError {
  /** Always `"decode"`. */
  override readonly code = "decode" as const;
  /** Where and why decoding stopped. */
  readonly failure: DecodeFailure;

  /** Builds the error from what failed. */
  constructor(failure: DecodeFailure, cause?: unknown) {
    super(
      `Cannot decode ${failure.what}: ${failure.path || "the body"} must be ${failure.expected}`,
      {
        facts: {
          found: failure.found,
          ...(failure.source === undefined ? {} : { source: failure.source }),
        },
        remedy:
          "Check that the body is complete and of the right kind; if the service has changed, report it with the output of `deno task drift`",
        cause,
      },
    );
    this.failure = withoutSecrets(failure);
  }
}
