import { randomUUID } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import type { Lyrics } from '../music/asked-music';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { NewTrack, Track } from '../music/track';
import type { Call } from '../vendor-call/contract';
import type { SunoRequest } from './fields';

export interface SunoDetail extends MusicDetail {
  action: string;
  quota: string;
  hookUrl: string | undefined;
  lyrics: Lyrics[];
  negativeTags: string;
  weights: { styleWeight: number | null; weirdnessConstraint: number | null; audioWeight: number | null };
}

export type SunoJob = VendorJob<SunoDetail>;
export type SunoJobs = MusicJobs<SunoDetail>;

export function createTtapiJobs(terms: JobTerms): SunoJobs {
  return createMusicJobs(terms, { wire: 'ttapi', newId: randomUUID, idDays: 30, linkDays: 7 });
}

/** The results that a job is to bring. */
export interface Made {
  tracks: NewTrack[];
  lyrics?: Lyrics[];
}

/** The call and the tracks that an operation checks its request by. */
export interface Desk {
  call: Call;
  /** The track of a `music_id`; throws the vendor's refusal when there is none. */
  find(musicId: string | undefined): Track;
}

/** One path that starts a job. */
export interface Operation {
  /** Behind `/suno/v1/`; also the vendor's word for the action. */
  action: string;
  /** The vendor's pages name the id of a job in two ways. */
  idName: 'job_id' | 'jobId';
  /** The vendor's price, as it writes it. */
  quota: string;
  fields: Record<string, object>;
  required: (keyof SunoRequest)[];
  /** Checks what no single field can tell, and says what is to come; throws the vendor's refusal. */
  make(request: SunoRequest, desk: Desk): Made;
}

export const MODEL_WITHOUT_MV = 'chirp-v5';
