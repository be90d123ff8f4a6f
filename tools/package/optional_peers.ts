import { TaskError } from "../terminal/task_error.ts";

/** Packages that only some entry points need, by purpose; the packages of a group are needed together. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "tables and SQL": ["nodejs-polars", "@duckdb/node-api"],
  "charts": ["@observablehq/plot", "d3-array", "@resvg/resvg-wasm"],
};

/** Names of all optional peer dependencies. */
export const OPTIONAL_PEERS: readonly string[] = Object.values(GROUPS).flat();

/** Folder of the modules that load them, in the package. */
export const PEERS_FOLDER = "peers";

/** Returns the name of the module that loads a package. */
export function toPeerFile(name: string): string {
  return `${name.replace(/^@/, "").replaceAll("/", "-")}.js`;
}

/**
 * Creates a module with the exports of a package, whose import fails with an `InputError` that says how to
 * install the package if it is missing.
 *
 * @param name The package.
 * @param versions Exact versions, by package.
 * @param errors Specifier of the module that exports `InputError`.
 * @throws {TaskError} If no group has the package.
 */
export async function createPeerModule(
  name: string,
  versions: Readonly<Record<string, string>>,
  errors: string,
): Promise<string> {
  const [purpose, group] = Object.entries(GROUPS).find(([, names]) => names.includes(name)) ?? [];
  if (group === undefined) throw new TaskError(`${name} is no optional peer dependency`);
  const packages = group.map((packageName) => `${packageName}@${versions[packageName]}`);
  const remedy = `Run \`npm install ${packages.join(" ")}\`; with npx, begin with \`npx ` +
    ["@orderlens/orderlens", ...packages].map((packageName) => `-p ${packageName} `).join("") +
    "orderlens`";
  const names = Object.keys(await import(name))
    .filter((packageName) => /^[A-Za-z_$][\w$]*$/.test(packageName) && packageName !== "default");
  return `import { InputError } from ${JSON.stringify(errors)};
const peer = await import(${JSON.stringify(name)}).catch((cause) => {
  if (cause?.code !== "ERR_MODULE_NOT_FOUND" || !cause.message.includes(${
    JSON.stringify(name)
  })) throw cause;
  throw new InputError("Cannot load ${purpose}: the package ${name} is not installed", {
    remedy: ${JSON.stringify(remedy)},
    cause,
  });
});
export default peer.default;
export const { ${names.join(", ")} } = peer;
`;
}
