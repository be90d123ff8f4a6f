import type { HookCall } from "../../evm/settlement/encode_calls.ts";
import type { PartnerFee } from "../../schemas/mod.ts";
import {
  type JsonNode,
  memberOf,
  Mismatch,
  NotAString,
  positionIn,
  positionOfNext,
  reportedOffset,
} from "./json_node.ts";
import {
  describeNode,
  integer,
  listOf,
  orReject,
  parseU64,
  readAddress,
  readBytes,
  readText,
  readUid,
  Rejection,
  text,
} from "./loose_values.ts";
import { readJson } from "./read_json.ts";

/** Maximum size of a document, in bytes. */
const DOCUMENT_LIMIT = 8192;

/** The parts of a document that the order book evaluates. */
export interface CheckedAppData {
  /** Required signer of the order; `null` if the document names none. */
  readonly signer: string | null;
  /** UID of the order to replace; `null` if the document names none. */
  readonly replacedOrder: string | null;
  /** Partner fees, in the document's sequence. */
  readonly partnerFees: readonly PartnerFee[];
  /** Contract calls before and after the trade. */
  readonly hooks: { readonly pre: readonly HookCall[]; readonly post: readonly HookCall[] };
}

const EMPTY: CheckedAppData = {
  signer: null,
  replacedOrder: null,
  partnerFees: [],
  hooks: { pre: [], post: [] },
};

/** Total gas limit of the hooks of a document. */
export function hookGas({ hooks }: CheckedAppData): number {
  return [...hooks.pre, ...hooks.post].reduce((sum, { gasLimit }) => sum + Number(gasLimit), 0);
}

/**
 * Checks the parts of a document that the order book evaluates.
 *
 * @throws {Mismatch} The error and its position.
 */
export function checkAppData(document: string): CheckedAppData {
  const bytes = new TextEncoder().encode(document).length;
  if (bytes > DOCUMENT_LIMIT) {
    throw new Mismatch(
      `app data has byte size ${bytes} which is larger than limit ${DOCUMENT_LIMIT}`,
    );
  }
  const { root, syntaxError } = readJson(document);
  try {
    const checked = root === null ? EMPTY : rootOf(root);
    if (syntaxError === null) return checked;
  } catch (error) {
    if (!(error instanceof LocatedMismatch)) throw error;
    throw new Mismatch(`${error.message} ${positionIn(document, error.at)}`);
  }
  throw new Mismatch(syntaxError.message);
}

/** A mismatch with its position. */
class LocatedMismatch extends Mismatch {
  constructor(message: string, readonly at: number) {
    super(message);
  }
}

function rootOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "Root", size: "2 elements" });
  const metadata = memberOf(node, "metadata");
  return metadata === undefined ? EMPTY : metadataOf(metadata);
}

function metadataOf(node: JsonNode): CheckedAppData {
  requireStruct(node, { struct: "ProtocolAppData", size: "8 elements" });
  const { hooks, partnerFees } = EMPTY;
  const checked = {
    partnerFees: member(node, "partnerFee", optional(partnerFeesOf)) ?? partnerFees,
    hooks: member(node, "hooks", optional(hooksOf)) ?? hooks,
    signer: member(node, "signer", optional(readAddress)) ?? null,
    replacedOrder: member(node, "replacedOrder", optional(replacedUidOf)) ?? null,
  };
  const fastPath = memberOf(node, "enableFastPath");
  if (fastPath?.kind === "boolean" && fastPath.value) {
    throw new Mismatch("'enableFastPath' is not yet supported");
  }
  return checked;
}

function partnerFeesOf(node: JsonNode): PartnerFee[] {
  return (node.kind === "list" ? node.items : [node]).map(partnerFeeOf);
}

function partnerFeeOf(node: JsonNode): PartnerFee {
  requireStruct(node, { struct: "PartnerFee", size: "4 elements" });
  const recipient = member(node, "recipient", required(readAddress));
  const bps = (name: string) => member(node, name, required(integer("u64")));
  if (memberOf(node, "surplusBps") !== undefined) {
    return { recipient, surplusBps: bps("surplusBps"), maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "priceImprovementBps") !== undefined) {
    const priceImprovementBps = bps("priceImprovementBps");
    return { recipient, priceImprovementBps, maxVolumeBps: bps("maxVolumeBps") };
  }
  if (memberOf(node, "volumeBps") !== undefined) return { recipient, volumeBps: bps("volumeBps") };
  if (memberOf(node, "bps") !== undefined) return { recipient, bps: bps("bps") };
  throw new LocatedMismatch("data did not match any variant of partner fee", node.end);
}

function hooksOf(node: JsonNode): CheckedAppData["hooks"] {
  requireStruct(node, { struct: "Hooks", size: "2 elements" });
  const listed = (when: string) => member(node, when, optional(listOf(hookOf))) ?? [];
  return { pre: listed("pre"), post: listed("post") };
}

function hookOf(node: JsonNode): HookCall {
  requireStruct(node, { struct: "Hook", size: "3 elements" });
  return {
    target: member(node, "target", required(readAddress)),
    callData: member(node, "callData", required(readBytes)),
    gasLimit: member(node, "gasLimit", required((limit) => parseU64(readText(limit)))),
  };
}

function replacedUidOf(node: JsonNode): string {
  requireStruct(node, { struct: "ReplacedOrder", size: "1 element" });
  return member(node, "uid", required(readUid));
}

function requireStruct(node: JsonNode, { struct, size }: { struct: string; size: string }): void {
  if (node.kind === "object") return;
  throw node.kind === "list"
    ? new LocatedMismatch(
      `invalid length ${node.items.length}, expected struct ${struct} with ${size}`,
      node.end,
    )
    : new LocatedMismatch(
      `invalid type: ${describeNode(node)}, expected struct ${struct}`,
      reportedOffset(node),
    );
}

