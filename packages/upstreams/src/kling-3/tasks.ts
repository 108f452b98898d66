import type { CheckOutcome, Done, JsonObject, Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { unanswered } from '../job';
import { type JobStates, judgeJob } from '../job-exchange';
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
const STATES: JobStates = { submitted: 'queued', processing: 'running', succeeded: 'done', failed: 'failed' };

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
  const reply = await call.get(path, context);
  return judgeJob(reply, { job: video, endpoint: context.endpoint, states: STATES }, (body) => {
    const task = tasksIn(body).find(({ id }) => identifier(id) === video.taskId) ?? {};
    return {
      status: text(task['status']),
      result: () => readResult(task, video.marked),
      fault: () => failure(task['message']),
    };
  });
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
  const reply = await call.get(`/tasks?external_task_ids=${encodeURIComponent(attemptId)}`, context);
  if (!reply.ok) return isTaskUnknown(reply) ? { kind: 'absent' } : unanswered(reply);
  if (list(reply.body['data']) === undefined) return refused(unreadable('no list of tasks'), [reply.requestId]);
  const tasks = tasksIn(reply.body);
  if (tasks.length === 0) return { kind: 'absent' };
  const task = tasks.find(({ external_id: reference }) => reference === attemptId) ?? {};
  const taskId = identifier(task['id']);
  if (taskId === undefined) return refused(unreadable('no task id'), [reply.requestId]);
  const marked = order && isMarked(order.body);
  return { kind: 'found', video: present<Video>({ taskId, since: Date.now(), marked }) };
}

function tasksIn({ data }: JsonObject): JsonObject[] {
  return (list(data) ?? []).map(object);
}

function readResult(task: JsonObject, marked: boolean | undefined): Done | Refused {
  const video = (list(task['outputs']) ?? []).map(object).find(({ type }) => type === 'video') ?? {};
  return doneWith(linkOf(video, marked), {
    seconds: video['duration'],
    credits: creditsIn(task['billing']),
  });
}

/** Units of resource packs. What was taken from a balance of money is no unit, and without it they are not the whole cost. */
function creditsIn(billing: unknown): string | undefined {
  const rows = (list(billing) ?? []).map(object);
  const units = rows.map(({ charge_type: type, amount }) => (type === 'unit' ? decimal(amount) : undefined));
  if (units.length === 0 || units.includes(undefined)) return undefined;
  return String(Number(units.reduce((sum: number, amount) => sum + (amount ?? 0), 0).toFixed(6)));
}
