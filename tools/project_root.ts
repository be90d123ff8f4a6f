import { fileURLToPath } from "node:url";

/** Folder of the project. */
export const PROJECT_ROOT: string = fileURLToPath(new URL("..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);
