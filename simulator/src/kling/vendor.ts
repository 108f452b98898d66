import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
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
  const { router, start, ask } = vendorRouter(klingWire, around);
  for (const family of families) {
    start(`/v1/videos/${family}`, createLegacySubmit(family, { tools, account }));
    ask('get', `/v1/videos/${family}/:id`, createLegacyQuery(family, account));
  }
  start('/v1/general/advanced-custom-elements', createElementSubmit({ tools, account }));
  ask('get', '/v1/general/advanced-custom-elements/:id', createElementQuery(account));
  for (const { path, ...kind } of currentPaths) start(path, createCurrentSubmit(kind, { tools, account }));
  ask('get', '/tasks', createTaskQuery(account));
  ask('get', '/account/costs', costs);
  return { wire: klingWire, around, router, stores: [account.videos, account.elements] };
}
