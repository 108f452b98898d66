import { isJsonObject } from '@mediagate/contracts';
import { COUNT_FIELDS, LENGTH_FIELDS } from '../near-names';
import { DESCRIBED_OPERATIONS, type InputSchema, type ModelDefinition, type PriceDefinition } from './definition';

interface PriceMisfit {
  field: string;
  problem: string;
}

const UNIT_OF_OTHERS = { image: 'per_second', video: 'per_image' } as const;

/** Which keys say the quantity of a unit. */
const KEYS = {
  per_task: [],
  per_image: ['count'],
  per_second: ['count', 'length', 'at_most'],
} as const satisfies Record<string, readonly (keyof PriceDefinition)[]>;
const QUANTITY_KEYS = ['count', 'length', 'at_most'] as const;

/** A unit of another kind, a key of another unit, or one image, video or length as the price of more. */
export function priceMisfit(
  { operation, price }: ModelDefinition,
  { properties }: InputSchema,
): PriceMisfit | undefined {
  const foreign = UNIT_OF_OTHERS[DESCRIBED_OPERATIONS[operation]];
  if (price[foreign] !== undefined)
    return { field: `price.${foreign}`, problem: `is no price of a model of ${operation}` };
  const unit = price.per_image !== undefined ? 'per_image' : price.per_second !== undefined ? 'per_second' : 'per_task';
  const keys: readonly string[] = KEYS[unit];
  const unused = QUANTITY_KEYS.find((key) => price[key] !== undefined && !keys.includes(key));
  if (unused !== undefined)
    return { field: `price.${unused}`, problem: `says nothing of a price ${unit}: leave it out` };
  return unit === 'per_task' ? undefined : unpricedQuantity(unit, price, properties);
}

/** A field that asks for more than its price counts. */
function unpricedQuantity(
  unit: 'per_image' | 'per_second',
  { count, length, at_most: atMost = 0 }: PriceDefinition,
  properties: InputSchema['properties'],
): PriceMisfit | undefined {
  const find = (names: readonly string[], limit: number) =>
    Object.keys(properties).find((name) => names.includes(inSnakeCase(name)) && asksForMore(properties[name], limit));
  const ofCount = count === undefined ? find(COUNT_FIELDS, 1) : undefined;
  if (ofCount !== undefined) {
    const one = unit === 'per_image' ? 'one image' : 'one video';
    return misfit(`count: ${ofCount}`, `a task costs ${one}, however many it asks for`);
  }
  const isLengthOpen = unit === 'per_second' && length === undefined;
  const ofLength = isLengthOpen ? find(LENGTH_FIELDS, atMost) : undefined;
  return ofLength === undefined
    ? undefined
    : misfit(`length: ${ofLength}`, `a task costs ${atMost} s at most, however long a video it asks for`);
}

function misfit(key: string, otherwise: string): PriceMisfit {
  return { field: 'price', problem: `must have ${key}, because without it ${otherwise}` };
}

/** `numberOfImages` as `number_of_images`. */
function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether the field may hold anything but numbers up to the limit: words leave open how much is meant. */
function asksForMore(property: unknown, limit: number): boolean {
  if (!isJsonObject(property)) return true;
  const { const: only, enum: choices, maximum } = property;
  const figures = only !== undefined ? [only] : Array.isArray(choices) ? choices : [maximum];
  return !figures.every((figure) => Number(figure) <= limit);
}
