import { defineModel } from '../../define-model';
import { ignore } from '../../rules';
import { type Asset, assetsAreNamed, assetsOf, filesOf, inputsOf, promptOrAssets } from '../../video/assets';
import { addresses, negativePrompt, nsfwCheck, seed, text } from '../../video/fields';
import { FRAME_IMAGE } from '../../video/file-limits';
import { perSecondPricing, type SecondRates, secondRate } from '../../video/pricing';

interface Input {
  prompt?: string;
  image_urls?: readonly string[];
  resolution: '720p' | '1080p';
  duration: number;
}

const pricing = perSecondPricing({
  rate: ({ resolution }: Input, rates: SecondRates<'720p' | '1080p'>) => secondRate(rates, resolution),
  seconds: ({ duration }) => duration,
});

export default defineModel({
  id: 'videoa-2.6',
  family: 'video',
  operation: 'videos.generations',
  version: 1,
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      nsfw_check: nsfwCheck,
      prompt: text(1500, 'What the video should show. Required without image_urls.'),
      negative_prompt: negativePrompt,
      image_urls: addresses(1, 'The first frame.'),
      aspect_ratio: {
        type: 'string',
        enum: ['16:9', '9:16', '1:1', '4:3', '3:4'],
        default: '16:9',
        description: 'Only without image_urls.',
      },
      resolution: { type: 'string', enum: ['720p', '1080p'], default: '720p' },
      duration: { type: 'integer', enum: [5, 10, 15], default: 5, description: 'Whole seconds.' },
      prompt_extend: { type: 'boolean', default: true, description: 'Lets the model rewrite the prompt first.' },
      audio: { type: 'boolean', default: true, description: 'Whether the video has a sound track.' },
      seed,
    },
  },
  rules: [promptOrAssets(assets), ratioIsThatOfImage, ...assetsAreNamed(assets)],
  prices: { 'per_second.720p': 0.1, 'per_second.1080p': 0.15 },
  ...pricing,
  media: (input) => filesOf(assets(input), { first_frame: FRAME_IMAGE }),
  request: (input) => ({
    ...(input.prompt !== undefined && { prompt: input.prompt }),
    ...(input.negative_prompt !== undefined && { negativePrompt: input.negative_prompt }),
    resolution: input.resolution,
    ...(assets(input).length === 0 && { aspectRatio: input.aspect_ratio }),
    seconds: input.duration,
    audio: input.audio,
    ...(input.seed !== undefined && { seed: input.seed }),
    rewritePrompt: input.prompt_extend,
    inputs: inputsOf(assets(input)),
  }),
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A paper boat drifts down a gutter in the rain', duration: 10, aspect_ratio: '9:16' },
    { prompt: 'The boat sets sail', image_urls: ['https://example.com/boat.jpg'], resolution: '1080p' },
    { image_urls: ['https://example.com/boat.jpg'], audio: false, seed: 7 },
  ],
});

function assets({ image_urls: urls }: Pick<Input, 'image_urls'>): Asset<'first_frame'>[] {
  return assetsOf('image_urls', urls, 'first_frame');
}

function ratioIsThatOfImage(input: Input) {
  return assets(input).length > 0 ? ignore('aspect_ratio', 'ignored_ratio_of_image') : undefined;
}
