import { TaskError } from "../terminal/task_error.ts";

/** Packages that only some entry points need, by what they are for: who needs one needs its group. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "tables and SQL": ["nodejs-polars", "@duckdb/node-api"],
  "charts": ["@observablehq/plot", "d3-array", "linkedom", "@resvg/resvg-wasm"],
};

/** Names of all optional peer dependencies. */
export const OPTIONAL_PEERS: readonly string[] = Object.values(GROUPS).flat();

/** Folder of the modules that load them, in the package. */
export const PEERS_FOLDER = "peers";

/** Name of the module that loads a package. */
export function peerFile(name: string): string {
  return `${name.replace(/^@/, "").replaceAll("/", "-")}.js`;
}

/**
 * A module with the exports of a package, whose import fails with an `InputError` that says how to
 * install the package if it is missing.
 *
 * @param name The package.
 * @param versions Exact versions, by package.
 * @param errors Specifier of the module that exports `InputError`.
 * @throws {TaskError} If no group has the package.
 */
export async function peerModule(
  name: string,
  versions: Readonly<Record<string, string>>,
  errors: string,
): Promise<string> {
  const [what, group] = Object.entries(GROUPS).find(([, names]) => names.includes(name)) ?? [];
  if (group === undefined) throw new TaskError(`${name} is no optional peer dependency`);
  const wanted = group.map((one) => `${one}@${versions[one]}`);
  const remedy = `Run \`npm install ${wanted.join(" ")}\`; with npx, begin with \`npx ` +
    ["@orderlens/orderlens", ...wanted].map((one) => `-p ${one} `).join("") + "orderlens`";
  const names = Object.keys(await import(name))
    .filter((one) => /^[A-Za-z_$][\w$]*$/.test(one) && one !== "default");
  return `import { InputError } from ${JSON.stringify(errors)};
const peer = await import(${JSON.stringify(name)}).catch((cause) => {
  if (cause?.code !== "ERR_MODULE_NOT_FOUND" || !cause.message.includes(${
    JSON.stringify(name)
  })) throw cause;
  throw new InputError("Cannot load ${what}: the package ${name} is not installed", {
    remedy: ${JSON.stringify(remedy)},
    cause,
  });
});
export default peer.default;
export const { ${names.join(", ")} } = peer;
`;
}
