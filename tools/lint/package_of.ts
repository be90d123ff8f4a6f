/**
 * The package of a non-relative import, without version and sub-path.
 *
 * `viem/utils` and `npm:viem@2/utils` are `viem`, `npm:/@observablehq/plot@0.6` is
 * `@observablehq/plot`, `node:fs/promises` is `node:fs`; a URL stays unchanged.
 */
export function readPackageName(specifier: string): string {
  if (/^[a-z]+:\/\//.test(specifier) || specifier.startsWith("/")) return specifier;
  const bare = specifier.replace(/^(?:npm|jsr):\/?/, "");
  const [first = "", second = ""] = bare.split("/");
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  return name.replace(/(?<=.)@.*$/, "");
}
