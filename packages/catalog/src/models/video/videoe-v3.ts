import type { FromSchema } from 'json-schema-to-ts';
import { FILE_ADDRESS } from '../../addresses';
import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { ignore, missing, type RuleOutcome } from '../../rules';
import { type Asset, assetsAreNamed, assetsOf, filesOf, inputsOf } from '../../video/assets';
import { elementAssets, elementNamesAreDistinct, elementsAreCalled, elementsOf } from '../../video/elements';
import { address, addresses, duration, text } from '../../video/fields';
import { type FileLimits, MEBIBYTE } from '../../video/file-limits';
import { type FrameRole, frameRole } from '../../video/frames';
import { perSecondPricing, type SecondRates, secondRate } from '../../video/pricing';
import { shotsAreNumbered, shotsFillDuration, shotsGoWithCustomize, shotsOf, shotTypeIsGiven } from '../../video/shots';

type Input = FromSchema<typeof schema>;

/** The resolution of each mode, and the name under which it is priced. */
const MODES = {
  std: { resolution: '720p', priced: '720P' },
  pro: { resolution: '1080p', priced: '1080P' },
  '4k': { resolution: '4k', priced: '4K' },
} as const;

const image: FileLimits = {
  role: 'image',
  contentTypes: ['image/jpeg', 'image/png'],
  maxBytes: 50 * MEBIBYTE,
  limits: { minSide: 300, maxAspect: 2.5 },
};

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    prompt: text(2500, 'What the video should show. May be omitted with multi_shot.'),
    negative_prompt: text(2500, 'What the video should not show.'),
    mode: { type: 'string', enum: ['std', 'pro', '4k'], default: 'std', description: 'std is 720P, pro 1080P.' },
    duration: duration(3, 15),
    aspect_ratio: {
      type: 'string',
      enum: ['16:9', '9:16', '1:1'],
      default: '16:9',
      description: 'With image_urls the video has the ratio of the image.',
    },
    image_urls: addresses(2, 'One image: the first frame. Two: the first and the last frame.'),
    watermark: { type: 'boolean', description: 'Marks the video as made by AI.' },
    audio: { type: 'boolean', default: false, description: 'Whether the video has a sound track.' },
    multi_shot: { type: 'boolean', default: false, description: 'Several shots in one video.' },
    shot_type: {
      type: 'string',
      enum: ['customize', 'intelligence'],
      description: 'Required with multi_shot: whether multi_prompt plans the shots, or the model.',
    },
    multi_prompt: {
      type: 'array',
      maxItems: 6,
      description: 'Required with shot_type customize. The durations add up to that of the video.',
      items: fieldsOf(['index', 'prompt', 'duration'], {
        index: { type: 'integer', minimum: 1, maximum: 6, description: 'Counted from 1 without a gap.' },
        prompt: text(512, 'What the shot should show.'),
        duration: { type: 'integer', minimum: 1, maximum: 15, description: 'Whole seconds.' },
      }),
    },
    element_list: {
      type: 'array',
      maxItems: 3,
      description: 'People and things, called by @ and their name in the prompt.',
      items: fieldsOf(['name', 'description', 'element_input_urls'], {
        name: text(20, 'Not contained in the name of another.'),
        description: text(100, 'What it is.'),
        element_input_urls: {
          type: 'array',
          minItems: 2,
          maxItems: 4,
          items: address(FILE_ADDRESS),
          description: 'Images of it; the first shows the front.',
        },
      }),
    },
  },
} as const;

const pricing = perSecondPricing({
  rate: ({ mode }: Input, rates: SecondRates<'720P' | '1080P' | '4K'> & { audio_factor: bigint }) =>
    secondRate(rates, MODES[mode].priced),
  factor: ({ audio }, rates) => (audio ? rates.audio_factor : undefined),
  seconds: ({ duration: seconds }) => seconds,
});

export default defineModel({
  id: 'videoe-v3',
  family: 'video',
  operation: 'videos.generations',
  version: 1,
  input: schema,
  rules: [
    shotTypeIsGiven,
    shotsGoWithCustomize,
    shotsAreNumbered,
    shotsFillDuration,
    promptUnlessShots,
    elementNamesAreDistinct,
    elementsAreCalled,
    ratioIsThatOfImage,
    ...assetsAreNamed(assets),
  ],
  prices: { 'per_second.720P': 0.084, 'per_second.1080P': 0.112, 'per_second.4K': 0.42, audio_factor: 1.5 },
  ...pricing,
  media: (input) => filesOf(assets(input), { first_frame: image, last_frame: image, element_image: image }),
  request: (input) => {
    const { prompt, negative_prompt: negativePrompt, watermark } = input;
    const shots = shotsOf(input);
    const elements = elementsOf(input);
    return {
      ...(prompt !== undefined && { prompt }),
      ...(negativePrompt !== undefined && { negativePrompt }),
      resolution: MODES[input.mode].resolution,
      ...(frames(input).length === 0 && { aspectRatio: input.aspect_ratio }),
      seconds: input.duration,
      audio: input.audio,
      ...(watermark !== undefined && { watermark }),
      inputs: inputsOf(frames(input)),
      ...(elements.length > 0 && { elements }),
      ...(shots !== undefined && { shots }),
    };
  },
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A lighthouse keeper climbs the stairs', duration: 8, mode: 'pro', audio: true },
    { prompt: 'The rose opens', image_urls: ['https://example.com/bud.jpg', 'https://example.com/rose.jpg'] },
    {
      multi_shot: true,
      shot_type: 'customize',
      duration: 6,
      multi_prompt: [
        { index: 1, prompt: 'A door in the rain', duration: 2 },
        { index: 2, prompt: 'The hand of @Iris on the handle', duration: 4 },
      ],
      element_list: [
        {
          name: 'Iris',
          description: 'A detective in a grey coat',
          element_input_urls: ['https://example.com/front.jpg', 'https://example.com/side.jpg'],
        },
      ],
    },
    { prompt: 'A heist told in four shots', multi_shot: true, shot_type: 'intelligence', duration: 15, mode: '4k' },
  ],
});

function frames({ image_urls: urls }: Pick<Input, 'image_urls'>): Asset<FrameRole>[] {
  return assetsOf('image_urls', urls, frameRole);
}

function assets(input: Pick<Input, 'image_urls' | 'element_list'>): Asset<FrameRole | 'element_image'>[] {
  return [...frames(input), ...elementAssets(input)];
}

/** With several shots the prompt may be missing, whoever plans them. */
function promptUnlessShots({ prompt, multi_shot: several }: Input): RuleOutcome {
  if (prompt !== undefined || several) return undefined;
  return missing('prompt', 'required_unless', { other: 'multi_shot', value: 'true' });
}

function ratioIsThatOfImage(input: Input) {
  return frames(input).length > 0 ? ignore('aspect_ratio', 'ignored_ratio_of_image') : undefined;
}
