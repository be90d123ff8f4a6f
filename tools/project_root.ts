import { fileURLToPath } from "node:url";

/** The project's folder. */
export const PROJECT_ROOT: string = fileURLToPath(new URL("..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);
