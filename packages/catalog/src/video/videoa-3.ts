import { aboutField, type KnownMedia, message, type VideoRequest } from '@mediagate/contracts';
import type { FromSchema } from 'json-schema-to-ts';
import { FILE_ADDRESS } from '../addresses';
import type { MediaProblem } from '../entry';
import { fieldsOf } from '../fields-of';
import { cannotCombine, type Rule, type RuleOutcome, rewrite } from '../rules';
import { assetsAreNamed, filesOf, inputsOf, pagesOf, promptOrAssets } from './assets';
import { address, addresses, nsfwCheck, seed, watermark } from './fields';
import { clip, DOCUMENT_TYPES, type FileLimits, FRAME_IMAGE, MEBIBYTE, sound } from './file-limits';
import { eachFrameOnce, lastFrameNeedsFirst } from './frames';
import { type BilledSeconds, perSecondPricing, type SecondRates, secondRate } from './pricing';
import { truncatePrompt } from './prompt';
import { exceeds, tooLongTogether, totalSeconds } from './totals';
import {
  canonicalRole,
  familiesAreNotMixed,
  fileOrLink,
  generationTypeNeedsBareImages,
  IMAGE_ROLES,
  MAX_CLIPS,
  MAX_REFERENCE_IMAGES,
  referencesAreNotTooMany,
  videoa3Assets,
} from './videoa-3-assets';

type Input = FromSchema<typeof input>;

/** Whole seconds of output; the model may also choose. */
const LENGTH = { min: 2, max: 30, chosenByModel: -1 } as const;
/** The length of one clip, and of all clips of a kind together. */
const MAX_CLIP_SECONDS = 15;
/** The length of all videos in and out together. */
const MAX_VIDEO_SECONDS = 30;
const MAX_PROMPT_CHARACTERS = 20_000;

const RESOLUTIONS = { '480P': '480p', '720P': '720p', '1080P': '1080p' } as const;
const RATIOS = ['adaptive', '16:9', '4:3', '1:1', '3:4', '9:16'] as const;

const image: FileLimits = { ...FRAME_IMAGE, limits: { ...FRAME_IMAGE.limits, alpha: 'refused' } };
const clipLength = { minSeconds: 1, maxSeconds: MAX_CLIP_SECONDS };
const files = {
  first_frame: image,
  last_frame: image,
  reference_image: image,
  reference_video: clip(clipLength),
  reference_audio: sound(clipLength),
  document: { role: 'document', contentTypes: DOCUMENT_TYPES, maxBytes: 100 * MEBIBYTE, limits: { maxPages: 50 } },
} as const;

const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    nsfw_check: nsfwCheck,
    prompt: {
      type: 'string',
      description: `Required unless media is given. What exceeds ${MAX_PROMPT_CHARACTERS} characters is cut off. References are called Image 1, Video 1, Audio 1.`,
    },
    resolution: { type: 'string', enum: ['480P', '720P', '1080P'], default: '1080P' },
    size: {
      type: 'string',
      enum: RATIOS,
      default: 'adaptive',
      description: 'Aspect ratio; adaptive: that of the media, or the choice of the model.',
    },
    aspect_ratio: { type: 'string', enum: RATIOS, description: 'Another name of size.' },
    duration: {
      type: 'integer',
      default: 5,
      anyOf: [{ minimum: LENGTH.min, maximum: LENGTH.max }, { const: LENGTH.chosenByModel }],
      description: 'Whole seconds; -1: the model decides. Input videos and the output last at most 30 s together.',
    },
    audio: { type: 'boolean', default: true, description: 'Whether the video has a sound track.' },
    seed,
    watermark,
    generation_type: {
      type: 'string',
      enum: ['frame', 'reference'],
      description:
        'What image_urls are. Default: references where other reference media is given, else first and last frame.',
    },
    image_urls: addresses(MAX_REFERENCE_IMAGES, 'Frames or references, see generation_type.'),
    image_with_roles: {
      type: 'array',
      maxItems: MAX_REFERENCE_IMAGES,
      items: fieldsOf(['url', 'role'], { url: address(FILE_ADDRESS), role: { type: 'string', enum: IMAGE_ROLES } }),
    },
    video_urls: addresses(MAX_CLIPS, 'Reference videos: mp4 or mov, 1 to 15 s each and at most 15 s together.'),
    audio_urls: addresses(MAX_CLIPS, 'Reference audio: wav or mp3, 1 to 15 s each and at most 15 s together.'),
    audio_url: address('One more audio_urls.'),
    file_url: address('A document to work from: office formats, PDF, text; at most 50 pages. Not with link_url.'),
    link_url: address('A public page to work from. Not with file_url.'),
  },
} as const;

