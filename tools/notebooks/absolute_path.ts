import { homedir } from "node:os";
import { PROJECT_ROOT } from "../project_root.ts";

const USUAL = /file:\/\/\/[^\s"'<)]*|(?<![\w.:/-])\/(?:home|root|Users|tmp|private)\/[^\s"'<)]*/;

/** The first path in `text` that exists on one machine only; `undefined` if there is none. */
export function absolutePath(text: string): string | undefined {
  for (const place of [PROJECT_ROOT, homedir()]) {
    if (place.length > 1 && text.includes(place)) return place;
  }
  return USUAL.exec(text)?.[0];
}
