import type { Nano } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { type KeptDoor, requireKept } from '../kept-bookings';
import { beginningOf } from '../time-zone';

export interface Month {
  /** The zone that it is of, by its IANA name; absent: UTC. */
  timezone?: string;
  /** `2026-10`. */
  name: string;
  from: Date;
  /** The beginning of the next one. */
  to: Date;
}

export interface InvoiceLine {
  /** Null: charged by a release that did not keep it. */
  model: string | null;
  /** Tasks that were settled in the month. */
  tasks: number;
  chargedNano: Nano;
  /** The quantities that were charged for, in billionths, by unit of the price list. */
  units: readonly { unit: string; quantity: bigint }[];
}

/** The bookings on an account in a month. A balance is payments less charges: amounts held are still the account's own. */
export interface Invoice {
  accountId: string;
  month: string;
  timezone: string;
  /** Nothing is booked in the month any more. */
  isFinal: boolean;
  openingNano: Nano;
  paymentsNano: Nano;
  adjustmentsNano: Nano;
  /** The part of charges in this month or before that operators gave back by hand. */
  refundsNano: Nano;
  chargesNano: Nano;
  closingNano: Nano;
  lines: readonly InvoiceLine[];
}

/** A month of UTC; undefined: it names no month. */
export function parseMonth(name: string): Month | undefined {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(name) ?? [];
  return year === undefined || month === undefined ? undefined : monthOf(Number(year), Number(month) - 1);
}

/** The month of that name in the zone, or of UTC. */
export function monthIn({ name, from, to }: Month, timezone?: string): Month {
  if (timezone === undefined || timezone === 'UTC') return { name, from, to };
  return { name, timezone, from: beginningOf(from.getTime(), timezone), to: beginningOf(to.getTime(), timezone) };
}

/** The month before the present one. */
export function lastMonth(now: Date = new Date()): Month {
  return monthOf(now.getUTCFullYear(), now.getUTCMonth() - 1);
}

/** @param index from 0, which January is; one of another year may be named by it, too. */
function monthOf(year: number, index: number): Month {
  const [from, to] = [new Date(Date.UTC(year, index)), new Date(Date.UTC(year, index + 1))];
  return { name: from.toISOString().slice(0, 7), from, to };
}

/** @throws BookingsRemovedError when the month of a zone cuts days whose single bookings are removed. */
export async function readInvoice(
  database: Pick<Database, 'readInvoice'> & KeptDoor,
  accountId: string,
  { name, timezone = 'UTC', from, to }: Month,
): Promise<Invoice> {
  const [row] = await database.readInvoice({ accountId, from, to });
  await requireKept(database, { from, to }, true);
  if (row === undefined) throw new Error('the statement of an invoice has one row');
  const { openingNano, paymentsNano, adjustmentsNano, refundsNano, isFinal, charges } = row;
  const lines = charges.map(({ model, tasks, charged, units }) => ({
    model,
    tasks: Number(tasks),
    chargedNano: BigInt(charged),
    units: Object.entries(units).map(([unit, quantity]) => ({ unit, quantity: BigInt(quantity) })),
  }));
  const chargesNano = lines.reduce((sum, { chargedNano }) => sum + chargedNano, 0n);
  return {
    accountId,
    month: name,
    timezone,
    isFinal,
    openingNano,
    paymentsNano,
    adjustmentsNano,
    refundsNano,
    chargesNano,
    closingNano: openingNano + paymentsNano + adjustmentsNano + refundsNano - chargesNano,
    lines,
  };
}