const rules: readonly Rule<Input>[] = [
  sizeHasTwoNames,
  truncatePrompt(MAX_PROMPT_CHARACTERS),
  promptOrAssets(videoa3Assets),
  fileOrLink,
  familiesAreNotMixed,
  eachFrameOnce(videoa3Assets),
  lastFrameNeedsFirst(videoa3Assets),
  referencesAreNotTooMany,
  generationTypeNeedsBareImages,
  ...assetsAreNamed(videoa3Assets),
];

/** The parts that all 3.0 models share, which is all but their names and prices; to be spread into each. */
export const videoa3 = {
  family: 'video',
  operation: 'videos.generations',
  input,
  canonical: { 'image_with_roles[].role': canonicalRole },
  rules,
  ...perSecondPricing({
    rate: ({ resolution }: Input, rates: SecondRates<Input['resolution']>) => secondRate(rates, resolution),
    seconds: billedSeconds,
  }),
  media: (body: Input) => filesOf(videoa3Assets(body), files),
  pages: (body: Input) => pagesOf(videoa3Assets(body)),
  checkMedia: clipsFit,
  request: toRequest,
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
} as const;

function billedSeconds({ duration }: Input): BilledSeconds {
  return duration === LENGTH.chosenByModel ? { atMost: LENGTH.max } : duration;
}

function toRequest(body: Input): VideoRequest {
  const { prompt, size, duration, seed } = body;
  return {
    ...(prompt !== undefined && { prompt }),
    resolution: RESOLUTIONS[body.resolution],
    ...(size !== 'adaptive' && { aspectRatio: size }),
    seconds: duration === LENGTH.chosenByModel ? 'auto' : duration,
    audio: body.audio,
    watermark: body.watermark,
    ...(seed !== undefined && { seed }),
    inputs: inputsOf(videoa3Assets(body)),
  };
}

/** Rule: both may be sent where they agree. */
function sizeHasTwoNames({ size, aspect_ratio: ratio }: Input, sent: ReadonlySet<string>): RuleOutcome {
  if (ratio === undefined) return undefined;
  if (sent.has('size') && size !== ratio) {
    return cannotCombine('aspect_ratio', 'two_names_of_one_field', { other: 'size' });
  }
  return rewrite({ size: ratio, aspect_ratio: undefined });
}

/** Clips of a kind last so long together at most, and so do input videos and the output where its length is known. */
function clipsFit({ duration }: Input, media: readonly KnownMedia[]): MediaProblem | undefined {
  const tooLong =
    tooLongTogether(media, { role: 'video', maxSeconds: MAX_CLIP_SECONDS }) ??
    tooLongTogether(media, { role: 'audio', maxSeconds: MAX_CLIP_SECONDS });
  if (tooLong || duration === LENGTH.chosenByModel) return tooLong;
  const given = totalSeconds(media, 'video');
  if (!exceeds(given + duration, { maxSeconds: MAX_VIDEO_SECONDS, media, role: 'video' })) return undefined;
  const problem = message('with_output_too_long', { seconds: given, output: duration, limit: MAX_VIDEO_SECONDS });
  return { param: 'video_urls', message: aboutField('video_urls', problem) };
}
