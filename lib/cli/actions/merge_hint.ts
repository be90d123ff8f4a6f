import type { Session } from "../terminal/session.ts";

/** Tells how all shards are joined, once there is one of them. */
export function sayHowToMerge(session: Session, { of }: { readonly of: number }): void {
  if (of === 1) return;
  const folders = of === 2 ? "SHARD1 SHARD2" : `SHARD1 … SHARD${of}`;
  const all = of === 2 ? "both" : `all ${of}`;
  session.say(`When ${all} shards are there:`, `  orderlens merge ${folders} --into WHOLE`);
}
