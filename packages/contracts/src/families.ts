import type { JsonObject } from './json';
import type { ImageRequest } from './requests/image-request';
import type { ImgtoolRequest } from './requests/imgtool-request';
import type { MusicRequest } from './requests/music-request';
import type { SpeechRequest } from './requests/speech-request';
import type { VideoRequest } from './requests/video-request';

/** The traits of a family that the rest of the gateway has to know; how its worker works is in the worker's own profile. */
interface FamilyTraits {
  /** The name of its outcome in a task record. */
  kind: string;
  /** Its models are called by a worker service of the family's name; without one, by the API itself. */
  hasWorker: boolean;
  /** Its tasks wait in their rows while its queue is full; false: callers wait for the answer, so that each is enqueued at once. */
  hasWindow: boolean;
  /** Its results are cut, converted or given covers: its worker does not start without FFMPEG_PATH. */
  needsFfmpeg: boolean;
  /** Whether callers name the model: always; or `defaulted` or `implied` where a path is of one model, which others may share by their names. */
  modelField: 'required' | 'defaulted' | 'implied';
  /** Failures are written in the `language` that the submission asks for. */
  takesLanguage: boolean;
}

/** A family is a group of models with one queue and one key permission. Every list of families comes from this table. */
export const FAMILY_TRAITS = {
  image: {
    kind: 'image',
    hasWorker: true,
    hasWindow: true,
    needsFfmpeg: false,
    modelField: 'required',
    takesLanguage: true,
  },
  video: {
    kind: 'video',
    hasWorker: true,
    hasWindow: true,
    needsFfmpeg: true,
    modelField: 'required',
    takesLanguage: true,
  },
  music: {
    kind: 'music',
    hasWorker: true,
    hasWindow: true,
    needsFfmpeg: true,
    modelField: 'defaulted',
    takesLanguage: false,
  },
  imgtool: {
    kind: 'imgtool',
    hasWorker: true,
    hasWindow: true,
    needsFfmpeg: true,
    modelField: 'implied',
    takesLanguage: false,
  },
  tts: {
    kind: 'audio',
    hasWorker: true,
    hasWindow: false,
    needsFfmpeg: false,
    modelField: 'required',
    takesLanguage: false,
  },
  text: {
    kind: 'text',
    hasWorker: false,
    hasWindow: false,
    needsFfmpeg: false,
    modelField: 'required',
    takesLanguage: false,
  },
} as const satisfies Record<string, FamilyTraits>;

/** The request that an adapter of a family gets, in no vendor's terms. */
export interface FamilyRequests {
  image: ImageRequest;
  video: VideoRequest;
  music: MusicRequest;
  imgtool: ImgtoolRequest;
  tts: SpeechRequest;
  /** The body itself, as its caller's protocol has it. */
  text: JsonObject;
}

type Traits = typeof FAMILY_TRAITS;
export type Family = keyof Traits;
export type WorkerFamily = { [F in Family]: Traits[F]['hasWorker'] extends true ? F : never }[Family];
export type TaskKind = Traits[Family]['kind'];
export type ModelField = FamilyTraits['modelField'];

export const FAMILIES = Object.keys(FAMILY_TRAITS) as readonly Family[];
export const WORKER_FAMILIES = FAMILIES.filter(hasWorker);
/** In the order of the table. */
export const WINDOW_FAMILIES = FAMILIES.filter((family) => FAMILY_TRAITS[family].hasWindow);
export const TASK_KINDS = FAMILIES.map((family): TaskKind => FAMILY_TRAITS[family].kind);

export function isFamily(value: unknown): value is Family {
  return (FAMILIES as readonly unknown[]).includes(value);
}

function hasWorker(family: Family): family is WorkerFamily {
  return FAMILY_TRAITS[family].hasWorker;
}
