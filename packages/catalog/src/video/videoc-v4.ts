import type { LoadedMedia, VideoInput, VideoRequest } from '@mediagate/contracts';
import type { FromSchema } from 'json-schema-to-ts';
import { FILE_ADDRESS } from '../addresses';
import { fieldsOf } from '../fields-of';
import { ignore, type Rule } from '../rules';
import { assetsAreNamed, filesOf } from './assets';
import { address, addresses, duration, nsfwCheck, promptOptimizer } from './fields';
import { type FileLimits, MEBIBYTE, sound, VIDEO_TYPES } from './file-limits';
import { type BilledSeconds, perSecondPricing, type SecondRates, secondRate } from './pricing';
import { promptTokensAtMost } from './prompt';
import { tagsStandInPrompt } from './tags';
import {
  isImageToVideo,
  midFramesAreWithin,
  modesAreNotMixed,
  subjectsAreOfOneType,
  videocAssets,
  videocTags,
  videoGoesWithSubjects,
  videoOfType,
} from './videoc-modes';

type Input = FromSchema<typeof input>;
type Rates = SecondRates<Input['resolution']> & Readonly<Record<'ref_videos_factor', bigint>>;

const MAX_PROMPT_TOKENS = 1280;
const MAX_MID_FRAMES = 6;
const MAX_SUBJECTS = 3;
const MAX_SUBJECT_IMAGES = 5;
const MAX_TAG_LENGTH = 64;
/** Seconds; a clip that is followed makes a video of its own length. */
const LENGTH = { min: 3, max: 15 } as const;
const MAX_REFERENCE_SECONDS = 10;

const image: FileLimits = {
  role: 'image',
  contentTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/bmp'],
  maxBytes: 20 * MEBIBYTE,
};
const video: FileLimits = {
  role: 'video',
  contentTypes: VIDEO_TYPES,
  maxBytes: 100 * MEBIBYTE,
  limits: { maxSeconds: MAX_REFERENCE_SECONDS },
};
const files = {
  first_frame: image,
  last_frame: image,
  mid_frame: image,
  subject_image: image,
  subject_voice: sound({ maxSeconds: 15 }),
  reference_video: video,
  continued_video: video,
};

const tag = {
  type: 'string',
  maxLength: MAX_TAG_LENGTH,
  description: 'Begins with @ and stands in the prompt.',
} as const;

const input = fieldsOf(['prompt'], {
  nsfw_check: nsfwCheck,
  prompt: {
    type: 'string',
    description: `What the video should show, at most ${MAX_PROMPT_TOKENS} tokens (UTF-8 bytes / 4); with every tag used.`,
  },
  duration: duration(LENGTH.min, LENGTH.max),
  resolution: { type: 'string', enum: ['480p', '720p', '1080p'], default: '1080p' },
  aspect_ratio: {
    type: 'string',
    enum: ['16:9', '4:3', '1:1', '9:16', '3:4'],
    default: '16:9',
    description: 'Not in image-to-video and not with ref_videos, which give their own.',
  },
  prompt_optimizer: promptOptimizer,
  first_frame_image: address('Image-to-video: the first frame.'),
  end_frame_image: address('Image-to-video: the last frame.'),
  mid_frame_images: {
    type: 'array',
    maxItems: MAX_MID_FRAMES,
    description: 'Image-to-video: frames in between.',
    items: fieldsOf(['tag', 'image_url'], {
      tag,
      image_url: address(FILE_ADDRESS),
      time_stamp: { type: 'number', description: 'Seconds, above 0 and below duration.' },
    }),
  },
  ref_images: {
    type: 'array',
    maxItems: MAX_SUBJECTS,
    description: 'Multimodal reference: people and things to show; all of one type.',
    items: fieldsOf(['tag', 'type', 'image_urls'], {
      tag,
      type: {
        type: 'string',
        enum: ['image', 'grid'],
        description: 'image: up to 3 items of 1 to 5 images; grid: one item, one image with several views.',
      },
      image_urls: { ...addresses(MAX_SUBJECT_IMAGES, FILE_ADDRESS), minItems: 1 },
      audio_url: address('Its voice (wav or mp3, at most 15 s).'),
    }),
  },
  ref_videos: {
    type: 'array',
    maxItems: 1,
    description: 'Multimodal reference: a video to follow or to go on from (mp4 or mov, at most 10 s).',
    items: fieldsOf(['tag', 'type', 'video_url'], {
      tag,
      type: {
        type: 'string',
        enum: ['reference', 'extend'],
        description: 'reference: the result is as long as the video; extend: not with ref_images.',
      },
      video_url: address(FILE_ADDRESS),
    }),
  },
});

