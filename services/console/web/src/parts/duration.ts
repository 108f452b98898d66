import { currentLanguage } from '../texts/languages.ts';

const UNITS = [
  ['second', 60, 0],
  ['minute', 60, 0],
  ['hour', 48, 1],
  ['day', Number.POSITIVE_INFINITY, 0],
] as const;

/** The duration in the largest unit that it fills, as the reader's language writes it: `40 sec`, `12 min`, `3.5 hr`, `9 days`. */
export function durationText(seconds: number): string {
  let amount = seconds;
  for (const [unit, size, digits] of UNITS) {
    if (amount < size) return unitText(amount, unit, digits);
    amount /= unit === 'hour' ? 24 : size;
  }
  return '';
}

/** A duration of something that mostly takes seconds. */
export function millisecondsText(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? unitText(seconds, 'second', 1) : durationText(seconds);
}

function unitText(amount: number, unit: string, maximumFractionDigits: number): string {
  return amount.toLocaleString(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits });
}
