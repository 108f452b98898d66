import type { JsonSchema, Parameter } from '../../operation';
import { number, string } from '../../schemas/build';

/** The parts that the entries for operators share. */

export const READ = { method: 'get', auth: 'operator', tag: 'Operators', role: 'read' } as const;

/** A header for every operation that changes something. */
export const CHANGE_KEY: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'One of your own for each change: the same key with the same request changes nothing and answers what was changed, with `Idempotency-Replayed: true`; with another request it is 409. Kept for good.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Every change takes an `Idempotency-Key`, and is 409 where that key, or the state of what it changes, does not allow it. */
export const CHANGE = {
  method: 'post',
  auth: 'operator',
  tag: 'Operators',
  parameters: [CHANGE_KEY],
  refusals: [409],
} as const;

export const REASON: JsonSchema = string('Why; kept in the audit log: up to 500 characters.');
export const AMOUNT: JsonSchema = number('Currency units, with at most nine decimals.');
