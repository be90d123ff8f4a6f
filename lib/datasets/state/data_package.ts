import type { DatasetManifest } from "../layout/manifest.ts";
import { tablesOf } from "../shards/published_tables.ts";

const TYPES = { String: "string", Int64: "integer", Float64: "number", Bool: "boolean" } as const;

/** The columns that every table has in front. */
const SOURCE_COLUMNS = [
  { name: "network", type: "string", description: "name of the network; null without a name" },
  { name: "environment", type: "string", description: "production or staging; null without one" },
  { name: "chain_id", type: "integer", description: "chain id" },
] as const;

/** The Frictionless description of a dataset: schema, key and units of every table. */
export function dataPackage({ request, files, source }: DatasetManifest): object {
  return {
    profile: "data-package",
    name: `orderlens-${source.network ?? `chain-${source.chainId}`}`,
    resources: tablesOf(request.tables).map(({ table, key }) => ({
      name: table.name,
      description: table.grain,
      format: "parquet",
      path: files.map(({ path }) => path).filter((path) => path.startsWith(`${table.name}/`)),
      schema: {
        fields: [
          ...SOURCE_COLUMNS,
          ...table.columns.map(({ name, dtype, unit, source }) => ({
            name,
            type: TYPES[dtype],
            ...(unit === null ? {} : { unit }),
            description: source,
          })),
        ],
        primaryKey: key,
      },
    })),
  };
}
