import { ROOMS } from "./rooms.ts";

/** The location of a file in the project. */
export type FileLocation =
  /** In a room of `lib/`, and in a folder of it; the folder is empty in the room itself. */
  | { readonly kind: "room"; readonly room: string; readonly folder: string }
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
 * Returns the location of the file at `path`.
 *
 * A path outside the project's folder (a symbolic link, a copy) is located by its last
 * `lib/<room>/`.
 */
export function locateFile(path: string): FileLocation {
  const normal = path.replaceAll("\\", "/");
  const inside = normal.startsWith(PROJECT)
    ? normal.slice(PROJECT.length)
    : normal.replace(LAST_LIB, "");
  if (inside === "lib/mod.ts") return { kind: "front door" };
  if (!inside.startsWith("lib/")) return { kind: "outside", path: inside };
  const [, folder = "", ...rest] = inside.split("/");
  return rest.length > 0 && names().includes(folder)
    ? { kind: "room", room: folder, folder: rest.slice(0, -1).join("/") }
    : { kind: "stray", path: inside };
}

/** Resolves a relative import in the file at `path`. */
export function resolveFrom(path: string, specifier: string): string {
  return decodeURI(new URL(specifier, `file://${encodeURI(path.replaceAll("\\", "/"))}`).pathname);
}
