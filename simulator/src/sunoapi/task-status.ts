import { FIRST_TRACK_AT } from '../music/music-jobs';
import type { Call } from '../vendor-call/contract';
import type { SunoapiJob, SunoapiJobs } from './jobs';

export interface Reporting {
  jobs: SunoapiJobs;
  call: Call;
}

/** The share of the work after which the words of a track are written. */
export const TEXT_AT = 0.25;

/** The vendor's word for where a task stands. */
export function statusOf(job: SunoapiJob, { jobs, call }: Reporting): string {
  if (call.faults.take('new-status-word')) return 'REVIEWING';
  switch (jobs.state(job)) {
    case 'queued':
      return 'PENDING';
    case 'running': {
      const progress = jobs.progress(job);
      if (job.detail.kind !== 'generate' || progress < TEXT_AT) return 'PENDING';
      return progress < FIRST_TRACK_AT ? 'TEXT_SUCCESS' : 'FIRST_SUCCESS';
    }
    case 'done':
      return 'SUCCESS';
    case 'policy':
      return 'SENSITIVE_WORD_ERROR';
    case 'fault':
    case 'cancelled':
      return job.detail.kind === 'lyrics' ? 'GENERATE_LYRICS_FAILED' : 'GENERATE_AUDIO_FAILED';
  }
}

export function errorOf(
  job: SunoapiJob,
  { jobs }: Reporting,
): { errorCode: number | null; errorMessage: string | null } {
  switch (jobs.state(job)) {
    case 'policy':
      return { errorCode: 400, errorMessage: 'The content contains sensitive words' };
    case 'fault':
    case 'cancelled':
      return { errorCode: 500, errorMessage: 'Internal error, please try again later' };
    default:
      return { errorCode: null, errorMessage: null };
  }
}
