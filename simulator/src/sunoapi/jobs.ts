import { randomBytes, randomUUID } from 'node:crypto';
import type { JobTerms } from '../jobs/job-store';
import type { VendorJob } from '../jobs/vendor-job';
import { MAX_RECORDING_SECONDS } from '../media/audio/recording';
import { createMusicJobs, type MusicDetail, type MusicJobs } from '../music/music-jobs';
import type { NewTrack, Track } from '../music/track';
import type { Lyrics } from '../music/write-lyrics';
import { invalid } from './wire';

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

/** Gives a track its id; throws the vendor's refusal when it would be too long. */
export function numbered(track: NewTrack): Track {
  if (track.recording.seconds > MAX_RECORDING_SECONDS) throw invalid('the result would be too long');
  return { ...track, id: randomUUID() };
}
