import { shippedRecordings } from "../../lib/recordings/mod.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import { readRecording } from "../../lib/recordings/recording.ts";

/** Exchanges of recordings that do not ship whole. */
const SINGLE_EXCHANGES = "exchanges";

const read = new Map<string, Promise<Exchange[]>>();

/** All exchanges of a recording that ships, by its name. */
export function recordedExchanges(name: string): Promise<Exchange[]> {
  let exchanges = read.get(name);
  if (exchanges === undefined) {
    const path = name === SINGLE_EXCHANGES
      ? `../testdata/openapi/${name}.ndjson`
      : `../../data/recorded/${name}.ndjson.gz`;
    exchanges = readRecording(new URL(path, import.meta.url));
    read.set(name, exchanges);
  }
  return exchanges;
}

/** Names of all recordings, that of single exchanges included. */
export async function recordingNames(): Promise<string[]> {
  return [...await shippedRecordings(), SINGLE_EXCHANGES];
}
