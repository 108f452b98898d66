import type { Call, JsonObject } from '../vendor-call/contract';
import { bodyCheck } from '../vendor-call/json-body';
import type { Fields } from '../vendor-call/shape';
import { invalidParams } from './wire';

const models = ['MiniMax-Hailuo-02'];

const properties = {
  model: { type: 'string' },
  prompt: { type: 'string', maxLength: 2_000 },
  prompt_optimizer: { type: 'boolean' },
  fast_pretreatment: { type: 'boolean' },
  duration: { enum: [6, 10] },
  resolution: { enum: ['512P', '768P', '1080P'] },
  first_frame_image: { type: 'string', minLength: 1 },
  last_frame_image: { type: 'string', minLength: 1 },
  callback_url: { type: 'string' },
  aigc_watermark: { type: 'boolean' },
} as const;

export type VideoRequest = Fields<typeof properties, 'model'>;

const checkShape = bodyCheck({ properties, required: ['model'] }, invalidParams);

/** The typed request; throws the vendor's refusal. */
export function checkRequest(body: JsonObject, call: Call): VideoRequest {
  const request = checkShape(body, call);
  checkCombination(request);
  return request;
}

function checkCombination(request: VideoRequest): void {
  const { model, prompt, duration, resolution, first_frame_image: first, last_frame_image: last } = request;
  if (!models.includes(model)) throw invalidParams(`model ${model.slice(0, 60)} does not exist`);
  if (first === undefined && last !== undefined) throw invalidParams('last_frame_image needs first_frame_image');
  if (first === undefined && (prompt === undefined || prompt === '')) throw invalidParams('prompt is required');
  if (resolution === '1080P' && duration === 10) throw invalidParams('1080P does not support duration 10');
  if (resolution === '512P' && first === undefined) throw invalidParams('512P needs first_frame_image');
  if (resolution === '512P' && last !== undefined) throw invalidParams('512P does not support last_frame_image');
}
