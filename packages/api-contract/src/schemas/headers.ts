import type { JsonSchema } from '../operation';
import { integer, string } from './build';

interface Header {
  description: string;
  schema: JsonSchema;
  required?: boolean;
}

/** Every header that an answer may carry and callers may rely on. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Your own, if it was sane, else a new one. Quote it when you ask for help.',
    schema: string(),
    required: true,
  },
  'X-Task-Id': { description: 'The task; absent where only its price was asked for.', schema: string() },
  'AI-Disclosure': {
    description:
      '`mode=machine-generated` and the model, as a dictionary of structured fields; absent where only the price was asked for.',
    schema: string(),
  },
  'Idempotency-Replayed': {
    description: '`true`: the acknowledgement of an earlier request with this `Idempotency-Key`.',
    schema: { const: 'true' },
  },
  'Preference-Applied': {
    description: '`wait`: the task has ended, and this is its record.',
    schema: { const: 'wait' },
  },
  'RateLimit-Limit': {
    description:
      'Requests of this window, of the limit that leaves the fewest: the key’s own, that of all keys which one made, or the account’s.',
    schema: integer(),
  },
  'RateLimit-Remaining': { description: 'What is left of them.', schema: integer() },
  'RateLimit-Reset': { description: 'Seconds until the window begins anew.', schema: integer() },
  'Retry-After': { description: 'Seconds to wait.', schema: integer() },
  Location: { description: 'The address of the file.', schema: string(), required: true },
  ETag: { description: 'Identifies this version of the answer.', schema: string(), required: true },
  'Content-Range': { description: 'The part, and the size of the whole.', schema: string(), required: true },
};
