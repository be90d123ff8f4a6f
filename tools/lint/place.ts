import { ROOMS } from "./rooms.ts";

/** Where a file stands in the house. */
export type Place =
  /** In a room of `lib/`. */
  | { readonly kind: "room"; readonly room: string }
  /** `lib/mod.ts`, the front door. */
  | { readonly kind: "front door" }
  /** Under `lib/`, but in none of its rooms; `path` is relative to the project. */
  | { readonly kind: "stray"; readonly path: string }
  /** Outside `lib/`: tests, tools, notebooks, data; `path` is relative to the project. */
  | { readonly kind: "outside"; readonly path: string };

const PROJECT = new URL("../../", import.meta.url).pathname;

const LAST_LIB = new RegExp(`^.*/(?=lib/(?:mod\\.ts$|(?:${names().join("|")})/))`);

function names(): string[] {
  return ROOMS.map((room) => room.name);
}

/**
 * Where the file at `path` stands.
 *
 * A path that does not begin with the project's folder (a symbolic link to it, a copy) is told by
 * its last `lib/<room>/`.
 */
export function placeOf(path: string): Place {
  const normal = path.replaceAll("\\", "/");
  const inside = normal.startsWith(PROJECT)
    ? normal.slice(PROJECT.length)
    : normal.replace(LAST_LIB, "");
  if (inside === "lib/mod.ts") return { kind: "front door" };
  if (!inside.startsWith("lib/")) return { kind: "outside", path: inside };
  const [, folder = "", ...rest] = inside.split("/");
  return rest.length > 0 && names().includes(folder)
    ? { kind: "room", room: folder }
    : { kind: "stray", path: inside };
}

/** The path that a relative import in the file at `path` leads to. */
export function resolveFrom(path: string, specifier: string): string {
  return decodeURI(new URL(specifier, `file://${encodeURI(path.replaceAll("\\", "/"))}`).pathname);
}
