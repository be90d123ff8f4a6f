import { TaskError } from "../terminal/task_error.ts";
import { OPTIONAL_PEERS } from "./optional_peers.ts";

/** The fields of the `package.json` of `deno pack` that are read. */
export interface PackedManifest {
  /** Name with its scope. */
  readonly name: string;
  /** Version. */
  readonly version: string;
  /** Entry points, each with its module and its declarations. */
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  /** Version ranges of its dependencies, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The fields of a complete `package.json` that are read or written. */
export interface Manifest extends PackedManifest {
  /** Its programs. */
  readonly bin: { readonly orderlens: string };
  /** Those of optional packages. */
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** Peers that npm does not install by itself. */
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** The fields of `deno.json` that are read. */
export interface DenoConfiguration {
  /** The import map. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Completes the manifest of `deno pack` with the exact versions of the import map, the polyfill that
 * `packPackage` adds, and some fields. What only some entry points need is an optional peer.
 *
 * Versions are exact, because `deno pack` widens each one to a range, and the bindings of resvg only
 * work with the binary of the same version.
 *
 * @throws {TaskError} If the import map names a range, or no version.
 */
export function completeManifest(
  packed: PackedManifest,
  { configuration, additions }: {
    readonly configuration: DenoConfiguration;
    readonly additions: Pick<Manifest, "bin"> & Readonly<Record<string, unknown>>;
  },
): Manifest {
  const { peers = [], needed = [] } = Object.groupBy(
    Object.keys(packed.dependencies),
    (name) => OPTIONAL_PEERS.includes(name) ? "peers" : "needed",
  );
  return {
    ...packed,
    ...additions,
    dependencies: readExactVersions([...needed, "temporal-polyfill"], configuration),
    peerDependencies: readExactVersions(peers, configuration),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  };
}

/**
 * Reads the versions that the import map names.
 *
 * @throws {TaskError} If it names a range, or no version.
 */
export function readExactVersions(
  names: readonly string[],
  { imports }: DenoConfiguration,
): Record<string, string> {
  return Object.fromEntries(names.map((name) => {
    const [, version] = imports[name]?.match(/^npm:.+@(\d[\w.-]*)$/) ?? [];
    if (version === undefined) throw new TaskError(`deno.json names no exact version of ${name}`);
    return [name, version];
  }));
}
