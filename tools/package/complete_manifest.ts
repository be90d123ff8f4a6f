import { TaskError } from "../terminal/task_error.ts";

/** What of a `package.json` is read or written here. */
export interface Manifest {
  /** Name with its scope. */
  readonly name: string;
  /** Version. */
  readonly version: string;
  /** Entry points, each with its module and its declarations. */
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  /** Ranges of the packages that it needs, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What of `deno.json` is read here. */
export interface DenoConfiguration {
  /** The import map. */
  readonly imports: Readonly<Record<string, string>>;
}

/** What `platform/` imports, beside what the library does. */
const OF_PLATFORM = ["temporal-polyfill"];

/**
 * The manifest that `deno pack` wrote, with the exact versions of the import map and some additions.
 *
 * Exact, because `deno pack` widens each version to a range, and the glue of resvg works with the
 * binary of its own version only.
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
  const exact = [...Object.keys(packed.dependencies), ...OF_PLATFORM].map((name) => {
    const [, version] = configuration.imports[name]?.match(/^npm:.+@([\d.]+)$/) ?? [];
    if (version === undefined) throw new TaskError(`deno.json names no exact version of ${name}`);
    return [name, version];
  });
  return {
    ...packed,
    ...additions,
    dependencies: Object.fromEntries(exact),
  };
}
