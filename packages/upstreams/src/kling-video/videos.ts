import type { CheckOutcome, Done, JsonObject, Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { unanswered } from '../job';
import { type JobStates, judgeJob } from '../job-exchange';
import { identifier, list, object, present, text } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import { doneWith } from '../video-result';
import type { KlingCall } from './call';
import { failure, isTaskUnknown } from './errors';
import { requestBody } from './request';
import { modelName, WAYS, type Way, wayOf } from './ways';
import { type Found, isMarked, type KlingWire, linkOf, type Video } from './wire';

const STATES: JobStates = {
  submitted: 'queued',
  processing: 'running',
  succeed: 'done',
  succeeded: 'done',
  failed: 'failed',
};

/** `/v1/videos/…`: the model in the body, a path for each way, and a task by its id below the path that it came by. */
export function createLegacyWire(call: KlingCall): KlingWire {
  return {
    order(video, { endpoint, ...named }) {
      const way = wayOf(video);
      return { way, body: requestBody(video, { modelName: modelName(way, endpoint), ...named }) };
    },
    withElements: (body, ids) => ({ ...body, element_list: ids.map((id) => ({ element_id: id })) }),
    pathOf,
    taskIdOf: ({ task_id: id }) => identifier(id),
    check: (video, context) => check(call, video, context),
    find: (wanted, context) => find(call, wanted, context),
  };
}

/** Ids of elements are longs, which a double rounds: they are kept as text and sent as digits. A quote within a text is escaped. */
export function numberElements(json: string): string {
  return json.replace(/"element_id":"(\d{1,19})"/g, '"element_id":$1');
}

async function check(call: KlingCall, video: Video, context: CallContext): Promise<CheckOutcome> {
  const { way = 'text2video', taskId, marked } = video;
  const { endpoint } = context;
  const reply = await call.get(`${pathOf(way)}/${encodeURIComponent(taskId)}`, context);
  return judgeJob(reply, { job: video, endpoint, states: STATES }, (body) => {
    const data = object(body['data']);
    return {
      status: text(data['task_status']),
      result: () => readResult(data, marked),
      fault: () => failure(data['task_status_msg']),
    };
  });
}

/**
 * The attempt stands in the path in place of the vendor's id. It is known to one of the ways; that a way knows none is said
 * in words or by an answer without a task. The answer does not say whether a watermark was asked for: the order does.
 */
async function find(
  call: KlingCall,
  { attemptId, order }: Parameters<KlingWire['find']>[0],
  context: CallContext,
): Promise<Found> {
  for (const way of order === undefined ? WAYS : [order.way]) {
    const reply = await call.get(`${pathOf(way)}/${encodeURIComponent(attemptId)}`, context);
    if (!reply.ok && isTaskUnknown(reply)) continue;
    if (!reply.ok) return unanswered(reply);
    const data = object(reply.body['data']);
    if (Object.keys(data).length === 0) continue;
    const taskId = identifier(data['task_id']);
    if (taskId === undefined) return refused(unreadable('no task id'), [reply.requestId]);
    return {
      kind: 'found',
      video: present<Video>({ way, taskId, since: Date.now(), marked: order && isMarked(order.body) }),
    };
  }
  return { kind: 'absent' };
}

function pathOf(way: Way): string {
  return `/v1/videos/${way}`;
}

function readResult(data: JsonObject, marked: boolean | undefined): Done | Refused {
  const [first] = list(object(data['task_result'])['videos']) ?? [];
  const video = object(first);
  const { final_unit_deduction: credits } = data;
  return doneWith(linkOf(video, marked), { seconds: video['duration'], credits });
}
