import type { Nano, Usage } from '@mediagate/contracts';
import type { Rates } from './entry';

interface KeyPricing<Input> {
  /** Every key that some input may be billed under. */
  known: readonly string[];
  /** An input's keys, most specific first, with the model's id last. */
  keys: (input: Input) => readonly string[];
  /** Currency units of one task by billing key; the model's id must be among them. */
  prices: Readonly<Record<string, number>>;
  /** Whole tasks that an input counts as; default: one. */
  times?: (input: Input) => number;
  /** How many of them came to something; undefined, and by default: all. */
  made?: (usage: Usage) => number | undefined;
}

/**
 * Reserving and settling of an operation that has one price a task, found by the most specific key that has one. What was
 * accepted is what is billed, whatever the upstream used; of an input that counts as several tasks, those that were made.
 */
export function pricedByKey<Input>({
  known,
  keys,
  prices,
  times = () => 1,
  made = () => undefined,
}: KeyPricing<Input>) {
  return {
    billing: { known, keys },
    prices,
    reserve: (input: Input, rates: Rates): Nano => priceOfKey(rates) * BigInt(times(input)),
    settle(input: Input, usage: Usage, rates: Rates): Nano {
      const asked = times(input);
      return priceOfKey(rates) * BigInt(Math.min(asked, made(usage) ?? asked));
    },
  };
}

/** The rates of a task that is billed under a key are that key's price alone. */
function priceOfKey(rates: Rates): Nano {
  const [price, ...others] = Object.values(rates);
  if (price === undefined || others.length > 0) throw new Error('a task billed under a key needs exactly one price');
  return price;
}
