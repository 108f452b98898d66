import { currentLanguage } from '../texts/languages.ts';
import { useNow } from './use-now.ts';

const RELATIVE = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto', style: 'narrow' });
const ABSOLUTE = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'long' });

const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/** The time at which something is due: overdue work is due now, as soon as it gets its turn. */
export function Due({ at }: { at: number }) {
  return <Moment at={Math.max(at, Math.floor(useNow() / 1000))} />;
}

/** A time in Unix seconds: how long ago, or how soon; exactly, in the reader's zone, on hover. */
export function Moment({ at }: { at: number }) {
  const nowMs = useNow();
  const date = new Date(at * 1000);
  return (
    <time dateTime={date.toISOString()} title={ABSOLUTE.format(date)} className="number">
      {relative(at - nowMs / 1000)}
    </time>
  );
}

function relative(seconds: number): string {
  let amount = seconds;
  for (const [unit, size] of UNITS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.round(amount), unit);
    amount /= size;
  }
  return '';
}
