import { PER_TASK, type Price } from './queries.ts';

export type Amounts = Readonly<Record<string, number | ''>>;

/**
 * The price as the API takes it: a number for a whole task, else by unit, where `per_second.720p` is a kind of a unit. A unit that nobody
 * changes and no operator has set is left out, so that the file goes on to decide it.
 */
export function newPrice(prices: readonly Price[], amounts: Amounts): number | object | undefined {
  const whole = amounts[PER_TASK];
  if (whole !== undefined) return whole === '' ? undefined : whole;
  const price: Record<string, number | Record<string, number>> = {};
  for (const { unit, price: before, origin } of prices) {
    const amount = amounts[unit];
    if (amount === undefined || amount === '') return undefined;
    if (amount === before && origin !== 'override') continue;
    const [name = unit, kind] = splitUnit(unit);
    price[name] = kind === undefined ? amount : { ...(price[name] as Record<string, number>), [kind]: amount };
  }
  return Object.keys(price).length === 0 ? undefined : price;
}

function splitUnit(unit: string): string[] {
  const dot = unit.indexOf('.');
  return dot === -1 ? [unit] : [unit.slice(0, dot), unit.slice(dot + 1)];
}
