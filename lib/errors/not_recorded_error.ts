import { OrderlensError } from "./orderlens_error.ts";

/** Thrown by a replay when a request was never recorded; the facts name what was recorded near it. */
export class NotRecordedError extends OrderlensError {
  /** Always `"not_recorded"`. */
  override readonly code = "not_recorded" as const;
}
