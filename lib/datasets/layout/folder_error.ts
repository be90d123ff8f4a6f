import { InputError } from "../../errors/mod.ts";

/** The error for a folder that cannot be read or written. */
export function folderError(action: string, folder: string, cause: unknown): InputError {
  return new InputError(`${action} ${folder}`, {
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    remedy:
      "Pass a readable and writable folder on a disk with free space, and run it with `--allow-read --allow-write`",
    cause,
  });
}

/** Whether an operation of files, of the state's database or of tables was refused by the system. */
export function isRefusedBySystem(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  // How the writer of tables says that the disk is full.
  if (code === "GenericFailure") {
    return /os error \d+|\bOs \{|transport error|IO error/i.test(error.message);
  }
  return /^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO|ENOTDIR|EISDIR|EEXIST|ENOENT|EFBIG|EMFILE|ERR_SQLITE_ERROR)$/
    .test(code) || error.name === "NotCapable";
}
