const SECONDS_IN_DAY = 86_400;
const NANOSECONDS_IN_SECOND = 1_000_000_000n;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
/** Length of the text of a day in the years 0 to 9999. */
const USUAL_DAY_LENGTH = 10;

/** The text of the most recent day: times of a list mostly fall on few days. */
let lastDay = NaN;
let lastDayText = "";

/**
 * The text of a time, as returned by its `toString`: RFC 3339 in UTC with every digit; several
 * times faster, because each day is formatted once.
 */
export function instantText(instant: Temporal.Instant): string {
  const wholeSeconds = Math.floor(instant.epochMilliseconds / 1_000);
  const day = Math.floor(wholeSeconds / SECONDS_IN_DAY);
  if (day !== lastDay) {
    lastDay = day;
    lastDayText = new Date(day * SECONDS_IN_DAY * 1_000).toISOString().replace(/T.*$/, "");
  }
  if (lastDayText.length !== USUAL_DAY_LENGTH) return instant.toString();
  const second = wholeSeconds - day * SECONDS_IN_DAY;
  const hours = TWO_DIGITS[Math.floor(second / 3_600)];
  const minutes = TWO_DIGITS[Math.floor(second / 60) % 60];
  const fraction = fractionText(
    Number(instant.epochNanoseconds - BigInt(wholeSeconds) * NANOSECONDS_IN_SECOND),
  );
  return `${lastDayText}T${hours}:${minutes}:${TWO_DIGITS[second % 60]}${fraction}Z`;
}

function fractionText(nanoseconds: number): string {
  if (nanoseconds === 0) return "";
  const digits = String(nanoseconds).padStart(9, "0");
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return `.${digits.slice(0, end)}`;
}
