import { decimalToNano, isJsonObject, type Json } from '@mediagate/contracts';
import { type ConfigDocument, joinField } from './document';
import type { PriceOverride, Settings } from './settings';
import { PRICE_MESSAGE } from './settings-schema';

/** Unit names by billing key, none where only whole tasks are priced. A unit priced by kind of output has a dotted name, `per_second.480P`. */
export type BillingKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** A fault of an override. `field` is its path, `price.per_second.480P`; `units` are those that may be priced. */
export type PriceFault =
  | { kind: 'unknown_key' | 'not_a_price'; field: string }
  | { kind: 'no_unit' | 'unknown_unit'; field: string; units: string };

/** Keys that a fault names at most. */
const MAX_NAMED_KEYS = 8;

interface Reading {
  /** The text of the number that stands in a field, exact where a float would not be; undefined: it is no number. */
  numberText(field: string): string | undefined;
  add(fault: PriceFault): void;
}

export interface Texts extends Pick<ConfigDocument, 'numberText' | 'faults'> {
  /** Models that the file describes with faults: what is billed under their keys is not known, and no other fault. */
  unjudged?: ReadonlySet<string> | undefined;
}

export interface PriceSection extends Texts {
  /** The field of the section, for faults. */
  section: string;
  billingKeys: BillingKeys;
}

/** Prices by billing key, exact to the nano-unit: they are read from their text, never through a float. */
export function readPrices(
  prices: Json | undefined,
  { section, billingKeys, unjudged, numberText, faults }: PriceSection,
): Settings['prices'] {
  const read = new Map<string, PriceOverride>();
  const add = (fault: PriceFault) => faults.add(fault.field, wordPriceFault(fault));
  for (const [key, value] of Object.entries(isJsonObject(prices) ? prices : {})) {
    const field = `${section}.${key}`;
    const known = billingKeys.get(key);
    if (known) read.set(key, readOverride(value as Json, field, { numberText, add, known, units: new Map() }));
    else if (!unjudged?.has(key)) {
      const keys = alternatives(key, billingKeys);
      const others = keys.length > MAX_NAMED_KEYS ? '; docs/prices.md lists all' : '';
      const nearest = closest(key, keys).slice(0, MAX_NAMED_KEYS).join(', ');
      faults.add(field, `nothing is billed under this key: use one of ${nearest}${others}`);
    }
  }
  return read;
}

/** In the words of a fault of the file. */
export function wordPriceFault(fault: PriceFault): string {
  switch (fault.kind) {
    case 'unknown_key':
      return 'nothing is billed under this key';
    case 'not_a_price':
      return PRICE_MESSAGE;
    case 'no_unit':
      return `must price at least one unit of ${fault.units}`;
    case 'unknown_unit':
      return `no such unit: use one of ${fault.units}`;
    default:
      return fault satisfies never;
  }
}

/** A model may have hundreds of keys, `model@what`: they are listed to whom names one of that model's. */
function alternatives(key: string, billingKeys: BillingKeys): string[] {
  const [model = ''] = key.split('@');
  const keys = [...billingKeys.keys()].sort();
  if (billingKeys.has(model) && key.includes('@')) return keys.filter((known) => known.startsWith(`${model}@`));
  return keys.filter((known) => !known.includes('@'));
}

/** By the length of the beginning that they share with the key. */
function closest(key: string, keys: readonly string[]): string[] {
  const shared = (known: string) => {
    const end = [...known].findIndex((letter, at) => letter !== key[at]);
    return end < 0 ? known.length : end;
  };
  return keys.toSorted((one, other) => shared(other) - shared(one));
}

interface Units extends Reading {
  /** Names of the billing key's units. */
  known: ReadonlySet<string>;
  /** Prices of the units that have been read. */
  units: Map<string, bigint>;
}

function readOverride(value: Json, field: string, units: Units): PriceOverride {
  // Without units only the task has a price.
  if (units.known.size === 0 || !isJsonObject(value)) return { perTask: readPrice(field, units) };
  const entries = Object.entries(value);
  if (entries.length === 0) units.add({ kind: 'no_unit', field, units: list(units.known) });
  for (const [unit, price] of entries) {
    const name = joinField(field, unit);
    if (isJsonObject(price)) readKinds(Object.keys(price), unit, name, units);
    else readUnit(unit, name, units);
  }
  return { units: units.units };
}

/** One price for a unit stands for all its kinds. */
function readUnit(unit: string, field: string, { known, units, ...reading }: Units): void {
  const names = known.has(unit) ? [unit] : [...known].filter((name) => name.startsWith(`${unit}.`));
  if (names.length === 0) reading.add({ kind: 'unknown_unit', field, units: list(known) });
  const price = readPrice(field, reading);
  for (const name of names) units.set(name, price);
}

/** A map prices the kinds of a unit apart, `per_second: { 480P: 0.30 }`; letter case does not matter. */
function readKinds(kinds: readonly string[], unit: string, field: string, { known, units, ...reading }: Units): void {
  for (const kind of kinds) {
    const wanted = `${unit}.${kind}`.toLowerCase();
    const name = [...known].find((candidate) => candidate.toLowerCase() === wanted);
    const kindField = joinField(field, kind);
    if (name === undefined) reading.add({ kind: 'unknown_unit', field: kindField, units: list(known) });
    else units.set(name, readPrice(kindField, reading));
  }
}

function list(names: ReadonlySet<string>): string {
  return [...names].sort().join(', ');
}

/** Zero where it is a fault. */
export function readPrice(field: string, { numberText, add }: Reading): bigint {
  const nano = decimalToNano(numberText(field) ?? '');
  if (nano !== undefined && nano >= 0n) return nano;
  add({ kind: 'not_a_price', field });
  return 0n;
}

/** One override as JSON has it: a price, or a map of them by unit. Its fields are `key` and those under `price`. */
export function parsePriceOverride(
  billingKey: string,
  price: Json,
  billingKeys: BillingKeys,
): { override: PriceOverride } | { faults: readonly [PriceFault, ...PriceFault[]] } {
  const known = billingKeys.get(billingKey);
  if (!known) return { faults: [{ kind: 'unknown_key', field: 'key' }] };
  const found: PriceFault[] = [];
  const texts = new Map(numberTexts(price, 'price'));
  const override = readOverride(price, 'price', {
    numberText: (field) => texts.get(field),
    add: (fault) => found.push(fault),
    known,
    units: new Map(),
  });
  const [first, ...others] = found;
  return first ? { faults: [first, ...others] } : { override };
}

/** Every number with its field, as a plain decimal: JSON may write an exponent. One of more than nine decimals is no price. */
function numberTexts(value: Json, field: string): [field: string, text: string][] {
  if (typeof value === 'number') return Number(value.toFixed(9)) === value ? [[field, value.toFixed(9)]] : [];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => numberTexts(member as Json, joinField(field, name)));
}
