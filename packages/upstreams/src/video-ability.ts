import type { VideoInput, VideoRequest } from '@mediagate/contracts';

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
}

/** What of a request the protocol cannot say, as `The model takes no …` goes on; undefined when it can say all of it. */
export function unsayable(video: VideoRequest, ability: VideoAbility): string | undefined {
  const { seconds, inputs, audio, aspectRatio } = video;
  const role = inputs.find((input) => !ability.roles.has(input.role))?.role;
  if (role !== undefined) return INPUT_NAMES[role];
  if (ability.resolutions[video.resolution] === undefined) return `resolution of ${video.resolution}`;
  if (aspectRatio !== undefined && ability.aspectRatios?.has(aspectRatio) === false) return `shape of ${aspectRatio}`;
  if (seconds === 'auto' && !ability.autoSeconds) return 'length of its own choice';
  if (seconds !== 'auto' && !within(seconds, ability.seconds)) return `length of ${seconds} seconds`;
  if (video.negativePrompt !== undefined && !ability.negativePrompt) return 'negative prompts';
  if (video.seed !== undefined && !ability.seed) return 'seeds';
  if (video.watermark === true && !ability.watermark) return 'watermarks';
  if (video.rewritePrompt !== undefined && !ability.rewritePrompt) return 'choice about rewriting the prompt';
  if (video.rewriteFast === true && !ability.rewriteFast) return 'fast rewriting of the prompt';
  if (audio === true && ability.audio === 'never') return 'sound track';
  if (audio === false && ability.audio === 'always') return 'silent videos';
  if (!ability.tags && inputs.some((input) => 'tag' in input && input.tag !== undefined)) return 'tags of inputs';
  if (video.subjects !== undefined && !ability.subjects) return 'subjects';
  if (video.elements !== undefined && !ability.elements) return 'elements';
  if (video.shots !== undefined && !ability.shots) return 'several shots';
  return undefined;
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

/** The address of the first input in a role. */
export function addressOf({ inputs }: VideoRequest, role: VideoInput['role']): string | undefined {
  return inputs.find((input) => input.role === role)?.url;
}
