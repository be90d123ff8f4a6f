import { sharePercent } from "../../units/mod.ts";

/** A number for labels: 4 significant digits, with an exponent for very large or small ones. */
export function axisText(value: number): string {
  if (value < 0) return `−${axisText(-value)}`;
  if (value === 0) return "0";
  if (value >= 1e6 || value < 1e-4) return exponentText(value, 2).replace(/\.?0*e/, "e");
  return value < 1e4
    ? String(Number(value.toPrecision(4)))
    : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

/** A number with an exponent and a given number of digits after the point: `1.50e−7`. */
export function exponentText(value: number, digits: number): string {
  return value.toExponential(digits).replace("e+", "e").replaceAll("-", "−");
}

/** A number with all its digits, for tooltips, with the minus sign of all charts. */
export function exactText(value: number): string {
  return String(value).replace("e+", "e").replaceAll("-", "−");
}

/** Formats shares alike: all have a decimal where one needs it. `0%` and `100%` are exact. */
export function percentTexts(shares: readonly number[]): string[] {
  const texts = shares.map(percentText);
  if (!texts.some((text) => /\.\d%$/.test(text) && !/[<>]/.test(text))) return texts;
  return shares.map((share, at) =>
    /[<>]/.test(texts[at]!) || share === 0 || share === 1
      ? texts[at]!
      : `${(share * 100).toFixed(1)}%`.replace("-", "−")
  );
}

/** A share from 0 to 1 as percent, as `sharePercent` writes it, with the minus sign of all charts. */
export function percentText(share: number): string {
  return sharePercent(share).replace("-", "−");
}
