import type { Operation, Specification } from "./schema.ts";

/** An operation that a request asks for. */
export interface FoundOperation {
  /** Its method and its path, as `GET /api/v1/orders/{UID}`. */
  readonly route: string;
  /** What the document says of it. */
  readonly operation: Operation;
  /** Parameters that stand in the path, by name. */
  readonly inPath: Readonly<Record<string, string>>;
}

interface Template {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
}

/** The operations of a document, by method and path. */
export class Operations {
  readonly #templates: readonly Template[];

  /** Reads the paths; one without parameters goes before one with. */
  constructor({ paths }: Specification) {
    this.#templates = Object.entries(paths)
      .map(([path, methods]) => ({ path, pattern: patternOf(path), methods }))
      .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
  }

  /** Every operation, its method and its path. */
  get routes(): string[] {
    return this.#templates.flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    );
  }

  /** The operation at a path; `undefined` where the document has none. */
  find(method: string, pathname: string): FoundOperation | undefined {
    for (const { path, pattern, methods } of this.#templates) {
      const operation = methods[method.toLowerCase()];
      const found = pattern.exec(pathname);
      if (operation === undefined || found === null) continue;
      return { route: `${method} ${path}`, operation, inPath: { ...found.groups } };
    }
  }
}

/** Paths of a template, `/orders/{UID}` and the like, with its parameters as groups. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}
