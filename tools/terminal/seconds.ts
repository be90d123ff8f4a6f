/** Formats a duration: `0.8 s`, `12 s`, `2 min 5 s`. */
export function formatSeconds(milliseconds: number): string {
  const wholeSeconds = Math.round(milliseconds / 1000);
  if (wholeSeconds >= 60) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`;
  return milliseconds < 9_950 ? `${(milliseconds / 1000).toFixed(1)} s` : `${wholeSeconds} s`;
}
