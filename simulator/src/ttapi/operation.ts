import type { NewTrack, Track } from '../music/track';
import type { Lyrics } from '../music/write-lyrics';
import type { Call } from '../vendor-call/contract';
import type { SunoRequest } from './fields';

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
