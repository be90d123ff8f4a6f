import { auctionRole } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

const OWNER = `0x${"aB".repeat(20)}`;
const UID = `0x${"01".repeat(32)}${OWNER.slice(2).toLowerCase()}ffffffff`;
const LIQUIDITY = { uid: UID, class: "liquidity", fullAppData: null };

Deno.test("auctionRole() follows the list of UIDs, for any class", () => {
  const listed = { orders: ["0x0e", UID.toUpperCase().replace("0X", "0x")] };
  assertEquals(auctionRole(LIQUIDITY, listed), "listed");
  const owners = { surplusCapturingJitOrderOwners: [] };
  assertEquals(
    auctionRole({ uid: UID, class: "limit" }, { orders: ["0x0e"] }, owners),
    "liquidity",
  );
});

Deno.test("auctionRole() finds the owner in the UID, in either case", () => {
  const auction = { orders: ["0x0e"] };
  const owners = (...surplusCapturingJitOrderOwners: string[]) => ({
    surplusCapturingJitOrderOwners,
  });
  assertEquals(auctionRole({ uid: UID }, auction, owners("0x00", OWNER)), "capturing");
  assertEquals(auctionRole({ uid: UID }, auction, owners("0x00")), "liquidity");
  assertEquals(auctionRole({ uid: UID }, auction), "unknown");
});

Deno.test("auctionRole() uses other evidence without the auction, or without its list", () => {
  for (const auction of [null, undefined, { orders: [] }]) {
    assertEquals(auctionRole({ uid: UID }, auction), "listed");
    assertEquals(auctionRole(LIQUIDITY, auction), "unknown");
    assertEquals(auctionRole({ ...LIQUIDITY, fullAppData: "{}" }, auction), "listed");
  }
});

Deno.test("auctionRole() is unlisted if the auction lists no orders and the owners are known", () => {
  const surplusCapturingJitOrderOwners: string[] = [];
  const options = { surplusCapturingJitOrderOwners };
  assertEquals(auctionRole({ uid: UID }, { orders: [] }, options), "liquidity");
  assertEquals(auctionRole({ uid: UID }, null, options), "listed");
});
