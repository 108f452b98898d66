import { compileShape, pathOf } from '../vendor-call/shape';
import { invalidParams } from './wire';

export interface VideoRequest {
  model: string;
  prompt?: string;
  duration?: 6 | 10;
  resolution?: '512P' | '768P' | '1080P';
  first_frame_image?: string;
  last_frame_image?: string;
  callback_url?: string;
  aigc_watermark?: boolean;
}

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
};

const checkShape = compileShape<VideoRequest>({ type: 'object', required: ['model'], properties });

/** The typed request; throws the vendor's refusal. Fields that the vendor does not know are ignored by it, and warned of here. */
export function checkRequest(
  body: Record<string, unknown>,
  { warn }: { warn: (sentence: string) => void },
): VideoRequest {
  const shape = checkShape(body);
  if (!shape.ok) throw invalidParams(`${pathOf(shape.error).join('.')} ${shape.error.message ?? 'is wrong'}`);
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(properties, name)) warn(`unknown field '${name.slice(0, 60)}'`);
  }
  checkCombination(shape.value);
  return shape.value;
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
