import type { KnownMedia } from '@mediagate/contracts';
import type { FromSchema } from 'json-schema-to-ts';
import { FILE_ADDRESS } from '../../addresses';
import { defineModel } from '../../define-model';
import type { MediaProblem } from '../../entry';
import { cannotCombine, type RuleOutcome } from '../../rules';
import { type Asset, assetOf, assetsAreNamed, assetsOf, filesOf, inputsOf, promptOrAssets } from '../../video/assets';
import { address, addresses, nsfwCheck, seed, text, watermark } from '../../video/fields';
import { type FileLimits, MEBIBYTE, sound, VIDEO_TYPES } from '../../video/file-limits';
import { type FrameRole, framesOrReferences, lastFrameNeedsFirst } from '../../video/frames';
import { perSecondPricing, type SecondRates, secondRate } from '../../video/pricing';
import { tooLongTogether } from '../../video/totals';

type Input = FromSchema<typeof input>;
type Role = FrameRole | 'reference_image' | 'reference_video' | 'reference_audio';

/** Whole seconds; the model may also choose. */
const LENGTH = { min: 4, max: 15, chosenByModel: -1 } as const;
/** The length of one clip, and of all clips of a kind together. */
const MAX_CLIP_SECONDS = 15;
const clipLength = { minSeconds: 2, maxSeconds: MAX_CLIP_SECONDS };

const image: FileLimits = {
  role: 'image',
  contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/bmp'],
  maxBytes: 30 * MEBIBYTE,
  limits: { minSide: 300, maxSide: 6000, maxAspect: 2.5 },
};
const files = {
  first_frame: image,
  last_frame: image,
  reference_image: image,
  reference_video: { role: 'video', contentTypes: VIDEO_TYPES, maxBytes: 50 * MEBIBYTE, limits: clipLength },
  reference_audio: sound(clipLength),
} as const;

const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    nsfw_check: nsfwCheck,
    prompt: text(4000, 'What the video should show. Required unless media is given.'),
    resolution: { type: 'string', enum: ['480p', '720p', '1080p'], default: '720p' },
    aspect_ratio: {
      type: 'string',
      enum: ['adaptive', '16:9', '4:3', '1:1', '3:4', '9:16', '21:9'],
      default: 'adaptive',
      description: 'adaptive: that of the media, or the choice of the model.',
    },
    duration: {
      type: 'integer',
      default: 5,
      anyOf: [{ minimum: LENGTH.min, maximum: LENGTH.max }, { const: LENGTH.chosenByModel }],
      description: 'Whole seconds; -1: the model decides.',
    },
    audio: { type: 'boolean', default: true, description: 'Whether the video has a sound track.' },
    seed,
    watermark,
    first_frame_image: address(FILE_ADDRESS),
    last_frame_image: address(`${FILE_ADDRESS} Only with first_frame_image.`),
    reference_images: addresses(9, 'What is to be seen. Not with frames.'),
    reference_videos: addresses(3, 'Clips to work from: mp4 or mov, 2 to 15 s each and at most 15 s together.'),
    reference_audio: addresses(
      3,
      'Sounds to work from: wav or mp3, 2 to 15 s each and at most 15 s together. Only with reference_images or reference_videos.',
    ),
  },
} as const;

export default defineModel({
  id: 'videob-2.0',
  family: 'video',
  operation: 'videos.generations',
  version: 1,
  input,
  rules: [
    promptOrAssets(assets),
    framesOrReferences(assets),
    audioIsNotAlone,
    lastFrameNeedsFirst(assets),
    ...assetsAreNamed(assets),
  ],
  prices: { 'per_second.480p': 0.08, 'per_second.720p': 0.18, 'per_second.1080p': 0.42 },
  ...perSecondPricing({
    rate: ({ resolution }: Input, rates: SecondRates<Input['resolution']>) => secondRate(rates, resolution),
    seconds: ({ duration }) => (duration === LENGTH.chosenByModel ? { atMost: LENGTH.max } : duration),
  }),
  media: (body) => filesOf(assets(body), files),
  checkMedia: clipsFit,
  request: (body) => ({
    ...(body.prompt !== undefined && { prompt: body.prompt }),
    resolution: body.resolution,
    ...(body.aspect_ratio !== 'adaptive' && { aspectRatio: body.aspect_ratio }),
    seconds: body.duration === LENGTH.chosenByModel ? 'auto' : body.duration,
    audio: body.audio,
    watermark: body.watermark,
    ...(body.seed !== undefined && { seed: body.seed }),
    inputs: inputsOf(assets(body)),
  }),
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A tram climbs a steep street in the rain', resolution: '1080p', duration: 10 },
    {
      prompt: 'From seed to sunflower',
      first_frame_image: 'https://example.com/seed.jpg',
      last_frame_image: 'https://example.com/flower.jpg',
      duration: -1,
    },
    {
      prompt: 'The cat of image 1 dances as in video 1',
      reference_images: ['https://example.com/cat.jpg'],
      reference_videos: ['https://example.com/dance.mp4'],
      reference_audio: ['https://example.com/tango.mp3'],
      resolution: '480p',
    },
  ],
});

type Media = Pick<
  Input,
  'first_frame_image' | 'last_frame_image' | 'reference_images' | 'reference_videos' | 'reference_audio'
>;

function assets(body: Media): Asset<Role>[] {
  return [
    ...assetOf('first_frame_image', body.first_frame_image, 'first_frame'),
    ...assetOf('last_frame_image', body.last_frame_image, 'last_frame'),
    ...assetsOf('reference_images', body.reference_images, 'reference_image'),
    ...assetsOf('reference_videos', body.reference_videos, 'reference_video'),
    ...assetsOf('reference_audio', body.reference_audio, 'reference_audio'),
  ];
}

function audioIsNotAlone(body: Media): RuleOutcome {
  const all = assets(body);
  const isAlone = all.length > 0 && all.every(({ role }) => role === 'reference_audio');
  if (!isAlone) return undefined;
  return cannotCombine('reference_audio', 'requires', { field: 'reference_audio', other: 'reference_images' });
}

function clipsFit(_body: Input, media: readonly KnownMedia[]): MediaProblem | undefined {
  return (
    tooLongTogether(media, { role: 'video', maxSeconds: MAX_CLIP_SECONDS }) ??
    tooLongTogether(media, { role: 'audio', maxSeconds: MAX_CLIP_SECONDS })
  );
}
