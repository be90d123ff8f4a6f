import { isMissing, localFiles } from "../../http/local_files.ts";
import { userCacheFolder } from "../rate_limit/host_limit.ts";

/** The folder that something is installed into; `null` if none is known, or this process may not use it. */
export function pythonFolder(name: string): string | null {
  const folder = userCacheFolder();
  return folder === null ? null : `${folder}/${name}`;
}

/** The folder of a complete installation; `null` if there is none. */
export async function installedPython(name: string): Promise<string | null> {
  const folder = pythonFolder(name);
  if (folder === null) return null;
  try {
    for (const { name } of await localFiles().readdir(folder, { withFileTypes: true })) {
      if (!name.startsWith("environment_")) continue;
      const inside = await localFiles().readdir(`${folder}/${name}`, { withFileTypes: true })
        .catch(() => []);
      if (inside.some((one) => one.name === "complete.json")) return `${folder}/${name}`;
    }
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
