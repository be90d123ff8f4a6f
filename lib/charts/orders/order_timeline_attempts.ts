import { COLORS } from "../figure/colors.ts";

/** How a settlement attempt looks. */
export interface AttemptLook {
  /** What it means. */
  label: string;
  /** Fill of its mark. */
  fill: string;
  /** Stroke of its mark. */
  stroke: string;
}

/** How settlement attempts look, by outcome. */
export const ATTEMPTS = {
  success: { label: "successful attempt", fill: COLORS.green, stroke: COLORS.green },
  failed: { label: "failed attempt", fill: COLORS.vermilion, stroke: COLORS.vermilion },
  pending: { label: "pending attempt", fill: "white", stroke: COLORS.muted },
} as const satisfies Readonly<Record<string, AttemptLook>>;

/** How a settlement attempt with this outcome looks. */
export function attemptOf(outcome: string | null | undefined): AttemptLook {
  if (outcome === null || outcome === undefined) return ATTEMPTS.pending;
  return outcome === "success" ? ATTEMPTS.success : ATTEMPTS.failed;
}
