import type { JsonSchema } from '../operation';
import { number, string } from './build';

/** The parts that the schemas for operators share. */

export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
export const text = orNull(string());
export const time = (description: string): JsonSchema =>
  number(`${description.replace(/\.$/, '')}, in Unix seconds with milliseconds.`);
export const timeOrNull = (description: string): JsonSchema => orNull(time(description));
export const amount = (description: string): JsonSchema => number(`${description}, in currency units.`);
