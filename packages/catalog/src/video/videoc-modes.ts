import { listed, message } from '@mediagate/contracts';
import { conflict, type RuleOutcome, reject, together } from '../rules';
import { type Asset, assetOf } from './assets';
import type { DeclaredTag } from './tags';

/** The media that the models of family C work from. */
export interface VideocMedia {
  first_frame_image?: string;
  end_frame_image?: string;
  mid_frame_images?: readonly { tag: string; image_url: string; time_stamp?: number }[];
  ref_images?: readonly { tag: string; type: 'image' | 'grid'; image_urls: readonly string[]; audio_url?: string }[];
  ref_videos?: readonly { tag: string; type: 'reference' | 'extend'; video_url: string }[];
}

export type VideocRole =
  | 'first_frame'
  | 'last_frame'
  | 'mid_frame'
  | 'subject_image'
  | 'subject_voice'
  | 'reference_video'
  | 'continued_video';

/** Images of one thing shown to the model, by the way they are shown. */
const MAX_SUBJECTS = { image: 3, grid: 1 } as const;
const MAX_SUBJECT_IMAGES = { image: 5, grid: 1 } as const;

const FRAME_FIELDS = ['first_frame_image', 'end_frame_image', 'mid_frame_images'] as const;
const OMNI_FIELDS = ['ref_images', 'ref_videos'] as const;

/** Everything the body names, in the order of its fields. */
export function videocAssets(input: VideocMedia): Asset<VideocRole>[] {
  return [
    ...assetOf('first_frame_image', input.first_frame_image, 'first_frame'),
    ...assetOf('end_frame_image', input.end_frame_image, 'last_frame'),
    ...(input.mid_frame_images ?? []).map(({ image_url: url }, index) => ({
      field: `mid_frame_images[${index}].image_url`,
      url,
      role: 'mid_frame' as const,
    })),
    ...(input.ref_images ?? []).flatMap(({ image_urls: urls, audio_url: voice }, item) => [
      ...urls.map((url, index) => ({
        field: `ref_images[${item}].image_urls[${index}]`,
        url,
        role: 'subject_image' as const,
      })),
      ...assetOf(`ref_images[${item}].audio_url`, voice, 'subject_voice'),
    ]),
    ...(input.ref_videos ?? []).map(({ type, video_url: url }, index) => ({
      field: `ref_videos[${index}].video_url`,
      url,
      role: type === 'extend' ? ('continued_video' as const) : ('reference_video' as const),
    })),
  ];
}

export function videocTags(input: VideocMedia): DeclaredTag[] {
  return (['mid_frame_images', 'ref_images', 'ref_videos'] as const).flatMap((field) =>
    (input[field] ?? []).map(({ tag }, index) => ({ field: `${field}[${index}].tag`, tag })),
  );
}

/** The video begins, ends or passes at an image. */
export function isImageToVideo(input: VideocMedia): boolean {
  return FRAME_FIELDS.some((field) => isGiven(input[field]));
}

/** The one video that is worked from, if it is of this type. */
export function videoOfType(input: VideocMedia, type: 'reference' | 'extend') {
  return input.ref_videos?.find((video) => video.type === type);
}

/** Rule: frames make image-to-video, references make Omni, and a video is one of them. */
export function modesAreNotMixed(input: VideocMedia): RuleOutcome {
  const frames = FRAME_FIELDS.filter((field) => isGiven(input[field]));
  const references = OMNI_FIELDS.filter((field) => isGiven(input[field]));
  const [reference] = references;
  if (frames.length === 0 || reference === undefined) return undefined;
  return conflict(reference, 'not_combined', {
    field: message('as_reference', { field: listed('and', references) }),
    other: message('as_frames', { field: listed('and', frames) }),
  });
}

/** Rule: all reference images are shown in one way, and so many at most. */
export function subjectsAreOfOneType({ ref_images: subjects = [] }: VideocMedia): RuleOutcome {
  const [first] = subjects;
  if (first === undefined) return undefined;
  const limit = MAX_SUBJECTS[first.type];
  return together([
    ...subjects.flatMap(({ type }, index) =>
      type === first.type
        ? []
        : [reject(`ref_images[${index}].type`, 'must_equal_that_of', { other: 'ref_images[0]' })],
    ),
    ...(subjects.filter(({ type }) => type === first.type).length > limit
      ? [reject('ref_images', 'too_many_items_of_type', { limit, type: first.type })]
      : []),
    ...subjects.flatMap(({ type, image_urls: urls }, index) =>
      urls.length > MAX_SUBJECT_IMAGES[type] ? [tooManyImages(index, type)] : [],
    ),
  ]);
}

function tooManyImages(index: number, type: 'image' | 'grid') {
  const limit = MAX_SUBJECT_IMAGES[type];
  return reject(`ref_images[${index}].image_urls`, 'too_many_items_with_type', { limit, type });
}

/** Rule: a video is gone on from alone; as a reference it goes with single images, and not with a grid. */
export function videoGoesWithSubjects(input: VideocMedia): RuleOutcome {
  const { ref_images: subjects = [] } = input;
  if (subjects.length === 0) return undefined;
  if (videoOfType(input, 'extend')) {
    return conflict('ref_images', 'not_combined', {
      other: message('of_type', { field: 'ref_videos', type: 'extend' }),
    });
  }
  if (subjects[0]?.type === 'grid' && videoOfType(input, 'reference')) {
    return conflict('ref_images', 'not_combined', {
      field: message('of_type', { field: 'ref_images', type: 'grid' }),
      other: 'ref_videos',
    });
  }
  return undefined;
}

/** Rule: a frame in between is seen after the beginning and before the end. */
export function midFramesAreWithin({ mid_frame_images: frames = [], duration }: VideocMedia & { duration: number }) {
  const isOutside = (at: number | undefined) => at !== undefined && (at <= 0 || at >= duration);
  return together(
    frames.flatMap(({ time_stamp: at }, index) =>
      isOutside(at) ? [reject(`mid_frame_images[${index}].time_stamp`, 'must_be_below_duration', { duration })] : [],
    ),
  );
}

function isGiven(value: string | readonly unknown[] | undefined): boolean {
  return value !== undefined && value.length > 0;
}
