import type { VideoInput, VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from './contract';
import { countLack, type FieldLimits, type FileLimits, fieldLack, fileLack, lack } from './lacks';

/** What a protocol has words for, declared. What is absent cannot be said. */
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
  rewritePrompt?: true;
  rewriteFast?: true;
  /** `choice`: with and without; a protocol with `always` or `never` has no word for the other. */
  audio: 'choice' | 'always' | 'never';
  /** Inputs called by a tag in the prompt. */
  tags?: true;
  subjects?: true;
  elements?: true;
  shots?: true;
  /** Of texts and lists. */
  limits?: FieldLimits<VideoRequest>;
  files?: FileLimits;
  /** Inputs of one role; absent: any number. */
  most?: Partial<Record<VideoInput['role'], number>>;
}

/** What of a request and its files the protocol cannot say. */
export function videoLack(video: VideoRequest, files: readonly FileOutline[], ability: VideoAbility): Lack | undefined {
  const { limits = {}, files: fileLimits = {} } = ability;
  return unsayable(video, ability) ?? fieldLack(video, limits) ?? fileLack(files, fileLimits);
}

function unsayable(video: VideoRequest, ability: VideoAbility): Lack | undefined {
  return inputLack(video, ability) ?? shapeLack(video, ability) ?? choiceLack(video, ability);
}

function inputLack({ inputs }: VideoRequest, { roles, most = {}, tags }: VideoAbility): Lack | undefined {
  const role = inputs.find((input) => !roles.has(input.role))?.role;
  if (role !== undefined) return lack(INPUT_NAMES[role], role);
  const tagged = inputs.find((input) => 'tag' in input && input.tag !== undefined);
  if (!tags && tagged !== undefined) return lack('tags of inputs', tagged.role);
  for (const [role, limit] of Object.entries(most) as [VideoInput['role'], number][]) {
    const tooMany = countLack(count(inputs, role), limit, role);
    if (tooMany !== undefined) return tooMany;
  }
  return undefined;
}

function count(inputs: VideoRequest['inputs'], wanted: VideoInput['role']): number {
  return inputs.filter(({ role }) => role === wanted).length;
}

function shapeLack({ resolution, aspectRatio, seconds }: VideoRequest, ability: VideoAbility): Lack | undefined {
  if (ability.resolutions[resolution] === undefined) return lack(`resolution of ${resolution}`, 'resolution');
  if (aspectRatio !== undefined && ability.aspectRatios?.has(aspectRatio) === false) {
    return lack(`shape of ${aspectRatio}`, 'aspectRatio');
  }
  if (seconds === 'auto') return ability.autoSeconds ? undefined : lack('length of its own choice', 'seconds');
  return within(seconds, ability.seconds) ? undefined : lack(`length of ${seconds} seconds`, 'seconds');
}

function choiceLack(video: VideoRequest, ability: VideoAbility): Lack | undefined {
  const { audio } = video;
  if (video.negativePrompt !== undefined && !ability.negativePrompt) return lack('negative prompts', 'negativePrompt');
  if (video.seed !== undefined && !ability.seed) return lack('seeds', 'seed');
  if (video.watermark === true && !ability.watermark) return lack('watermarks', 'watermark');
  if (video.rewritePrompt !== undefined && !ability.rewritePrompt) {
    return lack('choice about rewriting the prompt', 'rewritePrompt');
  }
  if (video.rewriteFast === true && !ability.rewriteFast) return lack('fast rewriting of the prompt', 'rewriteFast');
  if (audio === true && ability.audio === 'never') return lack('sound track', 'audio');
  if (audio === false && ability.audio === 'always') return lack('silent videos', 'audio');
  if (video.subjects !== undefined && !ability.subjects) return lack('subjects', 'subjects');
  if (video.elements !== undefined && !ability.elements) return lack('elements', 'elements');
  return video.shots !== undefined && !ability.shots ? lack('several shots', 'shots') : undefined;
}

const INPUT_NAMES: Record<VideoInput['role'], string> = {
  first_frame: 'first frame',
  last_frame: 'last frame',
  mid_frame: 'frames in between',
  continued_video: 'video to go on from',
  reference_image: 'reference images',
  reference_audio: 'reference audio',
  reference_video: 'reference videos',
  sound: 'sound to be heard',
  document: 'documents',
  web_page: 'web pages',
};

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
