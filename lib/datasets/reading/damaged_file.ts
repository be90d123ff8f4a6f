import { DamagedError } from "../../errors/mod.ts";

/** The error of a file of answers that cannot be unpacked. */
export function damagedFile(file: string, cause: unknown): DamagedError {
  return new DamagedError(`Cannot read the answers in ${file}: it is damaged or truncated`, {
    remedy: "Run `verifyDataset`, and resume the export or copy the file again",
    cause,
  });
}
