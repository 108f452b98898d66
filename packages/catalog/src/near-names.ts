import { fieldFailure, type JsonObject, listed } from '@mediagate/contracts';
import type { RejectedInput } from './entry';
import { rejected } from './rules';

/** Fields that change a price, by the names that other APIs or models give them, with the names to look for in this model. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  size: ['aspect_ratio', 'resolution'],
  aspect_ratio: ['size'],
  ratio: ['aspect_ratio', 'size'],
  resolution: ['mode'],
  n: ['batch_size'],
  num_images: ['n', 'batch_size'],
  number_of_images: ['n', 'batch_size'],
  batch_size: ['n'],
  seconds: ['duration'],
  duration_seconds: ['duration'],
};

/**
 * Finds fields that a model does not have and calls otherwise. Ignored, they would be paid for as if they had not been sent;
 * taken, their values might mean something else.
 *
 * @param properties of the model.
 */
export function createNearNameJudge(
  properties: Readonly<Record<string, unknown>>,
): (body: JsonObject) => RejectedInput[] {
  const has = (name: string) => Object.hasOwn(properties, name);
  const called = Object.entries(OTHER_NAMES)
    .map(([name, others]) => [name, others.filter(has)] as const)
    .filter(([name, others]) => !has(name) && others.length > 0);
  return (body) =>
    called
      .filter(([name]) => isSent(body, name))
      .map(([name, others]) =>
        rejected(fieldFailure('unsupported_parameter', name, 'called_otherwise', { other: listed('or', others) })),
      );
}

function isSent(body: JsonObject, name: string): boolean {
  if (!Object.hasOwn(body, name)) return false;
  const value = body[name];
  return value !== undefined && value !== null && value !== '';
}
