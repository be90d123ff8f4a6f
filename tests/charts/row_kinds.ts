const CHARTS = new URL("../../lib/charts/", import.meta.url);
const DECLARED = /^export const (\w+): RowKind<(\w+)>/gm;

/** A kind of rows as `lib/charts` declares it. */
export interface DeclaredKind {
  /** The interface of one row. */
  readonly row: string;
  /** The function whose table's rows they are. */
  readonly table: string;
  /** The type of each column; with `?` where it may be absent. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Every kind of rows that a file of `lib/charts` declares, whatever is added to it. */
export const ROW_KINDS: readonly DeclaredKind[] = await declaredKinds(CHARTS);

async function declaredKinds(folder: URL): Promise<DeclaredKind[]> {
  const found: DeclaredKind[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await declaredKinds(new URL(`${name}/`, folder)));
    if (!name.endsWith(".ts")) continue;
    const file = new URL(name, folder);
    for (const [, kind = "", row = ""] of (await Deno.readTextFile(file)).matchAll(DECLARED)) {
      const module: Record<string, Omit<DeclaredKind, "row">> = await import(file.href);
      found.push({ row, ...module[kind]! });
    }
  }
  return found.toSorted((a, b) => a.row < b.row ? -1 : 1);
}
