import { axisText } from "./axis_text.ts";

/** A difference as a person reads it: with its sign, `+1.5`, `−20` or `0`. */
export function signedText(value: number): string {
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return sign + axisText(Math.abs(value));
}

/** A difference in basis points with at most one digit after the point: `+1.5 bps`. */
export function bpsText(value: number): string {
  const size = Math.abs(value);
  const shown = size < 0.1
    ? Number(value.toPrecision(2))
    : size < 1e6
    ? Number(value.toFixed(1))
    : value;
  return `${signedText(shown)} bps`;
}
