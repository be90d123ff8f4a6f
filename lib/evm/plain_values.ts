import type { AbiParameter } from "viem";
import { WORD_DIGITS } from "./hex.ts";

/** Values, and the end of the digits that were read. */
interface PlainValues<Values> {
  readonly values: Values;
  readonly end: number;
}

/**
 * Reads ABI-encoded values in the one layout that compilers and libraries write: encoded again, they
 * are the same digits. viem reads other layouts too, and finds values in almost any bytes.
 *
 * @param digits Hex digits without `0x`; what follows the values is left.
 * @returns The values as viem has them, with hex in lower case; `null` in any other layout.
 * @see {@link https://docs.soliditylang.org/en/latest/abi-spec.html#formal-specification-of-the-encoding | the encoding}
 */
export function readPlainValues<Values extends readonly unknown[]>(
  parameters: readonly AbiParameter[],
  digits: string,
): PlainValues<Values> | null {
  const layouts = resolveLayouts(parameters);
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return null;
  const text: PlainText = { digits: digits.toLowerCase(), end: 0 };
  try {
    const values = readAll(text, 0, layouts);
    return { values: values as readonly unknown[] as Values, end: text.end };
  } catch (error) {
    if (error instanceof LayoutError) return null;
    throw error;
  }
}

/** Digits, and the end of the values that were read last. */
interface PlainText {
  readonly digits: string;
  end: number;
}

/** The layout of a type: among others, a value is where it is, or the offset to it if it is dynamic. */
interface Layout {
  readonly isDynamic: boolean;
  /** Number of digits of the value or its offset. */
  readonly size: number;
  /** Reads the value at an index; of a dynamic one, `text.end` is the end then. */
  read(text: PlainText, index: number): unknown;
}

/** Thrown for digits that no encoder writes. */
class LayoutError extends Error {}

const layoutsByParameters = new WeakMap<readonly AbiParameter[], readonly Layout[]>();

function resolveLayouts(parameters: readonly AbiParameter[]): readonly Layout[] {
  let layouts = layoutsByParameters.get(parameters);
  if (layouts === undefined) {
    layouts = parameters.map(toLayout);
    layoutsByParameters.set(parameters, layouts);
  }
  return layouts;
}

function toLayout(parameter: AbiParameter): Layout {
  const { type } = parameter;
  const [, element, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined) return toListLayout(toLayout({ ...parameter, type: element }), count!);
  if ("components" in parameter) return toTupleLayout(parameter.components);
  if (type === "bytes") return { isDynamic: true, size: WORD_DIGITS, read: readBytes };
  const read = createWordReader(type);
  return {
    isDynamic: false,
    size: WORD_DIGITS,
    read: (text, index) => read(readWord(text, index)),
  };
}

function toListLayout(element: Layout, count: string): Layout {
  if (count !== "") return toGroupLayout(Array<Layout>(Number(count)).fill(element));
  const read: Layout["read"] = (text, index) => {
    const length = Number(`0x${readWord(text, index)}`);
    const start = index + WORD_DIGITS;
    if (length * element.size > text.digits.length - start) throw new LayoutError();
    return readAll(text, start, Array<Layout>(length).fill(element));
  };
  return { isDynamic: true, size: WORD_DIGITS, read };
}

function toTupleLayout(components: readonly AbiParameter[]): Layout {
  const group = toGroupLayout(components.map(toLayout));
  const read: Layout["read"] = (text, index) => {
    const values = group.read(text, index) as unknown[];
    return Object.fromEntries(components.map(({ name }, index) => [name, values[index]]));
  };
  return { ...group, read };
}

function toGroupLayout(layouts: readonly Layout[]) {
  const isDynamic = layouts.some((layout) => layout.isDynamic);
  const size = isDynamic ? WORD_DIGITS : sumSizes(layouts);
  const read: Layout["read"] = (text, index) => readAll(text, index, layouts);
  return { isDynamic, size, read };
}

function sumSizes(layouts: readonly Layout[]): number {
  return layouts.reduce((sum, { size }) => sum + size, 0);
}

/** Reads values side by side; dynamic ones follow all of them, in order and without gaps. */
function readAll(text: PlainText, start: number, layouts: readonly Layout[]): unknown[] {
  let index = start;
  let end = start + sumSizes(layouts);
  const values = layouts.map(({ isDynamic, size, read }) => {
    const here = index;
    index += size;
    if (!isDynamic) return read(text, here);
    if (Number(`0x${readWord(text, here)}`) !== (end - start) / 2) throw new LayoutError();
    const value = read(text, end);
    end = text.end;
    return value;
  });
  text.end = end;
  return values;
}

function readBytes(text: PlainText, index: number): string {
  const start = index + WORD_DIGITS;
  const length = 2 * Number(`0x${readWord(text, index)}`);
  const end = start + Math.ceil(length / WORD_DIGITS) * WORD_DIGITS;
  if (end > text.digits.length) throw new LayoutError();
  requireZeros(text.digits.slice(start + length, end));
  text.end = end;
  return `0x${text.digits.slice(start, start + length)}`;
}

function readWord({ digits }: PlainText, index: number): string {
  if (index + WORD_DIGITS > digits.length) throw new LayoutError();
  return digits.slice(index, index + WORD_DIGITS);
}

const ZEROS = "0".repeat(WORD_DIGITS);

function requireZeros(padding: string): void {
  if (!ZEROS.startsWith(padding)) throw new LayoutError();
}

/** Returns the last digits of a word whose other digits are zeros. */
function takeLastDigits(word: string, count: number): string {
  requireZeros(word.slice(0, -count));
  return word.slice(-count);
}

/** Integers of at most this many bits are numbers, as in viem. */
const MAX_NUMBER_BITS = 48;

/** Creates the reader of a type that takes one word. */
function createWordReader(type: string): (word: string) => unknown {
  const [, kind, size] = /^(uint|bytes|address|bool)(\d*)$/.exec(type) ?? [];
  const count = Number(size);
  switch (kind) {
    case "address":
      return (word) => `0x${takeLastDigits(word, 40)}`;
    case "uint": {
      const toValue = count > MAX_NUMBER_BITS ? BigInt : Number;
      return (word) => toValue(`0x${takeLastDigits(word, count / 4)}`);
    }
    case "bytes":
      return (word) => {
        requireZeros(word.slice(2 * count));
        return `0x${word.slice(0, 2 * count)}`;
      };
    case "bool":
      return (word) => {
        const digit = takeLastDigits(word, 1);
        if (digit > "1") throw new LayoutError();
        return digit === "1";
      };
  }
  throw new TypeError(`The layout of the type ${type} is not known`);
}