const rules: readonly Rule<Input>[] = [
  modesAreNotMixed,
  videoGoesWithSubjects,
  subjectsAreOfOneType,
  promptTokensAtMost(MAX_PROMPT_TOKENS),
  tagsStandInPrompt(videocTags),
  lengthIsThatOfReference,
  midFramesAreWithin,
  ratioIsThatOfInput,
  ...assetsAreNamed(videocAssets),
];

/** The parts that all models of family C share, which is all but their names and prices; to be spread into each. */
export const videoc = {
  family: 'video',
  operation: 'videos.generations',
  input,
  rules,
  ...perSecondPricing({
    rate: ({ resolution }: Input, rates: Rates) => secondRate(rates, resolution),
    factor: ({ ref_videos: videos = [] }, rates) => (videos.length > 0 ? rates.ref_videos_factor : undefined),
    seconds: billedSeconds,
  }),
  media: (body: Input) => filesOf(videocAssets(body), files),
  request: toRequest,
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
} as const;

/** How long a followed video is shows only when it is looked at. */
function billedSeconds(body: Input): BilledSeconds {
  return videoOfType(body, 'reference') ? { atMost: MAX_REFERENCE_SECONDS } : body.duration;
}

function lengthIsThatOfReference(body: Input) {
  return videoOfType(body, 'reference')
    ? ignore('duration', 'ignored_length_of_video', { other: 'ref_videos' })
    : undefined;
}

function ratioIsThatOfInput(body: Input) {
  return takesRatioOfInput(body) ? ignore('aspect_ratio', 'ignored_ratio_of_input') : undefined;
}

function takesRatioOfInput(body: Input): boolean {
  return isImageToVideo(body) || (body.ref_videos ?? []).length > 0;
}

function toRequest(body: Input, media: readonly LoadedMedia[]): VideoRequest {
  const { ref_images: subjects = [] } = body;
  return {
    prompt: body.prompt,
    resolution: body.resolution,
    ...(!takesRatioOfInput(body) && { aspectRatio: body.aspect_ratio }),
    seconds: videoOfType(body, 'reference') ? lengthOf(media) : body.duration,
    rewritePrompt: body.prompt_optimizer,
    inputs: [...frameInputs(body), ...videoInputs(body)],
    ...(subjects.length > 0 && {
      subjects: subjects.map(({ tag, type, image_urls: imageUrls, audio_url: voiceUrl }) => ({
        tag,
        layout: type === 'grid' ? ('grid' as const) : ('single' as const),
        imageUrls,
        ...(voiceUrl !== undefined && { voiceUrl }),
      })),
    }),
  };
}

/** Whole seconds, within what the model makes: of the one video that was given. */
function lengthOf(media: readonly LoadedMedia[]): number {
  const { seconds = MAX_REFERENCE_SECONDS } = media.find(({ role }) => role === 'video') ?? {};
  return Math.min(Math.max(Math.round(seconds), LENGTH.min), MAX_REFERENCE_SECONDS);
}

function frameInputs(body: Input): VideoInput[] {
  const { first_frame_image: first, mid_frame_images: between = [], end_frame_image: last } = body;
  return [
    ...(first === undefined ? [] : [{ role: 'first_frame' as const, url: first }]),
    ...between.map(({ tag, image_url: url, time_stamp: atSeconds }) => ({
      role: 'mid_frame' as const,
      url,
      tag,
      ...(atSeconds !== undefined && { atSeconds }),
    })),
    ...(last === undefined ? [] : [{ role: 'last_frame' as const, url: last }]),
  ];
}

function videoInputs({ ref_videos: videos = [] }: Input): VideoInput[] {
  return videos.map(({ type, video_url: url, tag }) => ({
    role: type === 'extend' ? 'continued_video' : 'reference_video',
    url,
    tag,
  }));
}
