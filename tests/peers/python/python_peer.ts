import { fileURLToPath } from "node:url";
import { ensurePython } from "../../../tools/jupyter/ensure_python.ts";

/** A Python with the packages of `requirements.txt`, installed into `build` if they are not there. */
export async function pythonPeer(): Promise<string> {
  return await ensurePython({
    name: "python",
    what: "packages of Python",
    requirements: fileURLToPath(new URL("requirements.txt", import.meta.url)),
  });
}
