import type { Call, JsonObject } from '../vendor-call/contract';
import { bodyCheck } from '../vendor-call/json-body';
import { type Fields, pathOf } from '../vendor-call/shape';
import { invalid } from './wire';

export const MODELS = ['clips-2'];

const properties = {
  model: { enum: MODELS },
  prompt: { type: 'string', minLength: 1, maxLength: 4_000 },
  seconds: { type: 'integer', minimum: 1, maximum: 20 },
  height: { enum: [480, 720, 1080] },
  shape: { enum: ['16:9', '9:16', '1:1', '4:3', '3:4'] },
  seed: { type: 'integer', minimum: 0 },
  sound: { type: 'boolean' },
  first_frame: { type: 'string', pattern: '^https?://' },
  reference: { type: 'string', maxLength: 100 },
  notify_url: { type: 'string', pattern: '^https?://' },
} as const;

const REQUIRED = ['model', 'prompt', 'seconds'] as const;

export type ClipRequest = Fields<typeof properties, (typeof REQUIRED)[number]>;

const check = bodyCheck({ properties, required: REQUIRED }, (sentence, _requestId, error) =>
  invalid(pathOf(error).join('.'), sentence),
);

/** The typed request; throws the vendor's refusal. */
export function checkClip(body: JsonObject, call: Call): ClipRequest {
  return check(body, call);
}
