/** Options of {@linkcode placePoint}. */
export interface PlacePointOptions {
  /** Separator between groups of three digits of the whole part; none if `""` or absent. */
  grouping?: string | undefined;
}

/**
 * Formats `coefficient / 10^fractionDigits`, with exactly `fractionDigits` digits after the point.
 * Zero has no sign.
 */
export function placePoint(
  coefficient: bigint,
  fractionDigits: number,
  options: PlacePointOptions = {},
): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = `${coefficient < 0n ? -coefficient : coefficient}`
    .padStart(fractionDigits + 1, "0");
  const point = digits.length - fractionDigits;
  const whole = group(digits.slice(0, point), options.grouping ?? "");
  return fractionDigits === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(point)}`;
}

function group(whole: string, separator: string): string {
  return separator === "" ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, () => separator);
}
