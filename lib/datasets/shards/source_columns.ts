/** The columns that every table has in front: where its rows are from. */
export const SOURCE_COLUMNS = [
  {
    name: "network",
    dtype: "String",
    unit: null,
    description: "name of the network; null without a name",
  },
  {
    name: "environment",
    dtype: "String",
    unit: null,
    description: "production or staging; null without one",
  },
  { name: "chain_id", dtype: "Int64", unit: null, description: "chain id" },
] as const;
