import { OrderlensError } from "./orderlens_error.ts";

/**
 * Thrown by a replay when a request was not recorded; the facts name the closest recorded requests.
 */
export class NotRecordedError extends OrderlensError {
  /** Always `"not_recorded"`. */
  override readonly code = "not_recorded" as const;
}
