import { Router } from 'express';
import type { VideoTools } from '../jobs/video-tools';
import type { Endpoint, Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import type { KlingAccount, VideoFamily } from './account';
import { costs } from './costs';
import { createElementSubmit } from './elements';
import { createElementQuery, createLegacyList, createLegacyQuery, createTaskQuery } from './queries';
import { createCurrentSubmit, createLegacySubmit } from './submit';
import { klingWire } from './wire';

const families: VideoFamily[] = ['text2video', 'image2video', 'omni-video'];

/** The newer wire names the model in the path. */
const currentPaths: { path: string; family: VideoFamily; model: string }[] = [
  { path: '/text-to-video/kling-3.0', family: 'text2video', model: 'kling-3.0' },
  { path: '/text-to-video/kling-3.0-turbo', family: 'text2video', model: 'kling-3.0-turbo' },
  { path: '/image-to-video/kling-3.0', family: 'image2video', model: 'kling-3.0' },
  { path: '/image-to-video/kling-3.0-turbo', family: 'image2video', model: 'kling-3.0-turbo' },
  { path: '/omni-video/kling-3.0-omni', family: 'omni-video', model: 'kling-3.0-omni' },
];

/** Below `/kling`. */
export function klingRoutes(tools: VideoTools, account: KlingAccount, around: CallSurroundings): Router {
  const router = Router();
  const submits = <Body, Job>(path: string, endpoint: Endpoint<Body, Job>) =>
    router.post(path, serveVendorCall(klingWire, endpoint, around));
  const answers = <Subject>(path: string, question: Question<Subject>) =>
    router.get(path, serveQuestion(klingWire, question, around));

  for (const family of families) {
    submits(`/v1/videos/${family}`, createLegacySubmit(family, { tools, account }));
    answers(`/v1/videos/${family}`, createLegacyList(family, account));
    answers(`/v1/videos/${family}/:id`, createLegacyQuery(family, account));
  }
  submits('/v1/general/advanced-custom-elements', createElementSubmit({ tools, account }));
  answers('/v1/general/advanced-custom-elements/:id', createElementQuery(account));
  for (const { path, ...kind } of currentPaths) submits(path, createCurrentSubmit(kind, { tools, account }));
  answers('/tasks', createTaskQuery(account));
  answers('/account/costs', costs);
  return router;
}
