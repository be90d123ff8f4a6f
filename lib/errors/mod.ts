/**
 * The error classes a caller may catch, one family per file.
 *
 * Every error has a `code` to branch on, a message that says what failed with which input, a
 * `remedy`, and the `cause` when a lower layer failed. Imports nothing.
 *
 * @module
 */
export { DecodeError, type DecodeFailure } from "./decode_error.ts";
export { InputError } from "./input_error.ts";
export { NotRecordedError } from "./not_recorded_error.ts";
export {
  OrderlensError,
  type OrderlensErrorCode,
  type OrderlensErrorOptions,
} from "./orderlens_error.ts";
