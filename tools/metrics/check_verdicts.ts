import { connect, type DebugReport, type OrderBook } from "orderlens";
import type { Transport } from "orderlens/http";
import { type Replay, replay } from "orderlens/recordings";
import { inspectOrder, type OrderCause, type OrderReport } from "orderlens/reports";
import type { Scenario } from "./read_scenario.ts";
import { indexStoredCauses } from "./stored_cause.ts";
import type { Check, Tally } from "./tally.ts";

/** Orders of a scenario whose auctions are walked: one walk decodes hundreds of competitions. */
const MAX_WALKED = 40;

/**
 * Checks the verdict of every recorded order against the service's rows: with its debug report, by
 * public responses within the default budget, and by those with all auctions of its lifetime. Without a report, a verdict
 * may be unknown if the stored cause is among those that fit.
 */
export async function checkVerdicts(
  { name, truth, orders, reports }: Scenario,
  folder: string,
  tally: Tally,
): Promise<void> {
  const causes = truth === null ? null : indexStoredCauses(truth);
  if (causes === null || orders.size === 0) return;
  const recording = await openRecording(folder, name);
  if (recording === null || recording.deployment === null) return;
  let walked = 0;
  const [full, bare] = [connect(recording), connect(refuseReports(recording))];
  for (const uid of recording.recorded.orderUids) {
    const report = reports.get(uid);
    if (report !== undefined) await check("verdicts", full, false, uid);
    const cause = await check("verdicts/public", bare, false, uid);
    if (cause === "unknown" && walked++ < MAX_WALKED) {
      await check("verdicts/deep", bare, true, uid);
    }
  }
  tally.remarks.push(
    `${tally.unexplained} of ${recording.recorded.orderUids.length} reports by public responses do not show why`,
  );

  async function check(
    kind: Check,
    book: OrderBook,
    deep: boolean,
    uid: string,
  ): Promise<OrderCause> {
    const inspection = await inspectOrder(book, uid, { deep });
    if (kind === "verdicts/public" && /do not show|no response shows/.test(inspection.sentence)) {
      tally.unexplained++;
    }
    const report = reports.get(uid) ?? null;
    const expected = inspection.order === null || !isFresh(inspection, report)
      ? null
      : causes!.find(inspection.order, report);
    if (expected === null) tally.skip(kind);
    else if (inspection.cause === "unknown" && kind !== "verdicts") {
      const fits = inspection.possible.includes(expected);
      tally.check(kind, fits ? null : `${uid}: fits ${inspection.possible}, but not ${expected}`);
    } else {
      const difference = `${uid}: ${inspection.cause}, but ${expected} by what was stored`;
      tally.check(kind, inspection.cause === expected ? null : difference);
    }
    return inspection.cause;
  }
}

/** Without events, only an order that is over is known to be as it was stored in the end. */
function isFresh({ order }: OrderReport, report: DebugReport | null): boolean {
  return report !== null || order?.status === "fulfilled" || order?.status === "cancelled" ||
    order?.status === "expired";
}

async function openRecording(folder: string, name: string): Promise<Replay | null> {
  for (const ending of ["ndjson", "ndjson.gz"]) {
    const file = `${folder}/${name}.${ending}`;
    try {
      await Deno.stat(file);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
    return await replay(file);
  }
  return null;
}

/** A transport of a known deployment, such as a recording. */
export type DeployedTransport =
  & Transport
  & Pick<Replay, "deployment">
  & Partial<Pick<Replay, "recorded">>;

/** Makes a deployment refuse debug reports, as public ones do. */
export function refuseReports(transport: DeployedTransport): DeployedTransport {
  const { baseUrl, deployment, recorded } = transport;
  return {
    baseUrl,
    deployment,
    ...recorded && { recorded },
    send: (request) =>
      request.path.startsWith("/restricted/")
        ? Promise.resolve({
          status: 403,
          contentType: "text/plain",
          headers: new Headers(),
          body: "Forbidden",
        })
        : transport.send(request),
  };
}
