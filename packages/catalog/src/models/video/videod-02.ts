import { listed, message } from '@mediagate/contracts';
import { FILE_ADDRESS } from '../../addresses';
import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { cannotCombine, ignore } from '../../rules';
import { type Asset, assetOf, assetsAreNamed, filesOf, inputsOf } from '../../video/assets';
import { nsfwCheck, promptOptimizer, text, watermark } from '../../video/fields';
import { type FileLimits, MEBIBYTE } from '../../video/file-limits';
import { type FrameRole, lastFrameNeedsFirst } from '../../video/frames';
import { perSecondPricing, type SecondRates, secondRate } from '../../video/pricing';

interface Input {
  resolution: '512p' | '768p' | '1080p';
  duration: number;
  prompt_optimizer: boolean;
  first_frame_image?: string;
  last_frame_image?: string;
}

/** The short side must exceed 300 pixels; from 2:5 to 5:2. */
const frame: FileLimits = {
  role: 'image',
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
  maxBytes: 20 * MEBIBYTE,
  limits: { minSide: 301, maxAspect: 2.5 },
};
const FRAME = `PNG, JPEG or WebP: ${FILE_ADDRESS}`;

const pricing = perSecondPricing({
  rate: ({ resolution }: Input, rates: SecondRates<Input['resolution']>) => secondRate(rates, resolution),
  seconds: ({ duration }) => duration,
});

export default defineModel({
  id: 'videod-02',
  family: 'video',
  operation: 'videos.generations',
  version: 1,
  input: fieldsOf(['prompt'], {
    nsfw_check: nsfwCheck,
    prompt: text(2000, 'What the video should show.'),
    duration: { type: 'integer', enum: [5, 10], default: 5, description: 'Whole seconds; 1080p has 5 only.' },
    resolution: {
      type: 'string',
      enum: ['512p', '768p', '1080p'],
      default: '768p',
      description: '512p only goes with a first frame and without a last one.',
    },
    prompt_optimizer: promptOptimizer,
    fast_pretreatment: {
      type: 'boolean',
      default: false,
      description: 'Spends less time on rewriting the prompt.',
    },
    watermark,
    first_frame_image: { type: 'string', description: FRAME },
    last_frame_image: { type: 'string', description: `${FRAME} Only with first_frame_image.` },
  }),
  rules: [
    longVideosAreNot1080p,
    ...assetsAreNamed(assets),
    lastFrameNeedsFirst(assets),
    lowestResolutionNeedsFirstFrameOnly,
    pretreatmentNeedsOptimizer,
  ],
  prices: { 'per_second.512p': 0.02, 'per_second.768p': 0.05, 'per_second.1080p': 0.09 },
  ...pricing,
  media: (input) => filesOf(assets(input), { first_frame: frame, last_frame: frame }),
  request: (input) => ({
    prompt: input.prompt,
    resolution: input.resolution,
    seconds: input.duration,
    watermark: input.watermark,
    rewritePrompt: input.prompt_optimizer,
    rewriteFast: input.fast_pretreatment,
    inputs: inputsOf(assets(input)),
  }),
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A kite over a winter beach', duration: 10 },
    { prompt: 'The kite dives', first_frame_image: 'https://example.com/kite.jpg', resolution: '512p' },
    {
      prompt: 'From bud to bloom',
      first_frame_image: 'https://example.com/bud.png',
      last_frame_image: 'https://example.com/bloom.png',
      resolution: '1080p',
    },
  ],
});

function assets(input: Pick<Input, 'first_frame_image' | 'last_frame_image'>): Asset<FrameRole>[] {
  return [
    ...assetOf('first_frame_image', input.first_frame_image, 'first_frame'),
    ...assetOf('last_frame_image', input.last_frame_image, 'last_frame'),
  ];
}

function longVideosAreNot1080p({ resolution, duration }: Input) {
  if (resolution !== '1080p' || duration === 5) return undefined;
  return cannotCombine('duration', 'must_be_with', {
    values: 5,
    other: message('with_value', { field: 'resolution', value: '1080p' }),
  });
}

function lowestResolutionNeedsFirstFrameOnly({ resolution, first_frame_image: first, last_frame_image: last }: Input) {
  if (resolution !== '512p') return undefined;
  if (first === undefined) {
    const field = message('with_value', { field: 'resolution', value: resolution });
    return cannotCombine('resolution', 'requires', { field, other: 'first_frame_image' });
  }
  return last === undefined
    ? undefined
    : cannotCombine('resolution', 'must_be_with', {
        values: listed('or', ['768p', '1080p']),
        other: 'last_frame_image',
      });
}

function pretreatmentNeedsOptimizer({ prompt_optimizer: optimizer }: Input) {
  return optimizer ? undefined : ignore('fast_pretreatment', 'ignored_goes_with', { other: 'prompt_optimizer' });
}
