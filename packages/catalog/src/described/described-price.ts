import { isJsonObject, type JsonObject, type Nano, proRata, type Usage } from '@mediagate/contracts';
import { imagesMade } from '../image/token-pricing';
import { PER_TASK, toRates } from '../rates';
import { type BilledSeconds, perSecondPricing } from '../video/pricing';
import type { InputSchema, PriceDefinition, Report } from './definition';

type Rates = Readonly<Record<string, Nano>>;

export interface DescribedPrice {
  prices: Readonly<Record<string, number>>;
  reserve(input: JsonObject, rates: Rates): Nano;
  settle(input: JsonObject, usage: Usage, rates: Rates): Nano;
}

/** The largest quantity of a unit that one body may ask for: no account could pay for more. */
const MAX_QUANTITY = 100_000;

const UNITS = [PER_TASK, 'per_image', 'per_second'] as const;

/** How a model that the configuration describes is paid for; undefined: what is wrong has been reported. */
export function describedPrice(
  price: PriceDefinition,
  schema: InputSchema,
  report: Report,
): DescribedPrice | undefined {
  const named = UNITS.filter((unit) => price[unit] !== undefined);
  const [unit] = named;
  if (unit === undefined || named.length > 1) {
    report('price', `must have one of ${UNITS.join(', ')}`);
    return undefined;
  }
  const prices = { [unit]: price[unit] as number };
  if (!isPrice(prices)) {
    report(`price.${unit}`, 'must be above 0, a decimal with at most 9 places');
    return undefined;
  }
  if (!areQuantitiesKnown(unit, price, { schema, report })) return undefined;
  return { prices, ...PRICED[unit](price) };
}

const PRICED: Readonly<Record<(typeof UNITS)[number], (price: PriceDefinition) => Omit<DescribedPrice, 'prices'>>> = {
  // Whoever asks for a price of the whole task gets it before any of these is asked.
  per_task: () => ({ reserve: () => 0n, settle: () => 0n }),
  per_image: (price) => {
    const asked = (input: JsonObject) => ({ n: imagesAsked(price, input) ?? 1 });
    const priceOf = (images: number, { per_image: rate = 0n }: Rates) => proRata(images, rate, 1n);
    return {
      reserve: (input, rates) => priceOf(asked(input).n, rates),
      settle: (input, usage, rates) => priceOf(imagesMade(asked(input), usage), rates),
    };
  },
  per_second: (price) => {
    const asked = (input: JsonObject) => (price.count === undefined ? 1 : Number(input[price.count]));
    const pricingOf = (videos: number) =>
      perSecondPricing<JsonObject, Rates>({
        rate: (_, { per_second: rate = 0n }) => rate,
        seconds: (input) => ofEach(secondsOf(input, price), videos),
      });
    return {
      reserve: (input, rates) => pricingOf(asked(input)).reserve(input, rates),
      settle: (input, usage, rates) => pricingOf(videosMade(asked(input), usage)).settle(input, usage, rates),
    };
  },
};

function ofEach(seconds: BilledSeconds, videos: number): BilledSeconds {
  return typeof seconds === 'number' ? seconds * videos : { atMost: seconds.atMost * videos };
}

/** Never more than were asked for; all of them if nobody counted. */
function videosMade(asked: number, { videos = asked }: Usage): number {
  return Math.min(videos, asked);
}

/** Undefined: the price does not go by images. */
export function imagesAsked({ per_image: rate, count }: PriceDefinition, body: JsonObject): number | undefined {
  if (rate === undefined) return undefined;
  return count === undefined ? 1 : Number(body[count]);
}

/** The length that is billed; a value that is no number, as `auto`, leaves it open. */
function secondsOf(input: JsonObject, { length, at_most: atMost = 0 }: PriceDefinition): BilledSeconds {
  const asked = length === undefined ? Number.NaN : Number(input[length]);
  return Number.isFinite(asked) ? asked : { atMost };
}

function isPrice(prices: Readonly<Record<string, number>>): boolean {
  try {
    return toRates('', prices) !== undefined;
  } catch {
    return false;
  }
}

interface Judged {
  schema: InputSchema;
  report: Report;
}

/** Whether every body that fits the schema says how much of the unit it asks for at most. */
function areQuantitiesKnown(unit: (typeof UNITS)[number], price: PriceDefinition, judged: Judged): boolean {
  const { count, length, at_most: atMost } = price;
  if (unit === 'per_image') return count === undefined || isQuantity('count', count, { ...judged, isOpen: false });
  if (unit === PER_TASK) return true;
  if (count !== undefined && !isQuantity('count', count, { ...judged, isOpen: false })) return false;
  if (length !== undefined) return isQuantity('length', length, { ...judged, isOpen: atMost !== undefined });
  if (atMost === undefined) judged.report('price', 'must have length, the field that says the seconds, or at_most');
  return atMost !== undefined;
}

function isQuantity(key: string, name: string, { schema, report, isOpen }: Judged & { isOpen: boolean }): boolean {
  const problem = quantityProblem(name, schema, { isOpen, isWhole: key === 'count' });
  if (problem !== undefined) report(`price.${key}`, problem);
  return problem === undefined;
}

interface Allowed {
  /** Words that are no numbers leave the quantity open. */
  isOpen: boolean;
  /** No part of one is sold. */
  isWhole: boolean;
}

function quantityProblem(
  name: string,
  { properties, required = [] }: InputSchema,
  allowed: Allowed,
): string | undefined {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isJsonObject(property)) return 'must be a field of the input';
  const isAlwaysThere = required.includes(name) || property['default'] !== undefined;
  if (!isAlwaysThere && !allowed.isOpen)
    return 'must be a field that is required or has a default: the price goes by it';
  if (areAmounts(property, allowed)) return undefined;
  const type = allowed.isWhole ? 'an integer' : 'a number';
  return `must be ${type} with a minimum above 0 and a maximum of at most ${MAX_QUANTITY}, or one of several`;
}

function areAmounts({ type, enum: choices, minimum, maximum }: JsonObject, { isOpen, isWhole }: Allowed): boolean {
  const isAmount = (figure: number) => figure > 0 && figure <= MAX_QUANTITY && (!isWhole || Number.isInteger(figure));
  if (Array.isArray(choices)) {
    return choices.map(Number).every((figure) => (Number.isNaN(figure) ? isOpen : isAmount(figure)));
  }
  const isCounted = type === 'integer' || (type === 'number' && !isWhole);
  return isCounted && Number(minimum) > 0 && typeof maximum === 'number' && maximum <= MAX_QUANTITY;
}
