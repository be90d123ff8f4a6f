import { fileURLToPath } from "node:url";

const RUN_MODULE = fileURLToPath(new URL("./run_module.py", import.meta.url));

/** Arguments of Python that run a module of Jupyter, as `-m` does, but start it faster. */
export function runModule(name: string): string[] {
  return [RUN_MODULE, name];
}
