import { randomBytes } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import type { Lyrics } from '../music/asked-music';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { MusicTools } from '../music/music-tools';
import type { NewTrack, Track } from '../music/track';
import type { Call } from '../vendor-call/contract';
import type { SunoapiRequest } from './fields';

/** Each kind of task is asked after on a path of its own. */
export type TaskKind = 'generate' | 'lyrics' | 'vocal-removal';

export interface SunoapiDetail extends MusicDetail {
  kind: TaskKind;
  /** The vendor's word for what it was asked to do. */
  operationType: string;
  /** The request as the vendor gives it back. */
  param: string;
  lyrics: Lyrics[];
  /** The track worked on. */
  parentMusicId: string;
  /** The vendor's names of the stems, in the order of the tracks. */
  stemNames: string[];
}

export type SunoapiJob = VendorJob<SunoapiDetail>;
export type SunoapiJobs = MusicJobs<SunoapiDetail>;

export function createSunoapiJobs(terms: JobTerms): SunoapiJobs {
  return createMusicJobs(terms, {
    wire: 'sunoapi',
    newId: () => randomBytes(16).toString('hex'),
    idDays: 30,
    linkDays: 15,
  });
}

/** The results that a task is to bring. */
export interface Made {
  tracks: NewTrack[];
  lyrics?: Lyrics[];
  parentMusicId?: string;
  stemNames?: string[];
}

/** Tools that an operation may use while it checks its request. */
export interface Desk {
  call: Call;
  tools: MusicTools;
  /** The track of an `audioId`, and of that task where one is named; throws the vendor's refusal when there is none. */
  find(audioId: string | undefined, taskId?: string): Track;
}

/** One path that starts a task. */
export interface Operation {
  /** Behind `/api/v1/`. */
  path: string;
  kind: TaskKind;
  operationType: string;
  fields: Record<string, object>;
  required: (keyof SunoapiRequest)[];
  /** Checks what no single field can tell, and says what is to come; throws the vendor's refusal. */
  make(request: SunoapiRequest, desk: Desk): Made | Promise<Made>;
}
