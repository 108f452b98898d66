import { alignLyrics } from '../music/align-lyrics';
import { findTrackFile } from '../music/music-files';
import type { Track } from '../music/track';
import type { Vendor, VendorTools } from '../vendor';
import type { JsonObject, Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { textOf } from '../vendor-call/request-body';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createSunoapiJobs, type SunoapiJob, type SunoapiJobs, type TaskKind } from './jobs';
import { operations } from './operations';
import { createRecordInfo } from './record-info';
import { createSubmit } from './submit';
import { invalid, readJsonBody, success, sunoapiWire } from './wire';

const kinds: TaskKind[] = ['generate', 'lyrics', 'vocal-removal'];

/** Tracks, by jobs that are asked about. */
export default function createSunoapi(
  { clock, audio: studio, fetchHosts, ...own }: VendorTools,
  around: CallSurroundings,
): Vendor {
  const tools = { clock, studio, fetchHosts };
  const jobs = createSunoapiJobs(own.jobs);
  const { router, start, ask } = vendorRouter(sunoapiWire, around);
  for (const operation of operations) start(`/api/v1/${operation.path}`, createSubmit(operation, { tools, jobs }));
  for (const kind of kinds) ask('get', `/api/v1/${kind}/record-info`, createRecordInfo(kind, jobs));
  ask('post', '/api/v1/generate/get-timestamped-lyrics', createTimestampedLyrics(jobs));
  // The account's remaining credit, which nothing here draws on.
  ask(
    'get',
    '/api/v1/generate/credit',
    factQuestion(() => success(1000)),
  );
  return {
    wire: sunoapiWire,
    around,
    router,
    stores: [jobs],
    findFile: (name) => findTrackFile(name, { jobs, studio }),
  };
}

/** `POST /api/v1/generate/get-timestamped-lyrics`: answered at once. */
function createTimestampedLyrics(jobs: SunoapiJobs): Question<{ track: Track; job: SunoapiJob; body: JsonObject }> {
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
