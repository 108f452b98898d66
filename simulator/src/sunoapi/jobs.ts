import { randomBytes } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { Lyrics } from '../music/write-lyrics';

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
