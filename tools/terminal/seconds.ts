/** A duration for readers: `0.8 s`, `12 s`, `2 min 5 s`. */
export function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  if (whole >= 60) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return milliseconds < 9_950 ? `${(milliseconds / 1000).toFixed(1)} s` : `${whole} s`;
}
