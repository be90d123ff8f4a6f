/** A failure that the user can fix; it is printed without a stack. */
export class TaskError extends Error {
  /** Takes the failure and the remedy. */
  constructor(message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(options.fix === undefined ? message : `${message}: ${options.fix}`, {
      cause: options.cause,
    });
    this.name = "TaskError";
  }
}
