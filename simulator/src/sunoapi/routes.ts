import { Router } from 'express';
import type { MusicTools } from '../music/music-tools';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import type { SunoapiJobs, TaskKind } from './jobs';
import { operations } from './operations';
import { createRecordInfo } from './record-info';
import { createSubmit } from './submit';
import { createTimestampedLyrics } from './timestamped-lyrics';
import { sunoapiWire } from './wire';

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
  return router;
}
