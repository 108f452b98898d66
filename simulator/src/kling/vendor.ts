import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { Endpoint, Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createKlingAccount, type VideoFamily } from './account';
import { costs } from './costs';
import { createElementSubmit } from './elements';
import { createElementQuery, createLegacyQuery, createTaskQuery } from './queries';
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

/** Videos and the elements that they are made with, by jobs that are asked about. */
export default function createKling(tools: VendorTools, around: CallSurroundings): Vendor {
  const account = createKlingAccount(tools.jobs);
  const router = Router();
  const submits = <Body, Job>(path: string, endpoint: Endpoint<Body, Job>) =>
    router.post(path, serveVendorCall(klingWire, endpoint, around));
  const answers = <Subject>(path: string, question: Question<Subject>) =>
    router.get(path, serveQuestion(klingWire, question, around));

  for (const family of families) {
    submits(`/v1/videos/${family}`, createLegacySubmit(family, { tools, account }));
    answers(`/v1/videos/${family}/:id`, createLegacyQuery(family, account));
  }
  submits('/v1/general/advanced-custom-elements', createElementSubmit({ tools, account }));
  answers('/v1/general/advanced-custom-elements/:id', createElementQuery(account));
  for (const { path, ...kind } of currentPaths) submits(path, createCurrentSubmit(kind, { tools, account }));
  answers('/tasks', createTaskQuery(account));
  answers('/account/costs', costs);
  return { wire: klingWire, around, router, stores: [account.videos, account.elements] };
}
