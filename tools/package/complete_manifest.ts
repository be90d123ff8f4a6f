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

/**
 * The manifest that `deno pack` wrote, with the exact versions of the import map and some additions.
 *
 * Exact, because `deno pack` widens each version to a range, and the glue of resvg works with the
 * binary of its own version only.
 */
export function completeManifest(
  packed: Manifest,
  { configuration, additions }: {
    configuration: DenoConfiguration;
    additions: Partial<Manifest>;
  },
): Manifest {
  const exact = Object.keys(packed.dependencies).map((name) => {
    const [, version] = configuration.imports[name]?.match(/^npm:.+@([\d.]+)$/) ?? [];
    if (version === undefined) throw new TypeError(`deno.json names no exact version of ${name}`);
    return [name, version];
  });
  return {
    ...packed,
    ...additions,
    dependencies: { ...Object.fromEntries(exact), ...additions.dependencies },
  };
}