function member<T>(node: JsonNode, name: string, { read, fallback }: Field<T>): T {
  const value = memberOf(node, name);
  if (value !== undefined) return readLocated(value, read);
  if (fallback === undefined) {
    throw new LocatedMismatch(`missing field \`${name}\``, node.end);
  }
  return fallback.value;
}

function readLocated<T>(node: JsonNode, read: Field<T>["read"]): T {
  try {
    return read(node);
  } catch (error) {
    if (!(error instanceof Mismatch) || error instanceof LocatedMismatch) throw error;
    throw new LocatedMismatch(error.message, reportedOffset(node));
  }
}

type Shape = Readonly<Record<string, Field<unknown>>>;
type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** The fields of a JSON body; as in the service, the first error is reported. */
export class Fields {
  readonly #text: string;
  readonly #root: JsonNode;
  readonly #syntaxRejection: Rejection | null;

  /**
   * Parses a body.
   *
   * @throws {Rejection} 400 or 422 as text, if it is not an object.
   */
  constructor(body: string, struct: string) {
    const { root, syntaxError } = readJson(body);
    this.#text = body;
    this.#syntaxRejection = syntaxError === null ? null : invalidJson(syntaxError);
    if (root === null) throw this.#syntaxRejection!;
    this.#root = root;
    if (root.kind !== "object") throw wrongKind(body, root, `struct ${struct}`);
  }

  /** Whether a field is present, even if it is `null`. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** The unparsed value of a field; `undefined` if it is missing. */
  raw(name: string): JsonNode | undefined {
    return memberOf(this.#root, name);
  }

  /**
   * Reads fields: present ones in the body's sequence, then missing ones in the shape's.
   *
   * @throws {Rejection} 400 or 422 as text.
   */
  all<Wanted extends Shape>(shape: Wanted): Values<Wanted> {
    const values = new Map<string, unknown>();
    for (const { name, nameEnd, value } of membersOf(this.#root)) {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) continue;
      if (values.has(name)) {
        throw wrongShape(`duplicate field \`${name}\` ${positionIn(this.#text, nameEnd)}`);
      }
      values.set(name, readNode(this.#text, value, { name, read: field.read }));
    }
    if (this.#syntaxRejection !== null) throw this.#syntaxRejection;
    for (const [name, { fallback }] of Object.entries(shape)) {
      if (values.has(name)) continue;
      if (fallback === undefined) throw this.rejection(`missing field \`${name}\``);
      values.set(name, fallback.value);
    }
    return Object.fromEntries(values) as Values<Wanted>;
  }

  /**
   * Reads a field whose errors are reported after those of `all`; `undefined` if it is missing.
   *
   * @throws {Rejection} 422 as text.
   */
  deferred<T>(name: string, read: Field<T>["read"]): T | undefined {
    const [node, second] = membersOf(this.#root).filter((member) => member.name === name);
    if (node === undefined) return undefined;
    if (second !== undefined) throw this.rejection(`duplicate field \`${name}\``);
    return orReject(() => read(node.value), (reason) => this.rejection(reason));
  }

  /** A rejection for the shape of the body. */
  rejection(message: string): Rejection {
    return wrongShape(`${message} ${positionIn(this.#text, this.#root.end)}`);
  }
}

/**
 * Reads a body that is a list.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readList<T>(body: string, read: Field<T>["read"]): T[] {
  const { root, syntaxError } = readJson(body);
  if (root === null) throw invalidJson(syntaxError!);
  if (root.kind !== "list") throw wrongKind(body, root, "a sequence");
  const items = root.items.map((item, at) => readNode(body, item, { name: `[${at}]`, read }));
  if (syntaxError !== null) throw invalidJson(syntaxError);
  return items;
}

function membersOf(node: JsonNode) {
  return node.kind === "object" ? node.members : [];
}

function readNode<T>(
  body: string,
  node: JsonNode,
  { name, read }: { name: string; read: Field<T>["read"] },
): T {
  try {
    return read(node);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    if (error instanceof NotAString) {
      throw invalidJson({
        path: name,
        message: `${error.message} ${positionOfNext(body, node.start)}`,
      });
    }
    throw wrongShape(`${name}: ${error.message} ${positionIn(body, reportedOffset(node))}`);
  }
}

function wrongKind(body: string, node: JsonNode, wanted: string): Rejection {
  return wrongShape(
    `invalid type: ${describeNode(node)}, expected ${wanted} ${
      positionIn(body, reportedOffset(node))
    }`,
  );
}

function invalidJson({ path, message }: { path: string; message: string }): Rejection {
  const where = path === "" ? "" : `${path}: `;
  return new Rejection(text(`Failed to parse the request body as JSON: ${where}${message}`, 400));
}

function wrongShape(message: string): Rejection {
  return new Rejection(
    text(`Failed to deserialize the JSON body into the target type: ${message}`, 422),
  );
}

/** How to read a field. */
interface Field<T> {
  /** Reads its value. @throws {Mismatch} If the value is of another kind. */
  readonly read: (node: JsonNode) => T;
  /** Value if the field is missing; without a fallback, the field is required. */
  readonly fallback?: { readonly value: T };
}

/** A required field. */
export function required<T>(read: Field<T>["read"]): Field<T> {
  return { read };
}

/** A field that may be missing or `null`. */
export function optional<T>(read: Field<T>["read"]): Field<T | undefined> {
  const fallback = { value: undefined };
  return { read: (node) => node.kind === "null" ? undefined : read(node), fallback };
}

/** A field that may be missing, but not `null`. */
export function defaulted<T>(read: Field<T>["read"], value: NoInfer<T>): Field<T> {
  return { read, fallback: { value } };
}
