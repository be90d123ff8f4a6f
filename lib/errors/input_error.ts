import { OrderlensError } from "./orderlens_error.ts";

/**
 * Thrown before anything is sent or computed, when the caller's input cannot mean anything:
 * a name that does not exist, a UID of the wrong length, an amount that is not a number.
 */
export class InputError extends OrderlensError {
  /** Always `"input"`. */
  override readonly code = "input" as const;
}
