import { randomUUID } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import { MAX_RECORDING_SECONDS } from '../media/audio/recording';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { NewTrack, Track } from '../music/track';
import type { Lyrics } from '../music/write-lyrics';
import { invalid } from './wire';

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

/** Gives a track its id; throws the vendor's refusal when it would be too long. */
export function numbered(track: NewTrack): Track {
  if (track.recording.seconds > MAX_RECORDING_SECONDS) throw invalid('the result would be too long');
  return { ...track, id: randomUUID() };
}
