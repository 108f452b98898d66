import { randomUUID } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { Lyrics } from '../music/write-lyrics';

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
