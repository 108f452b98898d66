import type { Fields } from '../vendor-call/shape';
import { commonParameters, compileModel, type ModelReader, plan, type VideoPlan } from './request';
import { canvasFor, canvasOfStarSize, starSizes } from './sizes';
import { invalidParameter } from './wire';

const prompts = {
  prompt: { type: 'string', minLength: 1, maxLength: 1_500 },
  negative_prompt: { type: 'string', maxLength: 500 },
} as const;
const parameters = {
  ...commonParameters,
  duration: { type: 'integer', minimum: 2, maximum: 15 },
  shot_type: { enum: ['single', 'multi'] },
} as const;
const audio = { type: 'boolean' } as const;
const size = { enum: starSizes };
const link = { type: 'string', minLength: 1 } as const;

const checkText = compileModel({
  required: ['prompt'],
  input: { ...prompts, audio_url: link },
  parameters: { ...parameters, audio, size },
});

const fromImage = {
  required: ['img_url'],
  input: { ...prompts, img_url: link, audio_url: link },
  parameters: { ...parameters, resolution: { enum: ['720P', '1080P'] } },
} as const;
const checkImage = compileModel(fromImage);
const checkFlash = compileModel({ ...fromImage, parameters: { ...fromImage.parameters, audio } });

/** `wan2.6-t2v`: a size with a star. */
export const textToVideo: ModelReader = async (body, { call, references }) => {
  const request = checkText(body, call);
  checkShots(request.parameters, call.requestId);
  if (request.input.audio_url !== undefined) await references.audio(request.input.audio_url);
  return plan(request.parameters, canvasOfStarSize(request.parameters.size ?? '1920*1080'));
};

/** `wan2.6-i2v`: a resolution, and the shape of the image; always with sound. */
export const imageToVideo: ModelReader = (body, around) => animated(checkImage(body, around.call), around);

/** `wan2.6-i2v-flash`: the same, with sound or without. */
export const flashToVideo: ModelReader = (body, around) => animated(checkFlash(body, around.call), around);

async function animated(
  request: ReturnType<typeof checkImage>,
  { call, references }: Parameters<ModelReader>[1],
): Promise<VideoPlan> {
  checkShots(request.parameters, call.requestId);
  const image = await references.image(request.input.img_url ?? '');
  if (request.input.audio_url !== undefined) await references.audio(request.input.audio_url);
  return plan(request.parameters, canvasFor(request.parameters.resolution ?? '1080P', image));
}

function checkShots({ shot_type, prompt_extend }: Fields<typeof parameters>, requestId: string): void {
  if (shot_type === 'multi' && prompt_extend === false) {
    throw invalidParameter('parameters.shot_type multi needs prompt_extend to be true', requestId);
  }
}
