import { decimalToNano, isJsonObject, type JsonObject, MAX_BOOKED_NANO, nanoToDecimal } from '@mediagate/contracts';
import type { ModelDefinition } from './definition';

/** A price by which a body may cost more than any balance can be. Its quantities have been judged: each has an end. */
export function unbookable({ price, input }: ModelDefinition): { field: string; problem: string } | undefined {
  const { per_image: perImage, per_second: perSecond, per_task: perTask, count, length, at_most: atMost = 0 } = price;
  const unit = perImage !== undefined ? 'per_image' : perSecond !== undefined ? 'per_second' : 'per_task';
  const seconds = unit === 'per_second' ? Math.max(mostOf(input, length, 0), atMost) : 1;
  const rate = decimalToNano(String(perImage ?? perSecond ?? perTask)) ?? 0n;
  const most = rate * BigInt(Math.ceil(seconds * mostOf(input, count, 1)));
  if (most <= MAX_BOOKED_NANO) return undefined;
  const limit = nanoToDecimal(MAX_BOOKED_NANO);
  return {
    field: `price.${unit}`,
    problem: `lets a task cost ${nanoToDecimal(most)}, and no balance is above ${limit}`,
  };
}

function mostOf({ properties }: JsonObject, name: string | undefined, otherwise: number): number {
  const field = name !== undefined && isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(field)) return otherwise;
  const { enum: choices, maximum } = field;
  const figures = (Array.isArray(choices) ? choices : [maximum]).map(Number).filter(Number.isFinite);
  return Math.max(otherwise, ...figures);
}
