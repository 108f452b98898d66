import { message, type VideoInput, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from './contract';
import { countLack, type FieldLimits, type FileLimits, fieldLack, fileLack, lack } from './lacks';

/** The parts of a request that a protocol has words for, as it declares them. A part that is absent cannot be said. */
export interface VideoAbility {
  /** To the vendor's words. */
  resolutions: Partial<Record<VideoRequest['resolution'], string>>;
  /** Absent: any. */
  aspectRatios?: ReadonlySet<string>;
  roles: ReadonlySet<VideoInput['role']>;
  /** Whole seconds, from and to. */
  seconds: readonly [number, number];
  autoSeconds?: true;
  negativePrompt?: true;
  seed?: true;
  watermark?: true;
  /** Absent: it does as it likes, which a caller may allow. `never`: it rewrites nothing, so that either wish is met. */
  rewritePrompt?: true | 'never';
  rewriteFast?: true;
  /** `choice`: with and without; a protocol with `always` or `never` has no word for the other. */
  audio: 'choice' | 'always' | 'never';
  /** Inputs called by a tag in the prompt. */
  tags?: true;
  subjects?: true;
  elements?: true;
  shots?: true;
  /** Limits of texts and lists. */
  limits?: FieldLimits<VideoRequest>;
  files?: FileLimits;
  /** Inputs of one role; absent: any number. */
  most?: Partial<Record<VideoInput['role'], number>>;
}

/** The part of a request and its files that the protocol cannot say; undefined: none. */
export function videoLack(video: VideoRequest, files: readonly FileOutline[], ability: VideoAbility): Lack | undefined {
  const { limits = {}, files: fileLimits = {} } = ability;
  return unsayable(video, ability) ?? fieldLack(video, limits) ?? fileLack(files, fileLimits);
}

function unsayable(video: VideoRequest, ability: VideoAbility): Lack | undefined {
  return inputLack(video, ability) ?? shapeLack(video, ability) ?? choiceLack(video, ability);
}

function inputLack({ inputs }: VideoRequest, { roles, most = {}, tags }: VideoAbility): Lack | undefined {
  const role = inputs.find((input) => !roles.has(input.role))?.role;
  if (role !== undefined) return roleLack(role);
  const tagged = inputs.find((input) => 'tag' in input && input.tag !== undefined);
  if (!tags && tagged !== undefined) return lack(message('takes_no_tags'), tagged.role);
  for (const [role, limit] of Object.entries(most) as [VideoInput['role'], number][]) {
    const tooMany = countLack(count(inputs, role), limit, role);
    if (tooMany !== undefined) return tooMany;
  }
  return undefined;
}

/** The protocol takes nothing in this role, or not as it is given. */
export function roleLack(role: VideoInput['role']): Lack {
  return lack(message(INPUT_LACKS[role]), role);
}

function count(inputs: VideoRequest['inputs'], wanted: VideoInput['role']): number {
  return inputs.filter(({ role }) => role === wanted).length;
}

function shapeLack({ resolution, aspectRatio, seconds }: VideoRequest, ability: VideoAbility): Lack | undefined {
  if (ability.resolutions[resolution] === undefined)
    return lack(message('takes_no_resolution', { resolution }), 'resolution');
  if (aspectRatio !== undefined && ability.aspectRatios?.has(aspectRatio) === false) {
    return lack(message('takes_no_shape', { ratio: aspectRatio }), 'aspectRatio');
  }
  if (seconds === 'auto') return ability.autoSeconds ? undefined : lack(message('takes_no_own_length'), 'seconds');
  return within(seconds, ability.seconds) ? undefined : lack(message('takes_no_length', { seconds }), 'seconds');
}

function choiceLack(video: VideoRequest, ability: VideoAbility): Lack | undefined {
  const { audio } = video;
  if (video.negativePrompt !== undefined && !ability.negativePrompt)
    return lack(message('takes_no_negative_prompts'), 'negativePrompt');
  if (video.seed !== undefined && !ability.seed) return lack(message('takes_no_seeds'), 'seed');
  if (video.watermark === true && !ability.watermark) return lack(message('takes_no_watermarks'), 'watermark');
  if (video.rewritePrompt === false && !ability.rewritePrompt) {
    return lack(message('takes_no_choice_of_rewriting'), 'rewritePrompt');
  }
  if (video.rewriteFast === true && !ability.rewriteFast)
    return lack(message('takes_no_fast_rewriting'), 'rewriteFast');
  if (audio === true && ability.audio === 'never') return lack(message('takes_no_sound_track'), 'audio');
  if (audio === false && ability.audio === 'always') return lack(message('takes_no_silent_videos'), 'audio');
  if (video.subjects !== undefined && !ability.subjects) return lack(message('takes_no_subjects'), 'subjects');
  if (video.elements !== undefined && !ability.elements) return lack(message('takes_no_elements'), 'elements');
  return video.shots !== undefined && !ability.shots ? lack(message('takes_no_shots'), 'shots') : undefined;
}

export const INPUT_LACKS = {
  first_frame: 'takes_no_first_frame',
  last_frame: 'takes_no_last_frame',
  mid_frame: 'takes_no_mid_frames',
  continued_video: 'takes_no_continued_video',
  reference_image: 'takes_no_reference_images',
  reference_audio: 'takes_no_reference_audio',
  reference_video: 'takes_no_reference_videos',
  sound: 'takes_no_heard_sound',
  document: 'takes_no_documents',
  web_page: 'takes_no_web_pages',
} as const satisfies Record<VideoInput['role'], string>;

function within(seconds: number, [from, to]: VideoAbility['seconds']): boolean {
  return seconds >= from && seconds <= to;
}

export function isLastFrameAlone(video: VideoRequest): boolean {
  return addressOf(video, 'last_frame') !== undefined && addressOf(video, 'first_frame') === undefined;
}

/** The address of the first input in a role. */
export function addressOf({ inputs }: VideoRequest, role: VideoInput['role']): string | undefined {
  return inputs.find((input) => input.role === role)?.url;
}
