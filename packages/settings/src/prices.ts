import { decimalToNano } from '@mediagate/contracts';
import { isMap, isScalar } from 'yaml';
import { type Cursor, fault, readEntries } from './cursor';
import type { PriceOverride, Settings } from './settings';

/** Unit names by billing key, none where only whole tasks are priced. A unit priced by kind of output has a dotted name, `per_second.480P`. */
export type BillingKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** Overrides of catalogue prices, exact to the nano-unit: prices are read from their text, never through a float. */
export function readPrices(cursor: Cursor, billingKeys: BillingKeys): Settings['prices'] {
  const prices = new Map<string, PriceOverride>();
  for (const [key, value] of readEntries(cursor)) {
    const units = billingKeys.get(key);
    if (units) prices.set(key, readOverride(value, units));
    else fault(value, `nothing is billed under this key: use one of ${alternatives(key, billingKeys).join(', ')}`);
  }
  return prices;
}

/** A model may have hundreds of keys, `model@what`: they are listed to whom names one of that model's. */
function alternatives(key: string, billingKeys: BillingKeys): string[] {
  const [model = ''] = key.split('@');
  const keys = [...billingKeys.keys()].sort();
  if (billingKeys.has(model) && key.includes('@')) return keys.filter((known) => known.startsWith(`${model}@`));
  return keys.filter((known) => !known.includes('@'));
}

function readOverride(cursor: Cursor, known: ReadonlySet<string>): PriceOverride {
  // Without units it is only ever the task that has a price.
  if (known.size === 0 || !isMap(cursor.node)) return { perTask: readPrice(cursor) };
  const units = new Map<string, bigint>();
  const entries = readEntries(cursor);
  if (entries.length === 0) fault(cursor, `must price at least one unit of ${[...known].sort().join(', ')}`);
  for (const [unit, value] of entries) {
    if (isMap(value.node)) readKinds(value, unit, { known, units });
    else readUnit(value, unit, { known, units });
  }
  return { units };
}

interface Units {
  known: ReadonlySet<string>;
  units: Map<string, bigint>;
}

/** One price for a unit stands for all its kinds. */
function readUnit(cursor: Cursor, unit: string, { known, units }: Units): void {
  const names = known.has(unit) ? [unit] : [...known].filter((name) => name.startsWith(`${unit}.`));
  if (names.length === 0) unknownUnit(cursor, known);
  const price = readPrice(cursor);
  for (const name of names) units.set(name, price);
}

/** A map prices the kinds of a unit apart, `per_second: { 480P: 0.30 }`; letter case does not matter. */
function readKinds(cursor: Cursor, unit: string, { known, units }: Units): void {
  for (const [kind, value] of readEntries(cursor)) {
    const wanted = `${unit}.${kind}`.toLowerCase();
    const name = [...known].find((candidate) => candidate.toLowerCase() === wanted);
    if (name === undefined) unknownUnit(value, known);
    else units.set(name, readPrice(value));
  }
}

function unknownUnit(cursor: Cursor, known: ReadonlySet<string>): void {
  fault(cursor, `no such unit: use one of ${[...known].sort().join(', ')}`);
}

function readPrice(cursor: Cursor): bigint {
  const scalar = isScalar(cursor.node) && typeof cursor.node.value === 'number' ? cursor.node : undefined;
  const nano = scalar && decimalToNano(scalar.source ?? '');
  if (nano !== undefined && nano >= 0n) return nano;
  fault(cursor, 'must be a price in currency units: a plain decimal of at least 0 with at most 9 places, as 0.30');
  return 0n;
}
