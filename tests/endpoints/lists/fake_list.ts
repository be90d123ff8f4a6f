import { type FakeAnswer, FakeTransport } from "../fake_transport.ts";
import { orderNumber, uidNumber } from "../recorded_bodies.ts";

/** A list of the service whose rows can be changed between requests. */
export class FakeList extends FakeTransport {
  rows: unknown[];

  constructor(rows: unknown[], tamper?: (asked: number) => unknown[] | undefined) {
    super(({ path }): FakeAnswer => {
      const { searchParams } = new URL(path, this.baseUrl);
      const offset = Number(searchParams.get("offset"));
      const limit = Number(searchParams.get("limit"));
      const tampered = tamper?.(this.requests.length);
      return { body: tampered ?? this.rows.slice(offset, offset + limit) };
    });
    this.rows = rows;
  }

  get ranges(): string[] {
    return this.paths.map((path) => path.replace(/^.*\?(?:owner=0x\w+&)?/, ""));
  }
}

/** Orders `count` to 1, newest first. */
export function orders(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => orderNumber(count - index));
}

/** The UIDs of the orders `from` to `to`. */
export function uids(from: number, to: number): string[] {
  return Array.from({ length: from - to + 1 }, (_, index) => uidNumber(from - index));
}

/** The UIDs of all orders of a list. */
export async function uidsOf(list: AsyncIterable<{ uid: string }>): Promise<string[]> {
  return (await Array.fromAsync(list)).map(({ uid }) => uid);
}
