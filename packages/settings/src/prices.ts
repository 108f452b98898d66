import { decimalToNano, isJsonObject, type Json } from '@mediagate/contracts';
import { type ConfigDocument, joinField, openDocument } from './document';
import type { PriceOverride, Settings } from './settings';
import { PRICE_MESSAGE } from './settings-schema';

/** Unit names by billing key, none where only whole tasks are priced. A unit priced by kind of output has a dotted name, `per_second.480P`. */
export type BillingKeys = ReadonlyMap<string, ReadonlySet<string>>;

type Texts = Pick<ConfigDocument, 'numberText' | 'faults'>;

/** Overrides of catalogue prices, exact to the nano-unit: prices are read from their text, never through a float. */
export function readPrices(prices: Json | undefined, billingKeys: BillingKeys, texts: Texts): Settings['prices'] {
  const read = new Map<string, PriceOverride>();
  for (const [key, value] of Object.entries(isJsonObject(prices) ? prices : {})) {
    const field = `prices.${key}`;
    const units = billingKeys.get(key);
    if (units) read.set(key, readOverride(value as Json, field, { ...texts, known: units, units: new Map() }));
    else {
      const known = alternatives(key, billingKeys).join(', ');
      texts.faults.add(field, `nothing is billed under this key: use one of ${known}`);
    }
  }
  return read;
}

/** A model may have hundreds of keys, `model@what`: they are listed to whom names one of that model's. */
function alternatives(key: string, billingKeys: BillingKeys): string[] {
  const [model = ''] = key.split('@');
  const keys = [...billingKeys.keys()].sort();
  if (billingKeys.has(model) && key.includes('@')) return keys.filter((known) => known.startsWith(`${model}@`));
  return keys.filter((known) => !known.includes('@'));
}

interface Units extends Texts {
  /** Of the billing key. */
  known: ReadonlySet<string>;
  /** Those that have been read. */
  units: Map<string, bigint>;
}

function readOverride(value: Json, field: string, units: Units): PriceOverride {
  // Without units only the task has a price.
  if (units.known.size === 0 || !isJsonObject(value)) return { perTask: readPrice(field, units) };
  const entries = Object.entries(value);
  if (entries.length === 0) units.faults.add(field, `must price at least one unit of ${list(units.known)}`);
  for (const [unit, price] of entries) {
    const name = joinField(field, unit);
    if (isJsonObject(price)) readKinds(Object.keys(price), unit, name, units);
    else readUnit(unit, name, units);
  }
  return { units: units.units };
}

/** One price for a unit stands for all its kinds. */
function readUnit(unit: string, field: string, { known, units, ...texts }: Units): void {
  const names = known.has(unit) ? [unit] : [...known].filter((name) => name.startsWith(`${unit}.`));
  if (names.length === 0) texts.faults.add(field, unknownUnit(known));
  const price = readPrice(field, texts);
  for (const name of names) units.set(name, price);
}

/** A map prices the kinds of a unit apart, `per_second: { 480P: 0.30 }`; letter case does not matter. */
function readKinds(kinds: readonly string[], unit: string, field: string, { known, units, ...texts }: Units): void {
  for (const kind of kinds) {
    const wanted = `${unit}.${kind}`.toLowerCase();
    const name = [...known].find((candidate) => candidate.toLowerCase() === wanted);
    const kindField = joinField(field, kind);
    if (name === undefined) texts.faults.add(kindField, unknownUnit(known));
    else units.set(name, readPrice(kindField, texts));
  }
}

function unknownUnit(known: ReadonlySet<string>): string {
  return `no such unit: use one of ${list(known)}`;
}

function list(names: ReadonlySet<string>): string {
  return [...names].sort().join(', ');
}

function readPrice(field: string, { numberText, faults }: Texts): bigint {
  const nano = decimalToNano(numberText(field) ?? '');
  if (nano !== undefined && nano >= 0n) return nano;
  faults.add(field, PRICE_MESSAGE);
  return 0n;
}

/** One override as JSON has it: a price, or a map of them by unit. What is wrong with it is said as of a file. */
export function parsePriceOverride(
  billingKey: string,
  price: Json,
  billingKeys: BillingKeys,
): { override: PriceOverride } | { faults: readonly string[] } {
  const { value, numberText, faults } = openDocument(billingKey, JSON.stringify({ prices: { [billingKey]: price } }));
  const prices = isJsonObject(value) ? value['prices'] : undefined;
  const override = readPrices(prices, billingKeys, { numberText, faults }).get(billingKey);
  return override === undefined || faults.list().length > 0 ? { faults: faults.list() } : { override };
}
