import { auctionRole } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

const OWNER = `0x${"aB".repeat(20)}`;
const UID = `0x${"01".repeat(32)}${OWNER.slice(2).toLowerCase()}ffffffff`;
const LIQUIDITY = { uid: UID, class: "liquidity", fullAppData: null };

Deno.test("auctionRole() is decided by the list of UIDs, whatever the class", () => {
  const listed = { orders: ["0x0e", UID.toUpperCase().replace("0X", "0x")] };
  assertEquals(auctionRole(LIQUIDITY, listed), "listed");
  const owners = { surplusCapturingJitOrderOwners: [] };
  assertEquals(
    auctionRole({ uid: UID, class: "limit" }, { orders: ["0x0e"] }, owners),
    "liquidity",
  );
});

Deno.test("auctionRole() finds the owner in the UID, in any case", () => {
  const auction = { orders: ["0x0e"] };
  const owners = (...surplusCapturingJitOrderOwners: string[]) => ({
    surplusCapturingJitOrderOwners,
  });
  assertEquals(auctionRole({ uid: UID }, auction, owners("0x00", OWNER)), "capturing");
  assertEquals(auctionRole({ uid: UID }, auction, owners("0x00")), "liquidity");
  assertEquals(auctionRole({ uid: UID }, auction), "unknown");
});

Deno.test("auctionRole() without the auction, or of one without a list, goes by what supports it", () => {
  for (const auction of [null, undefined, { orders: [] }]) {
    assertEquals(auctionRole({ uid: UID }, auction), "listed");
    assertEquals(auctionRole(LIQUIDITY, auction), "unknown");
    assertEquals(auctionRole({ ...LIQUIDITY, fullAppData: "{}" }, auction), "listed");
  }
});

Deno.test("auctionRole() takes an order for unlisted where an auction lists none and owners are known", () => {
  const surplusCapturingJitOrderOwners: string[] = [];
  const options = { surplusCapturingJitOrderOwners };
  assertEquals(auctionRole({ uid: UID }, { orders: [] }, options), "liquidity");
  assertEquals(auctionRole({ uid: UID }, null, options), "listed");
});
