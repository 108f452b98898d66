import type { Endpoint } from './contract';

/** A vendor's own word, beside an answer, that what was called will not be served any more. */
export interface AnnouncedEnd {
  channelId: string;
  /** The vendor's name of it. */
  model: string;
  /** The day of UTC on which it ends; undefined: the vendor has said no day yet. */
  servedUntil: string | undefined;
  /** The headers as they came. */
  words: string;
}

export type HeedEnd = (end: AnnouncedEnd) => void;

const WORDS_MAX_CHARS = 100;

/** Reports the headers `Sunset` (RFC 8594) and `Deprecation` (RFC 9745) of an answer, if it has one of them. */
export function heedEnd(
  heed: HeedEnd | undefined,
  endpoint: Pick<Endpoint, 'channelId' | 'model'> | undefined,
  { sunset, deprecation }: Readonly<Record<string, string>>,
): void {
  if (heed === undefined || endpoint === undefined || (sunset ?? deprecation) === undefined) return;
  const reported = Object.entries({ Sunset: sunset, Deprecation: deprecation }).filter(
    ([, value]) => value !== undefined,
  );
  const words = reported.map(([name, value = '']) => `${name}: ${value.slice(0, WORDS_MAX_CHARS)}`).join('; ');
  heed({ channelId: endpoint.channelId, model: endpoint.model, servedUntil: dayOf(sunset), words });
}

function dayOf(date: string | undefined): string | undefined {
  const time = date === undefined || date.length > WORDS_MAX_CHARS ? Number.NaN : Date.parse(date);
  const day = Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10);
  // Years beyond 9999 have a sign and six digits, and would sort before all others.
  return /^\d{4}-/.test(day) ? day : undefined;
}
