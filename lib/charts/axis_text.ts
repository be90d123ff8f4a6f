/** A number as a person reads it beside a mark: 4 digits, an exponent where it saves many zeros. */
export function axisText(value: number): string {
  if (value < 0) return `−${axisText(-value)}`;
  if (value === 0) return "0";
  if (value >= 1e6 || value < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, "e");
  return value < 1e4
    ? String(Number(value.toPrecision(4)))
    : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

/** A share from 0 to 1 as percent, with at most one decimal; never 0 % or 100 % unless it is. */
export function percentText(share: number): string {
  const percent = share * 100;
  const size = Math.abs(percent);
  if (size > 0 && size < 0.1) return `${percent < 0 ? "−" : ""}<0.1 %`;
  if (percent > 99.9 && percent < 100) return ">99.9 %";
  return `${Number(percent.toFixed(size >= 10 && size <= 90 ? 0 : 1))} %`;
}
