import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createSunoapiJobs, type TaskKind } from './jobs';
import { operations } from './operations';
import { createRecordInfo } from './record-info';
import { createSubmit } from './submit';
import { createTimestampedLyrics } from './timestamped-lyrics';
import { success, sunoapiWire } from './wire';

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
