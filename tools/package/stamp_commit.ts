import { TaskError } from "../terminal/task_error.ts";

const MODULE = /[\\/]lib[\\/]http[\\/]transport\.[jt]s$/;
/** In the compiled module, it stands on the line on which its doc comment ends. */
const CONSTANT = /^((?:.*\*\/ )?export const COMMIT(?:: string \| null)? = )null;$/m;

/**
 * Writes a commit into the module of the library that has its version; other modules stay as they are.
 *
 * @throws {TaskError} If that module has no such constant.
 */
export function stampCommit(file: string, text: string, commit: string | null): string {
  if (commit === null || !MODULE.test(file)) return text;
  if (!CONSTANT.test(text)) throw new TaskError(`${file} has no constant COMMIT`);
  return text.replace(CONSTANT, `$1${JSON.stringify(commit)};`);
}
