import { OrderlensError, type OrderlensErrorOptions } from "./orderlens_error.ts";

/** Options of a {@linkcode NotRecordedError}. */
export interface NotRecordedErrorOptions extends OrderlensErrorOptions {
  /** Whether other requests of the same route were recorded. @default {true} */
  isRouteRecorded?: boolean;
}

/**
 * Thrown by a replay when a request was not recorded; the facts name the closest recorded requests.
 */
export class NotRecordedError extends OrderlensError {
  /** Always `"not_recorded"`. */
  override readonly code = "not_recorded" as const;
  /**
   * Whether other requests of the same route were recorded, such as debug reports of other orders.
   */
  readonly isRouteRecorded: boolean;

  /** Builds the error. */
  constructor(action: string, options: NotRecordedErrorOptions) {
    super(action, options);
    this.isRouteRecorded = options.isRouteRecorded ?? true;
  }
}
