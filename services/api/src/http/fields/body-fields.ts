import {
  decimalToNano,
  type Failure,
  type FieldArguments,
  failureOf,
  type Json,
  type MessageKey,
  type Nano,
  nanoToNumber,
} from '@mediagate/contracts';
import { GivenFields } from './given-fields';

/** Far below what a 64-bit column holds, so that a handful of bookings never reaches its end. */
export const MAX_AMOUNT_UNITS = 100_000_000;
const MAX_DECIMALS = 9;

/**
 * Reads the fields of a body. Undefined: a field is absent, or wrong. Null is wrong but where a method says so; a body that may not say
 * it comes without (`readJsonObject`).
 */
export class BodyFields extends GivenFields<Json> {
  /** The text as it is. */
  text(name: string, { maxCharacters }: { maxCharacters: number }): string | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.#refused(name, 'must_be_string');
    return value.length > maxCharacters ? this.#refused(name, 'too_many_characters', { limit: maxCharacters }) : value;
  }

  /** One line, without the blanks around it; undefined also where it is blank. */
  line(name: string, { maxCharacters }: { maxCharacters: number }): string | undefined {
    const text = this.text(name, { maxCharacters })?.trim();
    if (text === undefined || text === '') return undefined;
    return /\p{Cc}/u.test(text) ? this.#refused(name, 'must_have_no_control_characters') : text;
  }

  requiredLine(name: string, options: { maxCharacters: number }): string {
    return this.required(name, this.line(name, options)) ?? '';
  }

  number(name: string, range: { min: number; max: number }): number | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number') return this.#refused(name, 'must_be_number');
    return value < range.min || value > range.max ? this.#refused(name, 'must_be_in_range', range) : value;
  }

  integer(name: string, range: { min: number; max: number }): number | undefined {
    const value = this.given(name);
    if (value !== undefined && !Number.isInteger(value)) return this.#refused(name, 'must_be_integer');
    return this.number(name, range);
  }

  /** Reads a field with `read`, unless it is null, which lifts a limit. */
  orNull<Value>(name: string, read: (name: string) => Value): Value | null {
    return this.given(name) === null ? null : read(name);
  }

  boolean(name: string): boolean | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    return typeof value === 'boolean' ? value : this.#refused(name, 'must_be_boolean');
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    const found = values.find((each) => each === value);
    return found ?? this.#refused(name, 'must_be_one_of', { values: values.join(', ') });
  }

  /** The items of a list as `find` knows them, without repetitions; null is an empty list. The message names what is accepted. */
  list<Item, Key extends MessageKey>(
    name: string,
    find: (text: string) => Item | undefined,
    ...accepted: FieldArguments<Key>
  ): readonly Item[] | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (value === null) return [];
    if (!Array.isArray(value)) return this.#refused(name, 'must_be_array');
    const items = value.map((text: Json, index) => {
      const item = typeof text === 'string' ? find(text) : undefined;
      if (item === undefined) this.add(failureOf('invalid_parameter', `${name}[${index}]`, accepted));
      return item;
    });
    return [...new Set(items.filter((item) => item !== undefined))];
  }

  /** Currency units, as a number or as decimal text, with at most nine decimals. */
  amount(name: string, { above }: { above: number }): Nano | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' && typeof value !== 'string') return this.#refused(name, 'must_be_number');
    if (Number.isNaN(Number(value))) return this.#refused(name, 'must_be_number');
    const nano = toNano(value);
    if (nano === undefined) return this.#refused(name, 'must_have_decimals', { limit: MAX_DECIMALS });
    if (nanoToNumber(nano) <= above) return this.#refused(name, 'must_be_above', { limit: above });
    return nanoToNumber(nano) > MAX_AMOUNT_UNITS
      ? this.#refused(name, 'must_be_at_most', { limit: MAX_AMOUNT_UNITS })
      : nano;
  }

  requiredAmount(name: string, options: { above: number }): Nano {
    return this.required(name, this.amount(name, options)) ?? 0n;
  }

  /** Refuses the field where it was not there. */
  required<Value>(name: string, value: Value | undefined): Value | undefined {
    if (value === undefined && !this.isRefused(name)) this.refuse('missing_parameter', name, 'required');
    return value;
  }

  /** The value as it is, for readers with rules of their own. */
  json(name: string): Json | undefined {
    return this.given(name);
  }

  refuse<Key extends MessageKey>(reason: Failure['reason'], name: string, ...about: FieldArguments<Key>): void {
    this.add(failureOf(reason, name, about));
  }

  #refused<Key extends MessageKey>(name: string, ...about: FieldArguments<Key>): undefined {
    this.add(failureOf('invalid_parameter', name, about));
  }
}

/** Undefined: it is no decimal, or has more than nine decimals. */
function toNano(value: number | string): Nano | undefined {
  if (typeof value === 'string') return decimalToNano(value);
  // A number may be written with an exponent.
  const nano = decimalToNano(value.toFixed(9));
  return nano !== undefined && nanoToNumber(nano) === value ? nano : undefined;
}
