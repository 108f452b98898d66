import type { Vendor, VendorTools } from '../vendor';
import type { Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { createKlingAccount, type VideoFamily } from './account';
import { createElementSubmit } from './elements';
import { createElementQuery, createLegacyQuery, createTaskQuery } from './queries';
import { createCurrentSubmit, createLegacySubmit } from './submit';
import { invalidParameter, klingSuccess, klingWire } from './wire';

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

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `GET /account/costs?start_time=&end_time=`: the resource packs of the account, which nothing here draws on. */
const costs: Question<undefined> = {
  operation: 'question',
  find({ query }, requestId) {
    const [from, to] = [Number(query['start_time']), Number(query['end_time'])];
    if (!(from > 0 && to > from)) throw invalidParameter('start_time and end_time are required', requestId);
    return undefined;
  },
  about: () => ({ model: '', prompt: '' }),
  answer(_subject, { requestId }) {
    const pack = (status: string, remaining: number) => ({
      resource_pack_name: 'Video Generation - 10,000 entries',
      resource_pack_id: `pack-${status}`,
      resource_pack_type: 'decreasing_total',
      total_quantity: 200,
      remaining_quantity: remaining,
      purchase_time: Date.now() - DAY_MS,
      effective_time: Date.now() - DAY_MS,
      invalid_time: Date.now() + DAY_MS,
      status,
    });
    const packs = [pack('expired', 7), pack('online', 118)];
    return klingSuccess({ code: 0, msg: 'SUCCEED', resource_pack_subscribe_infos: packs }, requestId);
  },
};
