import { Router } from 'express';
import { findTrackFile } from '../music/music-files';
import type { Vendor, VendorTools } from '../vendor';
import type { Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
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
  const router = Router();
  for (const operation of operations) {
    const submit = createSubmit(operation, { tools, jobs });
    router.post(`/api/v1/${operation.path}`, serveVendorCall(sunoapiWire, submit, around));
  }
  for (const kind of kinds) {
    const recordInfo = createRecordInfo(kind, jobs);
    router.get(`/api/v1/${kind}/record-info`, serveQuestion(sunoapiWire, recordInfo, around));
  }
  const timestamps = serveQuestion(sunoapiWire, createTimestampedLyrics(jobs), around);
  router.post('/api/v1/generate/get-timestamped-lyrics', timestamps);
  router.get('/api/v1/generate/credit', serveQuestion(sunoapiWire, credit, around));
  return {
    wire: sunoapiWire,
    around,
    router,
    stores: [jobs],
    findFile: (name) => findTrackFile(name, { jobs, studio }),
  };
}

/** The account's remaining credit, which nothing here draws on. */
const credit: Question<undefined> = {
  operation: 'question',
  find: () => undefined,
  about: () => ({ model: '', prompt: '' }),
  answer: () => success(1000),
};
