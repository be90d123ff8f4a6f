import { COLORS } from "../figure/colors.ts";

/** How a try to settle looks. */
export interface AttemptLook {
  /** What it means. */
  label: string;
  /** Fill of its mark. */
  fill: string;
  /** Stroke of its mark. */
  stroke: string;
}

/** How tries to settle look, by how they ended. */
export const ATTEMPTS = {
  success: { label: "attempt that succeeded", fill: COLORS.green, stroke: COLORS.green },
  failed: { label: "attempt that failed", fill: COLORS.vermilion, stroke: COLORS.vermilion },
  pending: { label: "attempt still pending", fill: "white", stroke: COLORS.muted },
} as const satisfies Readonly<Record<string, AttemptLook>>;

/** How a try to settle looks that ended so. */
export function attemptOf(outcome: string | null | undefined): AttemptLook {
  if (outcome === null || outcome === undefined) return ATTEMPTS.pending;
  return outcome === "success" ? ATTEMPTS.success : ATTEMPTS.failed;
}
