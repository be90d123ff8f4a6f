import { TaskError } from "../terminal/task_error.ts";

/** The fields of a `package.json` that are read or written. */
export interface Manifest {
  /** Name with its scope. */
  readonly name: string;
  /** Version. */
  readonly version: string;
  /** Entry points, each with its module and its declarations. */
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  /** Version ranges of its dependencies, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The fields of `deno.json` that are read. */
export interface DenoConfiguration {
  /** The import map. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Completes the manifest of `deno pack` with the exact versions of the import map, the polyfill that
 * `packPackage` adds, and some fields.
 *
 * Versions are exact, because `deno pack` widens each one to a range, and the bindings of resvg only
 * work with the binary of the same version.
 *
 * @throws {TaskError} If the import map names a range, or no version.
 */
export function completeManifest(
  packed: Manifest,
  { configuration, additions }: {
    readonly configuration: DenoConfiguration;
    readonly additions: Readonly<Record<string, unknown>>;
  },
): Manifest {
  const exact = [...Object.keys(packed.dependencies), "temporal-polyfill"].map((name) => {
    const [, version] = configuration.imports[name]?.match(/^npm:.+@(\d[\w.-]*)$/) ?? [];
    if (version === undefined) throw new TaskError(`deno.json names no exact version of ${name}`);
    return [name, version];
  });
  return {
    ...packed,
    ...additions,
    dependencies: Object.fromEntries(exact),
  };
}
