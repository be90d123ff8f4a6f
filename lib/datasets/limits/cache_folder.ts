/**
 * The folder in which this user's processes keep what they share: `orderlens` in `$XDG_CACHE_HOME`,
 * or in the usual place of the system. `null` where it is not known, or the process may not use it:
 * nothing is asked for.
 */
export function userCacheFolder(): string | null {
  const folder = Deno.build.os === "windows"
    ? variable("LOCALAPPDATA")
    : variable("XDG_CACHE_HOME") ??
      inHome(Deno.build.os === "darwin" ? "Library/Caches" : ".cache");
  if (folder === null) return null;
  const path = `${folder}/orderlens`;
  const mayUse = (["read", "write"] as const).every((name) =>
    Deno.permissions.querySync({ name, path }).state === "granted"
  );
  return mayUse ? path : null;
}

function inHome(folder: string): string | null {
  const home = variable("HOME");
  return home === null ? null : `${home}/${folder}`;
}

/** A variable of the environment; `null` if it is not set, empty, or must not be read. */
function variable(name: string): string | null {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || null : null;
}
