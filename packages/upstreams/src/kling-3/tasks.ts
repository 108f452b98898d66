import type { CheckOutcome, JsonObject, Pending } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { ended, pending, unanswered, withResult } from '../job';
import { decimal, identifier, list, object, present, text } from '../json-guards';
import type { KlingCall } from '../kling-video/call';
import { failure, isTaskUnknown } from '../kling-video/errors';
import { modelName, type Way, wayOf } from '../kling-video/ways';
import { type Found, isMarked, type KlingWire, linkOf, type Video } from '../kling-video/wire';
import { refused, unreadable } from '../vendor-call';
import { doneWith } from '../video-result';
import { requestBody, withElements } from './request';

const PATHS: Readonly<Record<Way, string>> = {
  text2video: 'text-to-video',
  image2video: 'image-to-video',
  'omni-video': 'omni-video',
};
const PHASES: Readonly<Record<string, Pending['phase']>> = { submitted: 'queued', processing: 'running' };

/** The model stands in the path; all tasks are asked about at one, by the vendor's id or by ours. */
export function createTaskWire(call: KlingCall): KlingWire {
  return {
    order: (video, named) => ({ way: wayOf(video), body: requestBody(video, named) }),
    withElements,
    pathOf: (way, endpoint) => `/${PATHS[way]}/${encodeURIComponent(modelName(way, endpoint))}`,
    taskIdOf: ({ id }) => identifier(id),
    check: (video, context) => check(call, video, context),
    find: (wanted, context) => find(call, wanted, context),
  };
}

async function check(call: KlingCall, video: Video, context: CallContext): Promise<CheckOutcome> {
  const path = `/tasks?task_ids=${encodeURIComponent(video.taskId)}`;
  const { requestId, ...reply } = await call.get(path, context);
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const task = tasksIn(reply.body).find(({ id }) => identifier(id) === video.taskId) ?? {};
  const status = text(task['status']);
  switch (status) {
    case undefined:
      return refused(unreadable('no task with a status'), [requestId]);
    case 'succeeded':
      return withResult(readResult(task, video.marked, requestId), video, context.endpoint);
    case 'failed':
      return ended(failure(task['message']), requestId);
    default:
      return pending(PHASES[status], video, context.endpoint);
  }
}

/**
 * The answer has no task that the vendor does not know, and does not say whether a watermark was asked for: the order does. Tasks
 * of other references show that the question was not understood.
 */
async function find(
  call: KlingCall,
  { attemptId, order }: Parameters<KlingWire['find']>[0],
  context: CallContext,
): Promise<Found> {
  const { requestId, ...reply } = await call.get(`/tasks?external_task_ids=${encodeURIComponent(attemptId)}`, context);
  if (!reply.ok) return isTaskUnknown(reply) ? { kind: 'absent' } : unanswered(reply.fault, requestId);
  if (list(reply.body['data']) === undefined) return refused(unreadable('no list of tasks'), [requestId]);
  const tasks = tasksIn(reply.body);
  if (tasks.length === 0) return { kind: 'absent' };
  const task = tasks.find(({ external_id: reference }) => reference === attemptId) ?? {};
  const taskId = identifier(task['id']);
  if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
  const marked = order && isMarked(order.body);
  return { kind: 'found', video: present<Video>({ taskId, since: Date.now(), marked }) };
}

function tasksIn({ data }: JsonObject): JsonObject[] {
  return (list(data) ?? []).map(object);
}

function readResult(task: JsonObject, marked: boolean | undefined, requestId: string | undefined): CheckOutcome {
  const video = (list(task['outputs']) ?? []).map(object).find(({ type }) => type === 'video') ?? {};
  return doneWith(linkOf(video, marked), {
    seconds: video['duration'],
    credits: creditsIn(task['billing']),
    requestIds: [requestId],
  });
}

/** Units of resource packs. What was taken from a balance of money is no unit, and without it they are not the whole cost. */
function creditsIn(billing: unknown): string | undefined {
  const rows = (list(billing) ?? []).map(object);
  const units = rows.map(({ charge_type: type, amount }) => (type === 'unit' ? decimal(amount) : undefined));
  if (units.length === 0 || units.includes(undefined)) return undefined;
  return String(Number(units.reduce((sum: number, amount) => sum + (amount ?? 0), 0).toFixed(6)));
}
