import { REFUSED } from "./leaf.ts";
import { hasProtoKey } from "./proto_key.ts";

/** Decodes a part of a body, or returns `REFUSED`. */
export type Read = (value: unknown) => unknown;

/** How often decoding gives another value than the one received. */
export type Changes = "never" | "sometimes" | "always";

/** A declared field of an object. */
export interface Field {
  /** Name of the field. */
  readonly key: string;
  /** Whether it may be absent. */
  readonly isOptional: boolean;
  /** Whether it may be `null`, which stays so. */
  readonly isNullable: boolean;
  /** Decodes its value. */
  readonly read: Read;
  /** Code of a condition on the variable of that name, in place of `read`. */
  readonly isValid: ((variable: string) => string) | undefined;
  /** Whether that changes the value. */
  readonly changes: Changes;
}

/** A field with the texts that stand for it in the generated code. */
interface CodeField extends Field {
  /** Its name as a literal. */
  readonly name: string;
  /** The variable of its decoded value. */
  readonly variable: string;
}

/** Whether undeclared keys can be kept: only a hidden `__proto__` cannot. */
function canKeepExtras(value: Record<string, unknown>, known: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) {
    if (!known.has(key) && (key === "__proto__" || hasProtoKey(value[key]))) return false;
  }
  return true;
}

function copyExtras(
  value: Readonly<Record<string, unknown>>,
  decoded: Record<string, unknown>,
  known: ReadonlySet<string>,
): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key)) decoded[key] = value[key];
  }
}

function readingCode(field: CodeField, index: number): string {
  const { name, variable, isOptional, isNullable, isValid } = field;
  const read = isValid !== undefined
    ? `if (!(${isValid(variable)})) return REFUSED;`
    : `${variable} = r${index}(${variable}); if (${variable} === REFUSED) return REFUSED;`;
  return `let ${variable} = value[${name}];
${isOptional ? `if (${variable} !== undefined) { present++;` : "{"} ${
    isNullable ? `if (${variable} !== null) {${read}}` : read
  } }`;
}

/**
 * The constructor of records with optional fields. The engine gives its objects room for all fields
 * at once, which an object literal that grows does not have; they are plain objects all the same.
 */
function constructorCode(fields: readonly CodeField[]): string {
  const required = fields.filter(({ isOptional }) => !isOptional);
  const optional = fields.filter(({ isOptional }) => isOptional);
  return `function Plain(${fields.map(({ variable }) => variable).join(", ")}) {
${required.map(({ name, variable }) => `this[${name}] = ${variable};`).join("\n")}
${
    optional.map(({ name, variable }) =>
      `if (${variable} !== undefined) this[${name}] = ${variable};`
    ).join("\n")
  }
}
Plain.prototype = Object.prototype;`;
}

function recordCode(fields: readonly CodeField[]): string {
  if (fields.some(({ isOptional }) => isOptional)) {
    return `new Plain(${fields.map(({ variable }) => variable).join(", ")})`;
  }
  return `{ ${fields.map(({ name, variable }) => `${name}: ${variable}`).join(", ")} }`;
}

/** The record, with unknown fields; the body itself, if nothing in it changes. */
function buildingCode(fields: readonly CodeField[]): string {
  const changing = fields.filter(({ changes }) => changes !== "never");
  if (changing.length === 0) return "return value;";
  const mayShare = changing.every(({ changes, isOptional }) =>
    isOptional || changes === "sometimes"
  );
  const isSame = changing.map(({ name, variable }) => `${variable} === value[${name}]`);
  return `${mayShare ? `if (${isSame.join(" && ")}) return value;` : ""}
const decoded = ${recordCode(fields)};
if (keys !== present) copyExtras(value, decoded, known);
return decoded;`;
}

/** Straight-line code for one object: every declared field read by name, then the record. */
export function objectReader(declared: readonly Field[]): Read {
  const fields = declared.map((field, index): CodeField => ({
    ...field,
    name: JSON.stringify(field.key),
    variable: `v${index}`,
  }));
  const source = `"use strict";
${fields.map((_, index) => `const r${index} = readers[${index}];`).join("\n")}
${fields.some(({ isOptional }) => isOptional) ? constructorCode(fields) : ""}
return function read(value) {
if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
let present = ${fields.filter(({ isOptional }) => !isOptional).length};
${fields.map(readingCode).join("\n")}
let keys = 0;
for (const _ in value) keys++;
if (keys !== present && !canKeepExtras(value, known)) return REFUSED;
${buildingCode(fields)}
};`;
  const parameters = ["readers", "REFUSED", "canKeepExtras", "copyExtras", "known"];
  const link = new Function(...parameters, source);
  const readers = fields.map(({ read }) => read);
  const known = new Set(fields.map(({ key }) => key));
  return link(readers, REFUSED, canKeepExtras, copyExtras, known);
}
