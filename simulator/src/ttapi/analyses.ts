import { alignLyrics } from '../music/align-lyrics';
import type { Track } from '../music/track';
import type { JsonObject, Question } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import type { SunoJob, SunoJobs } from './jobs';
import { invalid, readJsonBody, success } from './wire';

/** Facts about a track that the vendor gives at once and for nothing, by the path behind `/suno/v1/`. */
export const analyses: Record<string, (track: Track) => JsonObject> = {
  alignedLyrics: ({ lyrics, recording }) => ({
    status: 'complete',
    alignment: alignLyrics(lyrics, recording.seconds),
    waveform_data: [],
    hoot_cer: 0,
  }),
  'gen-midi': ({ recording }) => ({
    state: 'complete',
    instruments: [{ name: 'Keyboard', notes: notesOf(recording) }],
  }),
  'gen-bpm': ({ recording }) => {
    const { bpm } = recording;
    if (bpm === undefined) throw invalid('the tempo of this audio cannot be told');
    return { avg_bpm: bpm, max_bpm: bpm, min_bpm: bpm };
  },
};

/** One note a second. */
function notesOf({ seconds }: Track['recording']): JsonObject[] {
  return Array.from({ length: Math.ceil(seconds) }, (_, start) => ({
    pitch: 60,
    start,
    end: start + 1,
    velocity: 0.9,
  }));
}

/** `POST /suno/v1/{alignedLyrics,gen-midi,gen-bpm}`. */
export function createAnalysis(
  analyse: (track: Track) => JsonObject,
  jobs: SunoJobs,
): Question<{ track: Track; job: SunoJob; body: JsonObject }> {
  return {
    operation: 'check',
    async find(request) {
      const body = await readJsonBody(request);
      const found = jobs.findTrack(textOf(body['music_id']));
      if (!found) throw invalid('music_id does not exist');
      return { ...found, body };
    },
    about: ({ job, track, body }) => ({ model: job.model, prompt: job.prompt, externalId: track.id, body }),
    answer: ({ track }) => success(analyse(track)),
  };
}
