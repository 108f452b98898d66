import { Router } from 'express';
import type { MusicTools } from '../music/music-tools';
import type { Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import type { SunoapiJobs, TaskKind } from './jobs';
import { operations } from './operations';
import { createRecordInfo } from './record-info';
import { createSubmit } from './submit';
import { createTimestampedLyrics } from './timestamped-lyrics';
import { success, sunoapiWire } from './wire';

const kinds: TaskKind[] = ['generate', 'lyrics', 'vocal-removal', 'wav'];

/** Below `/sunoapi`. */
export function sunoapiRoutes(tools: MusicTools, jobs: SunoapiJobs, around: CallSurroundings): Router {
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
  return router;
}

/** The account's remaining credit, which nothing here draws on. */
const credit: Question<undefined> = {
  operation: 'question',
  find: () => undefined,
  about: () => ({ model: '', prompt: '' }),
  answer: () => success(1000),
};
