import { byteLength } from "./page_room.ts";
import { reportJson } from "./report_json.ts";
import { safeText } from "./safe_text.ts";

/** Characters of a text in shortened data. */
const MOST = 500;

/** The data of a page, and what to say of it. */
export interface EmbeddedJson {
  /** JSON that cannot end its element; `null` if it is too long. */
  readonly json: string | null;
  /** Where the data is, as a sentence. */
  readonly note: string;
}

/** The data whole if there is room for it, otherwise with its long texts cut, otherwise not at all. */
export function embeddedJson(data: unknown, bytes: number): EmbeddedJson {
  const whole = reportJson(data, 0);
  const json = whole.length > bytes ? null : harmless(whole);
  if (json !== null && byteLength(json) <= bytes) {
    return { json, note: "The data is in this file, as JSON." };
  }
  const all = "The command above gives all of it with --json.";
  const cut = harmless(JSON.stringify(JSON.parse(whole, shorter)));
  return byteLength(cut) <= bytes
    ? { json: cut, note: `The data is in this file, as JSON, with long texts cut. ${all}` }
    : { json: null, note: `The data is too long for this file. ${all}` };
}

function shorter(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > MOST ? safeText(value, MOST) : value;
}

const HARMFUL = /[<\u2028\u2029\p{Bidi_Control}]/gu;

function harmless(json: string): string {
  return json.replace(
    HARMFUL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
