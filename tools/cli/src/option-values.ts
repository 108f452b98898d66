import type { Month } from '@mediagate/billing';
import { decimalToNano, isTaskId, NANO_PER_UNIT, type Nano, type TaskId } from '@mediagate/contracts';
import { InvalidArgumentError } from 'commander';
import { billing, identity, upstreams } from './packages';

/** Far below what a 64-bit column holds, so that a handful of top-ups never reaches its end. */
const MAX_AMOUNT_UNITS = 100_000_000n;
/** A column's own. */
const MAX_INTEGER = 2_147_483_647;
const MAX_ID_CHARACTERS = 100;

/** An amount of currency units, zero included. */
export function parseAmount(text: string): Nano {
  const nano = decimalToNano(text);
  if (nano === undefined || nano < 0n || nano > MAX_AMOUNT_UNITS * NANO_PER_UNIT) {
    throw new InvalidArgumentError(
      `An amount is a decimal number of currency units from 0 to ${MAX_AMOUNT_UNITS} with at most 9 decimals.`,
    );
  }
  return nano;
}

export function parsePositiveAmount(text: string): Nano {
  const nano = parseAmount(text);
  if (nano === 0n) throw new InvalidArgumentError('The amount must be above 0.');
  return nano;
}

export function parseCount(max: number = MAX_INTEGER, min = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,10}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** The status of an HTTP answer that ends a request. */
export function parseStatus(text: string): number {
  if (!/^[2-5]\d\d$/.test(text)) throw new InvalidArgumentError('It must be an HTTP status from 200 to 599.');
  return Number(text);
}

/** A day or moment of UTC. */
export function parseFutureTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('A time is a day of UTC as 2027-01-31, or a moment as 2027-01-31T12:00:00Z.');
  }
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('The time must be in the future.');
  return time;
}

/** One line of text, not blank. */
export function parseLine(maxCharacters: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.length > maxCharacters || /\p{Cc}/u.test(trimmed)) {
      throw new InvalidArgumentError(`It must be one line of 1 to ${maxCharacters} characters.`);
    }
    return trimmed;
  };
}

/** The id of an account or a delivery, in whatever form; that there is one is the database's to say. */
export const parseId = parseLine(MAX_ID_CHARACTERS);

/** The moment of a time that was given, whose day is one of the zone, or of UTC. */
export type TimeInZone = (timezone?: string) => Date;

export const parseTimeInZone = (text: string): TimeInZone => inZone(text, parseTime(text));

export const parseEndTimeInZone = (text: string): TimeInZone => inZone(text, parseEndTime(text));

function inZone(text: string, time: Date): TimeInZone {
  return (timezone) => (DAY.test(text) ? billing().beginningOf(time.getTime(), timezone) : time);
}

export function parseTimezone(text: string): string {
  const timezone = billing().readTimeZone(text);
  if (timezone === undefined)
    throw new InvalidArgumentError('A zone has a name of the IANA database, as Asia/Shanghai.');
  return timezone;
}

/** ISO 8601, or a day, whose beginning it is, or Unix seconds as `--json` has them. */
export function parseTime(text: string): Date {
  const time = new Date(/^\d{1,10}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('A time is written like 2026-01-31, 2026-01-31T12:00:00Z or 1769860800.');
  return time;
}

export function parseMonth(text: string): Month {
  const month = billing().parseMonth(text);
  if (month === undefined) throw new InvalidArgumentError('A month is written like 2026-10.');
  return month;
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The end of a time: of a day its last moment is within, as in the API. */
function parseEndTime(text: string): Date {
  const time = parseTime(text);
  return DAY.test(text) ? new Date(time.getTime() + DAY_MS) : time;
}

/** `name=value` */
export function parseLabel(text: string): [[name: string, value: string]] {
  const [, name, value] = /^([^=]{1,64})=(.{0,512})$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Metadata is written name=value.');
  return [[name, value]];
}

export function parseTaskId(text: string): TaskId {
  if (!isTaskId(text)) throw new InvalidArgumentError('A task id is task_ and 26 letters and digits.');
  return text;
}

/** A key's id, also out of the whole key: its secret goes no further than this. */
export function parseKeyId(text: string): string {
  const found = identity().parseApiKey(text)?.id ?? /^[0-9a-z]{12}$/.exec(text)?.[0];
  if (found === undefined) throw new InvalidArgumentError("A key's id is the 12 characters after mg_.");
  return found;
}

/** The word of channels for a protocol. */
export function parseProtocol(text: string): string {
  const { pattern, rule } = upstreams().PROTOCOL_WORD;
  if (!pattern.test(text)) throw new InvalidArgumentError(`It must be ${rule}.`);
  return text;
}
