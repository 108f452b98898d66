import { listed, message } from '@mediagate/contracts';
import { FILE_ADDRESS } from '../../addresses';
import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { cannotCombine, ignore, missing, rewrite } from '../../rules';
import { type Asset, assetOf, assetsAreNamed, assetsOf, filesOf, inputsOf } from '../../video/assets';
import { address, addresses, duration, negativePrompt, nsfwCheck, seed, text, watermark } from '../../video/fields';
import { clip, FRAME_IMAGE, sound } from '../../video/file-limits';
import { eachFrameOnce, type FrameRole, frameRole, lastFrameNeedsFirst } from '../../video/frames';
import { perSecondPricing, type SecondRates, secondRate } from '../../video/pricing';

interface Input {
  prompt?: string;
  image_urls?: readonly string[];
  image_with_roles?: readonly { url: string; role: FrameRole }[];
  video_urls?: readonly string[];
  audio_url?: string;
}

interface Billed {
  resolution: '720P' | '1080P';
  duration: number;
}

const RESOLUTIONS = { '720P': '720p', '1080P': '1080p' } as const;

const pricing = perSecondPricing({
  rate: ({ resolution }: Billed, rates: SecondRates<'720P' | '1080P'>) => secondRate(rates, resolution),
  seconds: ({ duration: seconds }) => seconds,
});

export default defineModel({
  id: 'videoa-2.7',
  family: 'video',
  operation: 'videos.generations',
  version: 1,
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      nsfw_check: nsfwCheck,
      prompt: text(5000, 'What the video should show. Required without images and videos.'),
      image_urls: addresses(2, 'One image: the first frame. Two: the first and the last frame.'),
      image_with_roles: {
        type: 'array',
        maxItems: 2,
        description: 'The same with names; instead of image_urls.',
        items: fieldsOf(['url'], {
          url: address(FILE_ADDRESS),
          role: { type: 'string', enum: ['first_frame', 'last_frame'], default: 'first_frame' },
        }),
      },
      video_urls: {
        type: 'array',
        items: { type: 'string' },
        description: 'A video to continue (mp4 or mov, 2 to 10 s, at most 100 MB); only the first is used.',
      },
      negative_prompt: negativePrompt,
      resolution: { type: 'string', enum: ['720P', '1080P'], default: '1080P' },
      duration: duration(2, 15),
      size: {
        type: 'string',
        enum: ['16:9', '9:16', '1:1', '4:3', '3:4'],
        default: '16:9',
        description: 'Only without images and videos.',
      },
      audio_url: address('Background music (wav or mp3, 2 to 30 s, at most 15 MB); only without images and videos.'),
      prompt_extend: { type: 'boolean', default: true, description: 'Lets the model rewrite the prompt first.' },
      seed,
      watermark,
    },
  },
  rules: [
    onlyFirstVideo,
    imagesOneWay,
    imagesOrVideo,
    soundNeedsNeither,
    promptOrImage,
    eachFrameOnce(assets),
    lastFrameNeedsFirst(assets),
    sizeIsThatOfInput,
    ...assetsAreNamed(assets),
  ],
  prices: { 'per_second.720P': 0.1, 'per_second.1080P': 0.15 },
  ...pricing,
  media: (input) =>
    filesOf(assets(input), {
      first_frame: FRAME_IMAGE,
      last_frame: FRAME_IMAGE,
      continued_video: clip({ minSeconds: 2, maxSeconds: 10 }),
      sound: sound({ minSeconds: 2, maxSeconds: 30 }),
    }),
  request: (input) => ({
    ...(input.prompt !== undefined && { prompt: input.prompt }),
    ...(input.negative_prompt !== undefined && { negativePrompt: input.negative_prompt }),
    resolution: RESOLUTIONS[input.resolution],
    ...(!hasImage(input) && { aspectRatio: input.size }),
    seconds: input.duration,
    watermark: input.watermark,
    ...(input.seed !== undefined && { seed: input.seed }),
    rewritePrompt: input.prompt_extend,
    inputs: inputsOf(assets(input)),
  }),
  deadlineMinutes: 60,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'Storm clouds gather over a wheat field', size: '1:1', duration: 8 },
    { prompt: 'A dancer in an empty hall', audio_url: 'https://example.com/waltz.mp3', resolution: '720P' },
    { image_urls: ['https://example.com/dawn.jpg', 'https://example.com/noon.jpg'] },
    { image_with_roles: [{ url: 'https://example.com/door.png', role: 'first_frame' }], prompt: 'The door opens' },
    { video_urls: ['https://example.com/walk.mp4'], prompt: 'She turns around', seed: 1 },
  ],
});

function assets(input: Input): Asset<FrameRole | 'continued_video' | 'sound'>[] {
  const { image_urls: urls, image_with_roles: images = [], video_urls: videos, audio_url: audio } = input;
  return [
    ...assetsOf('image_urls', urls, frameRole),
    ...images.map(({ url, role }, index) => ({ field: `image_with_roles[${index}].url`, url, role })),
    ...assetsOf('video_urls', videos, 'continued_video'),
    ...assetOf('audio_url', audio, 'sound'),
  ];
}

/** An image that the output begins with, or a video that it continues, makes the task image-to-video. */
function hasImage(input: Input): boolean {
  return assets(input).some(({ role }) => role !== 'sound');
}

function onlyFirstVideo({ video_urls: urls = [] }: Input) {
  if (urls.length <= 1) return undefined;
  return rewrite({ video_urls: urls.slice(0, 1) }, message('ignored_from', { field: 'video_urls[1]' }));
}

function imagesOneWay({ image_urls: urls = [], image_with_roles: images = [] }: Input) {
  if (urls.length === 0 || images.length === 0) return undefined;
  return cannotCombine('image_with_roles', 'not_combined', { other: 'image_urls' });
}

function imagesOrVideo({ image_urls: urls = [], image_with_roles: images = [], video_urls: videos = [] }: Input) {
  if (videos.length === 0 || urls.length + images.length === 0) return undefined;
  return cannotCombine('video_urls', 'not_combined', { other: listed('or', ['image_urls', 'image_with_roles']) });
}

function soundNeedsNeither(input: Input) {
  if (input.audio_url === undefined || !hasImage(input)) return undefined;
  return cannotCombine('audio_url', 'not_combined', {
    other: listed('or', ['video_urls, image_urls', 'image_with_roles']),
  });
}

/** Music alone shows nothing. */
function promptOrImage(input: Input) {
  return input.prompt === undefined && !hasImage(input) ? missing('prompt', 'required_unless_images') : undefined;
}

function sizeIsThatOfInput(input: Input) {
  return hasImage(input) ? ignore('size', 'ignored_outside_text_to_video') : undefined;
}
