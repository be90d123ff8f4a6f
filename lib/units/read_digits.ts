import { InputError } from "../errors/mod.ts";

/** A decimal number as written: `coefficient / 10^fractionDigits`. */
export interface Digits {
  /** All digits as one integer, with the sign. */
  coefficient: bigint;
  /** Number of digits after the decimal point. */
  fractionDigits: number;
}

/** Options of {@linkcode readDigits}. */
export interface ReadDigitsOptions {
  /** The noun for messages, such as `an amount with 6 decimals`. */
  what: string;
  /** Maximum number of fraction digits. */
  maxFractionDigits: number;
}

const DECIMAL = /^([+-]?)([0-9]+)(?:\.([0-9]+))?$/;

/** Parses strict decimal text: an optional sign, digits, and an optional point with digits. */
export function readDigits(text: string, options: ReadDigitsOptions): Digits {
  const match = DECIMAL.exec(text);
  if (match === null) throw refusal(text, options, fault(text));
  const [, sign = "", whole = "", fraction = ""] = match;
  if (fraction.length > options.maxFractionDigits) {
    throw refusal(text, options, {
      reason: `it has ${count(fraction.length)}, but at most ${options.maxFractionDigits} fit`,
      remedy: options.maxFractionDigits === 0
        ? "Pass a whole number: round it first, in the direction that suits its use"
        : `Round it to ${
          count(options.maxFractionDigits)
        } first, in the direction that suits its use`,
    });
  }
  const magnitude = BigInt(whole + fraction);
  return {
    coefficient: sign === "-" ? -magnitude : magnitude,
    fractionDigits: fraction.length,
  };
}

interface Fault {
  reason: string;
  remedy: string;
}

function fault(text: string): Fault {
  const plain = 'Pass digits only, with one "." before the fraction, for example "1234.5"';
  if (text === "") return { reason: "it is empty", remedy: plain };
  if (/^[+-]?[0-9.]+e[+-]?[0-9]+$/i.test(text)) {
    return { reason: "it has an exponent", remedy: "Write out all digits" };
  }
  if (/^[+-]?[0-9]+(?:[,_'\s\u2019][0-9]+)+(?:\.[0-9]*)?$/.test(text)) {
    return {
      reason: "it has separators between digits",
      remedy: 'Remove the separators; "." starts the fraction',
    };
  }
  if (/^\s|\s$/.test(text)) {
    return { reason: "it has leading or trailing spaces", remedy: "Remove the spaces" };
  }
  if (/^[+-]?[0-9]*\.[0-9]*$/.test(text)) {
    return { reason: 'it needs digits on both sides of "."', remedy: 'Write it as "0.5" or "5.0"' };
  }
  return { reason: "it is not a decimal number", remedy: plain };
}

function refusal(text: string, options: ReadDigitsOptions, { reason, remedy }: Fault): InputError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new InputError(`Cannot read ${JSON.stringify(shown)} as ${options.what}: ${reason}`, {
    remedy,
  });
}

function count(digits: number): string {
  return digits === 1 ? "1 fraction digit" : `${digits} fraction digits`;
}
