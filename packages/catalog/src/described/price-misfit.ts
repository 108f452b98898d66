import type { JsonObject } from '@mediagate/contracts';
import { COUNT_FIELDS, LENGTH_FIELDS } from '../near-names';
import { DESCRIBED_OPERATIONS, type ModelDefinition, type PriceDefinition } from './definition';
import { fieldsAskingForMore } from './unpriced-fields';

interface PriceMisfit {
  field: string;
  problem: string;
}

const UNIT_OF_OTHERS = { image: 'per_second', video: 'per_image' } as const;

/** The keys that say the quantity of a unit. */
const KEYS = {
  per_task: [],
  per_image: ['count'],
  per_second: ['count', 'length', 'at_most'],
} as const satisfies Record<string, readonly (keyof PriceDefinition)[]>;
const QUANTITY_KEYS = ['count', 'length', 'at_most'] as const;

/** A unit of another kind, a key of another unit, or one image, video or length as the price of more. */
export function priceMisfit({ operation, price, input }: ModelDefinition): PriceMisfit | undefined {
  const foreign = UNIT_OF_OTHERS[DESCRIBED_OPERATIONS[operation]];
  if (price[foreign] !== undefined)
    return { field: `price.${foreign}`, problem: `is no price of a model of ${operation}` };
  const unit = price.per_image !== undefined ? 'per_image' : price.per_second !== undefined ? 'per_second' : 'per_task';
  const keys: readonly string[] = KEYS[unit];
  const unused = QUANTITY_KEYS.find((key) => price[key] !== undefined && !keys.includes(key));
  if (unused !== undefined)
    return { field: `price.${unused}`, problem: `says nothing of a price ${unit}: leave it out` };
  return unit === 'per_task' ? undefined : unpricedQuantity(unit, price, input);
}

/** A field that asks for more than its price counts. */
function unpricedQuantity(
  unit: 'per_image' | 'per_second',
  { count, length, at_most: atMost = 0 }: PriceDefinition,
  schema: JsonObject,
): PriceMisfit | undefined {
  const isTop = (field: string) => !/[.[]/.test(field);
  const counts = fieldsAskingForMore(schema, { names: COUNT_FIELDS, limit: 1, own: count });
  const ofCount = count === undefined ? counts.find(isTop) : undefined;
  if (ofCount !== undefined) {
    const one = unit === 'per_image' ? 'one image' : 'one video';
    return misfit(`must have count: ${ofCount}, because without it a task costs ${one}, however many it asks for`);
  }
  const ofLengths = { names: LENGTH_FIELDS, limit: length === undefined ? atMost : 0, own: length };
  const lengths = unit === 'per_second' ? fieldsAskingForMore(schema, ofLengths) : [];
  const ofLength = length === undefined ? lengths.find(isTop) : undefined;
  if (ofLength !== undefined) {
    const most = `a task costs ${atMost} s at most, however long a video it asks for`;
    return misfit(`must have length: ${ofLength}, because without it ${most}`);
  }
  const [other] = [...counts, ...lengths];
  return other === undefined
    ? undefined
    : misfit(
        `leaves out ${other}, which may ask for more: leave it out of the input, too, or mark it mediagate-unpriced`,
      );
}

function misfit(problem: string): PriceMisfit {
  return { field: 'price', problem };
}
