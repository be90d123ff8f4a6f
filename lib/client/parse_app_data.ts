import { DecodeError } from "../errors/mod.ts";
import { type AppData, decodeAppData } from "../schemas/mod.ts";

/**
 * Parses the text of an app data document.
 *
 * @throws {DecodeError} If it is not JSON, or a part that the service reads has none of its valid
 * forms.
 */
export function parseAppData(fullAppData: string, source: string): AppData {
  let document: unknown;
  try {
    document = JSON.parse(fullAppData);
  } catch (cause) {
    throw new DecodeError({
      what: "an app data document",
      path: "",
      expected: "JSON",
      found: fullAppData.slice(0, 80),
      source,
    }, cause);
  }
  return decodeAppData(document, { source });
}
