import { alignLyrics } from '../music/align-lyrics';
import type { Track } from '../music/track';
import type { JsonObject, Question } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { SunoapiJob, SunoapiJobs } from './jobs';
import { invalid, readJsonBody, success } from './wire';

/** `POST /api/v1/generate/get-timestamped-lyrics`: answered at once. */
export function createTimestampedLyrics(
  jobs: SunoapiJobs,
): Question<{ track: Track; job: SunoapiJob; body: JsonObject }> {
  return {
    operation: 'check',
    async find(request) {
      const body = await readJsonBody(request);
      const found = jobs.findTrack(textOf(body['audioId']));
      if (found?.job.id !== body['taskId'] || !found) throw invalid('the song does not exist');
      return { ...found, body };
    },
    about: ({ job, track, body }) => ({ model: job.model, prompt: job.prompt, externalId: track.id, body }),
    answer: ({ track }) =>
      success({
        alignedWords: alignLyrics(track.lyrics, track.recording.seconds),
        waveformData: [],
        hootCer: 0,
        isStreamed: false,
      }),
  };
}
