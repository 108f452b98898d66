import type { Question } from '../vendor-call/contract';
import { invalidParameter, klingSuccess } from './wire';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `GET /account/costs?start_time=&end_time=`: the resource packs of the account, which nothing here draws on. */
export const costs: Question<undefined> = {
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
