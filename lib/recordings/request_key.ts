const hex = /0[xX][0-9a-fA-F]+/g;
const mixedHex = /0X|[A-F]/;
/** Kinds of hex values in a path, by length. */
const kinds: Readonly<Record<number, string>> = { 42: "{address}", 66: "{hash}", 114: "{uid}" };
const onlyHex = /^0[xX][0-9a-fA-F]*$/;
/** Query names of paging. */
export const paging: readonly string[] = ["offset", "limit"];

/** Normalizes path and query, so that equivalent requests have equal keys. */
export function pathKey(path: string): string {
  const [route, query] = splitOnce(path, "?");
  const key = mixedHex.test(route) ? route.replace(hex, (found) => found.toLowerCase()) : route;
  if (query === "") return key;
  const fields = queryFields(query).map(([name, value]) =>
    `${encode(name)}=${encode(onlyHex.test(value) ? value.toLowerCase() : value)}`
  );
  return `${key}?${fields.sort().join("&")}`;
}

/** Route and query fields of a path, decoded. */
export function partsOf(path: string): { route: string; fields: [string, string][] } {
  const [route, query] = splitOnce(path, "?");
  return { route, fields: query === "" ? [] : queryFields(query) };
}

/** Normalizes a request body, so that equal JSON has equal keys; other text stays unchanged. */
export function bodyKey(body: string | undefined): string {
  if (body === undefined || body === "") return "";
  try {
    return JSON.stringify(JSON.parse(body), (_key, value: unknown) => {
      if (typeof value === "string") return onlyHex.test(value) ? value.toLowerCase() : value;
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
    });
  } catch {
    return body;
  }
}

/**
 * The route of a path: UIDs, hashes, addresses and ids are replaced by their kind, a query by its
 * names without paging.
 */
export function routeOf(path: string): string {
  const { route, fields } = partsOf(path);
  const pattern = route.replace(hex, (found) => kinds[found.length] ?? found)
    .replace(/\/\d+(?=\/|$)/g, "/{id}");
  const names = fields.map(([name]) => name).filter((name) => !paging.includes(name));
  return names.length === 0 ? pattern : `${pattern}?${names.sort().join("&")}`;
}

function queryFields(query: string): [string, string][] {
  return query.split("&").map((field) => {
    const [name, value] = splitOnce(field, "=");
    return [decode(name), decode(value)];
  });
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function encode(text: string): string {
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text);
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
