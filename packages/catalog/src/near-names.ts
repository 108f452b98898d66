import { type Failure, fieldFailure, type JsonObject, listed } from '@mediagate/contracts';
import type { RejectedInput } from './entry';
import { rejected } from './rules';
import { findSpelling, isSent, plainName } from './spellings';
import { CALLBACK_FIELDS, SUBMISSION_FIELDS } from './submission-fields';

/** Names for how many are made. */
export const COUNT_FIELDS = [
  'n',
  'n_images',
  'num_images',
  'num_outputs',
  'num_videos',
  'number_of_images',
  'number_of_videos',
  'number_results',
  'image_count',
  'sample_count',
  'max_images',
  'count',
  'batch_size',
  'samples',
];
/** Names for the seconds of what is made. */
export const LENGTH_FIELDS = ['duration', 'seconds', 'duration_seconds', 'duration_s', 'num_seconds', 'video_length'];

/** Fields of a size, which may change a price, by the names that other APIs or models give them, with the names to look for in this model. */
const SIZE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  size: ['aspect_ratio', 'resolution', 'image_size'],
  aspect_ratio: ['size', 'image_size'],
  ratio: ['aspect_ratio', 'size', 'image_size'],
  resolution: ['mode', 'image_size'],
  image_size: ['resolution', 'size', 'aspect_ratio'],
  width: ['size', 'aspect_ratio', 'resolution', 'image_size'],
  height: ['size', 'aspect_ratio', 'resolution', 'image_size'],
};

/** Fields that change the work, by names of other APIs, with the names to look for in this model. */
const WORK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  make_instrumental: ['instrumental'],
  is_instrumental: ['instrumental'],
  custom_mode: ['custom'],
  style: ['tags'],
  gpt_description_prompt: ['gpt_description'],
  speed: ['account_filter'],
  niji: ['bot_type'],
  generate_audio: ['audio'],
  with_audio: ['audio'],
};

/** Other names of what every submission has, and what it has elsewhere: the model, the limit of its cost, and that it is only tried. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  mv: 'model',
  max_price: 'max_cost',
  dry_run: '?dry_run=true',
};

/**
 * Fields that bring a file, by what the file is, as the models here and other APIs name them. Without the file another work
 * would be made, and paid for.
 */
export const FILE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  image: [
    'image',
    'images',
    'image_url',
    'image_urls',
    'image_with_roles',
    'image_input',
    'image_prompt',
    'init_image',
    'source_image',
    'subject_image',
    'control_image',
    'base64_array',
    'input_image',
    'input_images',
    'input_reference',
    'first_frame',
    'first_frame_image',
    'first_frame_url',
    'start_image',
    'start_image_url',
    'last_frame',
    'last_frame_image',
    'last_frame_url',
    'end_frame_image',
    'end_image',
    'end_image_url',
    'end_url',
    'mid_frame_images',
    'reference_image',
    'reference_images',
    'reference_image_urls',
    'ref_images',
    'element_list',
  ],
  mask: ['mask', 'mask_image', 'mask_url', 'mask_base64'],
  video: ['video', 'video_url', 'video_urls', 'reference_videos', 'ref_videos'],
  audio: ['audio_url', 'audio_urls', 'reference_audio'],
  document: ['file_url', 'link_url', 'file'],
};

/** Fields of a model that its price goes by, whatever they are called. */
export interface PricedFields {
  count?: string | undefined;
  length?: string | undefined;
}

/**
 * Finds fields that a model does not have and calls otherwise, and files that it does not take. Ignored, they would be paid
 * for as if they had not been sent; taken, their values might mean something else.
 *
 * @param properties of the model.
 */
export function createNearNameJudge(
  properties: Readonly<Record<string, unknown>>,
  priced?: PricedFields,
): (body: JsonObject) => RejectedInput[] {
  return judgeBy({ ...SUBMISSION_FIELDS, ...properties, model: true }, createNameFinder(properties, priced));
}

/** Finds what the model calls a field that it does not have: a list of none where it has nothing of the kind; undefined: nobody knows it. */
export type FindName = (name: string) => readonly string[] | undefined;

/** Spellings make no difference. */
export function createNameFinder(
  properties: Readonly<Record<string, unknown>>,
  { count, length }: PricedFields = {},
): FindName {
  const owned = (names: readonly string[]) => {
    return [...new Set(names.flatMap((name) => findSpelling(properties, name) ?? []))];
  };
  const renamed = [...Object.entries(SIZE_FIELDS), ...Object.entries(WORK_FIELDS)];
  const named = [...alike(COUNT_FIELDS, count), ...alike(LENGTH_FIELDS, length), ...renamed]
    .map(([name, others]): Foreign => [name, owned(others)])
    .filter(([, others]) => others.length > 0);
  const files = Object.values(FILE_FIELDS).flatMap((names) => names.map((name): Foreign => [name, owned(names)]));
  const callbacks = CALLBACK_FIELDS.map((name): Foreign => [name, ['webhook']]);
  const elsewhere = Object.entries(ELSEWHERE).map(([name, other]): Foreign => [name, [other]]);
  // The last of a name counts: a field of the model itself in another spelling is that field.
  const own = Object.keys({ ...SUBMISSION_FIELDS, ...properties }).map((name): Foreign => [name, [name]]);
  const all = [...named, ...files, ...callbacks, ...elsewhere, REVIEW, ...own];
  const byName = new Map(all.map(([name, others]) => [plainName(name), others]));
  return (name) => {
    const others = Object.hasOwn(properties, name) ? undefined : byName.get(plainName(name));
    return others?.includes(name) ? undefined : others;
  };
}

/** Without a review the task would be made unreviewed. */
const REVIEW: Foreign = ['nsfw_check', []];

/** Finds the wish for a review in a body whose further fields go to the vendor as they are. */
export function createReviewJudge(
  properties: Readonly<Record<string, unknown>>,
): (body: JsonObject) => RejectedInput[] {
  const review = plainName(REVIEW[0]);
  return judgeBy(properties, (name) => (plainName(name) === review ? [] : undefined));
}

/** A field that the model does not have, with what it is called there. */
type Foreign = readonly [name: string, others: readonly string[]];

/** @param known fields that are nobody else's. */
function judgeBy(known: Readonly<Record<string, unknown>>, find: FindName): (body: JsonObject) => RejectedInput[] {
  return (body) => {
    const refusals: RejectedInput[] = [];
    for (const name of Object.keys(body)) {
      if (Object.hasOwn(known, name)) continue;
      const others = find(name);
      if (others !== undefined && isSent(body, name)) refusals.push(rejected(refusalOf(name, others)));
    }
    return refusals;
  };
}

/** Each of the names, with those that stand for the same; the model's own is one of them. */
function alike(names: readonly string[], own: string | undefined): [name: string, others: readonly string[]][] {
  const all = own === undefined ? names : [...names, own];
  return names.map((name) => [name, own === undefined ? all : [own]]);
}

export function refusalOf(name: string, others: readonly string[]): Failure {
  if (others.length === 0) return fieldFailure('unsupported_parameter', name, 'unsupported_parameter');
  return fieldFailure('unsupported_parameter', name, 'called_otherwise', { other: listed('or', others) });
}
