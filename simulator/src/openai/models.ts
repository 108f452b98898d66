import { Refusal } from '../vendor-call/contract';
import { openaiError } from './wire';

/** The qualities of a model family, each with the output tokens of one image of 1,048,576 pixels. */
export interface ImageModel {
  outputTokens: Partial<Record<Quality, number>>;
}

export type Quality = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

const gptImage2: ImageModel = { outputTokens: { low: 196, medium: 1_756, high: 7_024 } };
const gptImage25: ImageModel = { outputTokens: { low: 196, medium: 439, high: 1_756, xhigh: 3_122, max: 7_024 } };

const models = new Map<string, ImageModel>([
  ['gpt-image-2', gptImage2],
  ['gpt-image-2-2026-04-21', gptImage2],
  ['gpt-image-2.5-flare', gptImage25],
  ['gpt-image-2.5-flare-2026-09-08', gptImage25],
  ['gpt-image-2.5-sunburst', gptImage25],
  ['gpt-image-2.5-sunburst-2026-09-08', gptImage25],
  // At the prices of the ones before them (developers.openai.com/api/docs/models, November 2026).
  ['gpt-image-2.6-flare', gptImage25],
  ['gpt-image-2.6-sunburst', gptImage25],
]);

export function imageModelNames(): string[] {
  return [...models.keys()];
}

/** The model of that name; throws the vendor's 404. */
export function imageModel(name: string): ImageModel {
  const model = models.get(name);
  if (model) return model;
  throw new Refusal(
    openaiError(404, {
      message: `The model '${name.slice(0, 100)}' does not exist or you do not have access to it.`,
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    }),
  );
}
