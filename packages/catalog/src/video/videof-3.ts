import { type KnownMedia, message, type VideoRequest } from '@mediagate/contracts';
import { FILE_ADDRESS } from '../addresses';
import { cannotCombine, type Rule, type RuleOutcome } from '../rules';
import { type Asset, assetOf, assetsAreNamed, assetsOf, filesOf, inputsOf } from './assets';
import { address, addresses, negativePrompt, nsfwCheck, text } from './fields';
import { type FileLimits, MEBIBYTE } from './file-limits';
import { type FrameRole, framesOrReferences, lastFrameNeedsFirst } from './frames';
import { perSecondPricing, type SecondRates, secondRate } from './pricing';

interface Input<Resolution extends string = '720p' | '1080p' | '4k'> {
  prompt: string;
  negative_prompt?: string;
  resolution: Resolution;
  aspect_ratio: '16:9' | '9:16';
  duration: number;
  first_frame_image?: string;
  last_frame_image?: string;
  reference_images?: readonly string[];
}

/** Whole seconds. What is finer than 720p, or made of references, has the longest alone. */
const LONGEST = 8;

/** The vendor takes images in the request itself, so that they are brought here. */
const image: FileLimits = {
  role: 'image',
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
  maxBytes: 10 * MEBIBYTE,
  inspectOnly: false,
};
const files = { first_frame: image, last_frame: image, reference_image: image } as const;

/** The fields that every model of the family reads. */
export const videof3Fields = {
  nsfw_check: nsfwCheck,
  prompt: text(4000, 'What the video should show, and what is to be heard: it always has a sound track.'),
  negative_prompt: negativePrompt,
  aspect_ratio: { type: 'string', enum: ['16:9', '9:16'], default: '16:9' },
  duration: {
    type: 'integer',
    enum: [4, 6, LONGEST],
    default: LONGEST,
    description: `Whole seconds. Only ${LONGEST} with a resolution above 720p, or with references.`,
  },
  first_frame_image: address(FILE_ADDRESS),
  last_frame_image: address(`${FILE_ADDRESS} Only with first_frame_image.`),
} as const;

export const videof3References = addresses(3, 'What is to be seen: people, things, places. Not with frames.');

const rules: readonly Rule<Input>[] = [
  lastFrameNeedsFirst(assets),
  framesOrReferences(assets),
  finerVideosAreLong,
  videosOfReferencesAreLong,
  ...assetsAreNamed(assets),
];

/** The parts that the models share, which is all but their names, choices and prices; to be spread into each. */
export const videof3 = {
  family: 'video',
  operation: 'videos.generations',
  rules,
  media: (body: Input) => filesOf(assets(body), files),
  request: toRequest,
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
} as const;

export function videof3Pricing<Resolution extends Input['resolution']>() {
  return perSecondPricing({
    rate: ({ resolution }: Input<Resolution>, rates: SecondRates<Resolution>) => secondRate(rates, resolution),
    seconds: ({ duration }) => duration,
  });
}

function toRequest(body: Input, _media: readonly KnownMedia[]): VideoRequest {
  return {
    prompt: body.prompt,
    ...(body.negative_prompt !== undefined && { negativePrompt: body.negative_prompt }),
    resolution: body.resolution,
    aspectRatio: body.aspect_ratio,
    seconds: body.duration,
    inputs: inputsOf(assets(body)),
  };
}

type Media = Pick<Input, 'first_frame_image' | 'last_frame_image' | 'reference_images'>;

function assets(body: Media): Asset<FrameRole | 'reference_image'>[] {
  return [
    ...assetOf('first_frame_image', body.first_frame_image, 'first_frame'),
    ...assetOf('last_frame_image', body.last_frame_image, 'last_frame'),
    ...assetsOf('reference_images', body.reference_images, 'reference_image'),
  ];
}

function finerVideosAreLong({ resolution, duration }: Input): RuleOutcome {
  if (resolution === '720p' || duration === LONGEST) return undefined;
  const other = message('with_value', { field: 'resolution', value: resolution });
  return cannotCombine('duration', 'must_be_with', { values: LONGEST, other });
}

function videosOfReferencesAreLong({ duration, reference_images: references = [] }: Input): RuleOutcome {
  if (references.length === 0 || duration === LONGEST) return undefined;
  return cannotCombine('duration', 'must_be_with', { values: LONGEST, other: 'reference_images' });
}
