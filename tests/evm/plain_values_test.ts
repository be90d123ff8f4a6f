import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, parseAbi } from "viem";
import { SETTLEMENT_ABI, toLowerCase } from "../../lib/evm/abis.ts";
import { readPlainValues } from "../../lib/evm/plain_values.ts";

/** A parameter, and values that it may have. */
interface Typed {
  readonly parameter: AbiParameter;
  readonly value: fc.Arbitrary<unknown>;
}

function hexOf(bytes: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => `0x${all.toHex()}`);
}

const typed = (type: string, value: fc.Arbitrary<unknown>): Typed => ({
  parameter: { type, name: "" },
  value,
});

/** Types without others in them. */
const SCALARS: readonly Typed[] = [
  ...[8, 32, 48].map((bits) => typed(`uint${bits}`, fc.nat({ max: 2 ** bits - 1 }))),
  ...[56, 64, 256].map((bits) =>
    typed(`uint${bits}`, fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }))
  ),
  typed("address", hexOf(20)),
  typed("bool", fc.boolean()),
  ...[1, 4, 32].map((bytes) => typed(`bytes${bytes}`, hexOf(bytes))),
  typed("bytes", fc.nat({ max: 70 }).chain(hexOf)),
];

function listsOf({ parameter, value }: Typed): fc.Arbitrary<Typed> {
  const { type } = parameter;
  return fc.constantFrom(
    { parameter: { ...parameter, type: `${type}[]` }, value: fc.array(value, { maxLength: 3 }) },
    { parameter: { ...parameter, type: `${type}[2]` }, value: fc.tuple(value, value) },
  );
}

function tupleOf(parts: readonly Typed[]): Typed {
  const components = parts.map(({ parameter }, index) => ({ ...parameter, name: `part${index}` }));
  const value = fc.record(
    Object.fromEntries(parts.map((part, index) => [`part${index}`, part.value])),
    { noNullPrototype: true },
  );
  return { parameter: { type: "tuple", name: "", components }, value };
}

const TYPES = fc.letrec<{ type: Typed }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...SCALARS),
    tie("type").chain(listsOf),
    fc.array(tie("type"), { minLength: 1, maxLength: 3 }).map(tupleOf),
  ),
})).type;

/** Some parameters with values. */
const VALUES = fc.array(TYPES, { minLength: 1, maxLength: 4 }).chain((types) =>
  fc.tuple(...types.map(({ value }) => value)).map((values) => ({
    parameters: types.map(({ parameter }) => parameter),
    values,
  }))
);

/** The definition: what viem reads, if viem writes it in the same digits; `null` otherwise. */
function readByViem(parameters: readonly AbiParameter[], digits: string) {
  try {
    const values = decodeAbiParameters(parameters, `0x${digits}`);
    const encoded = encodeAbiParameters(parameters, values).slice(2);
    if (!digits.toLowerCase().startsWith(encoded)) return null;
    return { values: toLowerCase(values), end: encoded.length };
  } catch {
    return null;
  }
}

Deno.test("readPlainValues() reads viem's encoding of any types, and stops at its end", () => {
  fc.assert(
    fc.property(VALUES, fc.nat({ max: 40 }).chain(hexOf), ({ parameters, values }, suffix) => {
      const digits = encodeAbiParameters(parameters, values).slice(2);
      const plain = readPlainValues(parameters, digits + suffix.slice(2));
      assertEquals(plain, { values, end: digits.length });
      assertEquals(plain, readByViem(parameters, digits + suffix.slice(2)));
    }),
    { numRuns: 500 },
  );
});

/** Words that lengths, offsets and values may be mistaken for. */
const WORDS = [0n, 1n, 2n, 32n, 64n, 96n, 128n, 2n ** 53n, 2n ** 255n, 2n ** 256n - 1n]
  .map((value) => value.toString(16).padStart(64, "0"));

Deno.test("readPlainValues() agrees with viem where viem writes the same digits, also after alterations", () => {
  const [settle] = SETTLEMENT_ABI.filter((item) => item.type === "function");
  const nothing = encodeAbiParameters(settle!.inputs, [[], [], [], [[], [], []]]);
  const settlements = fc.constant({ parameters: settle!.inputs, digits: nothing.slice(2) });
  const encoded = VALUES.map(({ parameters, values }) => ({
    parameters,
    digits: encodeAbiParameters(parameters, values).slice(2),
  }));
  let plain = 0;
  fc.assert(
    fc.property(
      fc.oneof({ arbitrary: encoded, weight: 9 }, settlements),
      fc.nat(),
      fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom("0", "1", "f", "")),
      ({ parameters, digits }, at, replacement) => {
        const size = replacement.length === 64 ? 64 : 1;
        const index = size * (at % Math.ceil(digits.length / size));
        const altered = digits.slice(0, index) + replacement + digits.slice(index + size);
        const read = readPlainValues(parameters, altered);
        if (read !== null) plain++;
        assertEquals(read, altered.length % 2 === 0 ? readByViem(parameters, altered) : null);
      },
    ),
    { numRuns: 2_000 },
  );
  assert(plain > 200 && plain < 1_800, `${plain} of 2,000 were read`);
});

Deno.test("readPlainValues() reads digits of either case, and rejects other text", () => {
  const [{ inputs }] = parseAbi(["function f(bytes data, address owner)"]);
  const digits = encodeAbiParameters(inputs, ["0xabcd", `0x${"ab".repeat(20)}`]).slice(2);
  const values = ["0xabcd", `0x${"ab".repeat(20)}`];
  assertEquals(readPlainValues(inputs, digits.toUpperCase()), { values, end: digits.length });
  for (const text of [`${digits}zz`, `${digits}0`, digits.slice(0, -1), digits.slice(0, -2), ""]) {
    assertEquals(readPlainValues(inputs, text), null);
  }
});

Deno.test("readPlainValues() throws for a type with an unknown layout", () => {
  const word = "0".repeat(64);
  assertThrows(() => readPlainValues([{ type: "int8" }], word), TypeError, "the type int8");
});
