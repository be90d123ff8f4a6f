import { homedir } from "node:os";
import { PROJECT_ROOT } from "../project_root.ts";

const LOCAL_PATH =
  /file:\/\/\/[^\s"'<)]*|(?<![\w.:/-])\/(?:home|root|Users|tmp|private)\/[^\s"'<)]*/;

/** The first path in `text` that exists on one machine only; `undefined` if there is none. */
export function findAbsolutePath(text: string): string | undefined {
  for (const folder of [PROJECT_ROOT, homedir()]) {
    if (folder.length > 1 && text.includes(folder)) return folder;
  }
  return LOCAL_PATH.exec(text)?.[0];
}
