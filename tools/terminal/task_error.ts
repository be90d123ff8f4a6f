/** Thrown when a task cannot do its work and the reader can help: printed without a stack. */
export class TaskError extends Error {
  /** Builds the error from what failed and what to do about it. */
  constructor(message: string, options: { fix?: string; cause?: unknown } = {}) {
    super(options.fix === undefined ? message : `${message}: ${options.fix}`, {
      cause: options.cause,
    });
    this.name = "TaskError";
  }
}
