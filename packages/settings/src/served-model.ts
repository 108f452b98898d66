import { isJsonObject, type Json } from '@mediagate/contracts';

/** Until when a vendor serves a model, by its own word. */
export interface Retirement {
  /** The day of UTC at whose beginning the vendor ends it, as 2027-01-06. */
  servedUntil: string;
  /** The vendor's name of what follows it. */
  replacedBy: string | undefined;
}

/** A vendor's model as a channel maps a public one to it. */
export interface ServedModel {
  /** The vendor's name of it. */
  name: string;
  /** Undefined: the vendor has announced no end. */
  retirement: Retirement | undefined;
}

/** A value of a channel's `models` that the schema admits: a name alone, or with what its vendor has announced. */
export function readServedModel(value: Json): ServedModel {
  if (!isJsonObject(value)) return { name: String(value), retirement: undefined };
  const { name, served_until: servedUntil, replaced_by: replacedBy } = value;
  const isEnding = typeof servedUntil === 'string';
  const retirement = isEnding
    ? { servedUntil, replacedBy: typeof replacedBy === 'string' ? replacedBy : undefined }
    : undefined;
  return { name: String(name), retirement };
}

/** Before its end a model is warned of for so long; vendors announce it three to six months ahead. */
const WARNED_DAYS = 60;
const DAY_MS = 86_400_000;

/** Whole days until the vendor ends the model; 0 on the day itself, less after it. */
export function daysLeft({ servedUntil }: Pick<Retirement, 'servedUntil'>, nowMs: number): number {
  return Math.floor(Date.parse(servedUntil) / DAY_MS) - Math.floor(nowMs / DAY_MS);
}

/** `ended` from the day on at whose beginning the vendor ends it. */
export function lifeStage(days: number): 'served' | 'ending' | 'ended' {
  if (days <= 0) return 'ended';
  return days <= WARNED_DAYS ? 'ending' : 'served';
}

/** Whether a text is a day of the calendar, which 2027-02-30 is not. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
