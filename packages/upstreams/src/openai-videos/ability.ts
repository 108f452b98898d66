import { isJsonObject, type JsonObject, type VideoRequest } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import { JOB_OPTIONS } from '../job-exchange';
import type { VideoAbility } from '../video-ability';

/**
 * The abilities of a server of this wire depend on its model, and the operator declares them. `sizes`: the pixels of a resolution at
 * 16:9. `image`: how a first frame is sent. `sound`: whether the model makes some. `extensions`: fields that vLLM-Omni's form adds.
 */
const OPTIONS: OptionRules = {
  ...JOB_OPTIONS,
  sizes: { kind: 'names' },
  max_seconds: { kind: 'integer', min: 1, max: 60 },
  fps: { kind: 'integer', min: 1, max: 120 },
  image: { kind: 'choice', of: ['none', 'link', 'upload'] },
  sound: { kind: 'choice', of: ['never', 'choice'] },
  extensions: { kind: 'choice', of: ['on', 'off'] },
  body: { kind: 'choice', of: ['form', 'json'] },
};

const RESOLUTIONS = ['480p', '512p', '720p', '768p', '1080p', '4k'] as const satisfies VideoRequest['resolution'][];
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
/** The sizes of Wan 2.2, which such servers run most. */
const DEFAULT_SIZES: JsonObject = { '480p': '832x480', '720p': '1280x720' };
const DEFAULT_MAX_SECONDS = 5;
const MEBIBYTE = 1024 * 1024;

export function checkVideoOptions(options: JsonObject): string | undefined {
  return checkAgainst(OPTIONS, options) ?? wrongSizes(options['sizes']) ?? wrongTogether(options);
}

function wrongSizes(sizes: unknown): string | undefined {
  if (!isJsonObject(sizes)) return undefined;
  const isRight = ([resolution, size]: [string, unknown]) =>
    (RESOLUTIONS as readonly string[]).includes(resolution) && pixelsOf(size) !== undefined;
  return Object.entries(sizes).every(isRight)
    ? undefined
    : `option "sizes" must map resolutions (${RESOLUTIONS.join(', ')}) to pixels, as "1280x720"`;
}

function wrongTogether({ image = 'none', extensions, sound, fps, body }: JsonObject): string | undefined {
  if (extensions === 'off' && (sound === 'choice' || fps !== undefined || image === 'link'))
    return 'options "sound", "fps" and "image: link" need "extensions: on"';
  return body === 'json' && image !== 'none' ? 'option "image" needs "body: form"' : undefined;
}

/** The abilities that the operator declares for the model behind a channel. */
export function abilityOf(options: JsonObject): VideoAbility {
  const { image = 'none', sound = 'never', max_seconds: maxSeconds } = options;
  const sizes = sizesOf(options);
  return {
    resolutions: Object.fromEntries(RESOLUTIONS.filter((name) => name in sizes).map((name) => [name, name])),
    aspectRatios: new Set(RATIOS),
    roles: new Set(image === 'none' ? [] : ['first_frame']),
    seconds: [1, typeof maxSeconds === 'number' ? maxSeconds : DEFAULT_MAX_SECONDS],
    audio: sound === 'choice' ? 'choice' : 'never',
    rewritePrompt: 'never',
    ...(options['extensions'] !== 'off' && { negativePrompt: true, seed: true }),
    files: { image: { contentTypes: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 20 * MEBIBYTE } },
    most: { first_frame: 1 },
  };
}

interface Pixels {
  width: number;
  height: number;
}

/** Models of this kind work in blocks of so many pixels. */
const STEP = 16;
/** How far two shapes may be apart and count as one: 832x480 is 16:9. */
const ALIKE = 0.06;

/** As many pixels as the resolution has at 16:9, in that shape. */
export function sizeText(
  resolution: VideoRequest['resolution'],
  ratio: number | undefined,
  options: JsonObject,
): string | undefined {
  const pixels = pixelsOf(sizesOf(options)[resolution]);
  if (pixels === undefined) return undefined;
  const { width, height } = ratio === undefined ? pixels : inShape(pixels, ratio);
  return `${width}x${height}`;
}

function inShape({ width, height }: Pixels, ratio: number): Pixels {
  const area = width * height;
  if (Math.abs(ratio - width / height) < ALIKE) return { width, height };
  if (Math.abs(1 / ratio - width / height) < ALIKE) return { width: height, height: width };
  const stepped = (side: number) => Math.max(STEP, Math.round(side / STEP) * STEP);
  return { width: stepped(Math.sqrt(area * ratio)), height: stepped(Math.sqrt(area / ratio)) };
}

function sizesOf({ sizes }: JsonObject): JsonObject {
  return isJsonObject(sizes) ? sizes : DEFAULT_SIZES;
}

function pixelsOf(size: unknown): Pixels | undefined {
  const [, width, height] = /^([1-9]\d{1,3})x([1-9]\d{1,3})$/.exec(typeof size === 'string' ? size : '') ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}
