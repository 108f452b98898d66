import type { CheckOutcome, JsonObject, Pending, Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import { ended, type Job, pending, unanswered, withResult } from '../job';
import { identifier, list, object, present, text } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import { doneWith } from '../video-result';
import type { KlingCall } from './call';
import { failure, NOT_FOUND } from './errors';
import type { Way } from './request';

const PHASES: Readonly<Record<string, Pending['phase']>> = { submitted: 'queued', processing: 'running' };

/** A video that the vendor has accepted. `marked`: whether the caller wants the copy with a watermark; absent: not known. */
export type Video = Job & { way: Way; taskId: string; marked?: boolean };

export type Submitted =
  | { kind: 'begun'; video: Video; requestId: string | undefined }
  /** Refused for want of something, where the request names elements. */
  | { kind: 'elements_gone'; refusal: Refused }
  | Refused;

export async function submitVideo(
  call: KlingCall,
  { way, body }: { way: Way; body: JsonObject },
  context: CallContext,
): Promise<Submitted> {
  const { requestId, ...reply } = await call.post(pathOf(way), body, context);
  if (!reply.ok) {
    const refusal = refused(reply.fault, [requestId]);
    const isGone = reply.error?.code === NOT_FOUND && body['element_list'] !== undefined;
    return isGone ? { kind: 'elements_gone', refusal } : refusal;
  }
  const taskId = identifier(object(reply.body['data'])['task_id']);
  if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
  return { kind: 'begun', video: videoOf(way, taskId, isMarked(body)), requestId };
}

export async function checkVideo(call: KlingCall, video: Video, context: CallContext): Promise<CheckOutcome> {
  const { way, taskId, marked } = video;
  const { requestId, ...reply } = await call.get(`${pathOf(way)}/${encodeURIComponent(taskId)}`, context);
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const data = object(reply.body['data']);
  const status = text(data['task_status']);
  switch (status) {
    case undefined:
      return refused(unreadable('no task status'), [requestId]);
    case 'succeed':
    case 'succeeded':
      return withResult(readResult(data, marked, requestId), video, context.endpoint);
    case 'failed':
      return ended(failure(data), requestId);
    default:
      return pending(PHASES[status], video, context.endpoint);
  }
}

export type Found = { kind: 'found'; video: Video } | { kind: 'absent' } | Refused;

/**
 * The video that carries the attempt as its `external_task_id`, which stands in the path in place of the vendor's id. It is
 * known to one of the ways; that a way knows none is said as a bad request or by an answer without a task. The answer does
 * not say whether a watermark was asked for: who knows tells it.
 */
export async function findVideo(
  call: KlingCall,
  { ways, attemptId, marked }: { ways: readonly Way[]; attemptId: string; marked?: boolean },
  context: CallContext,
): Promise<Found> {
  for (const way of ways) {
    const { requestId, ...reply } = await call.get(`${pathOf(way)}/${encodeURIComponent(attemptId)}`, context);
    if (!reply.ok && reply.fault.code === 'bad_request') continue;
    if (!reply.ok) return refused(reply.fault, [requestId]);
    const data = object(reply.body['data']);
    if (Object.keys(data).length === 0) continue;
    const taskId = identifier(data['task_id']);
    if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
    return { kind: 'found', video: videoOf(way, taskId, marked) };
  }
  return { kind: 'absent' };
}

function pathOf(way: Way): string {
  return `/v1/videos/${way}`;
}

/** Whether a video's request asks for a watermark. */
export function isMarked({ watermark_info: wanted }: JsonObject): boolean {
  return object(wanted)['enabled'] === true;
}

function videoOf(way: Way, taskId: string, marked: boolean | undefined): Video {
  return present<Video>({ way, taskId, since: Date.now(), marked });
}

/**
 * With a watermark the vendor makes two copies, and `url` is the one without. The other is made on request alone, so that
 * it tells what was asked for where nobody else does.
 */
function readResult(data: JsonObject, marked: boolean | undefined, requestId: string | undefined): CheckOutcome {
  const [first] = list(object(data['task_result'])['videos']) ?? [];
  const { url, watermark_url: markedUrl, duration: seconds } = object(first);
  const { final_unit_deduction: credits } = data;
  return doneWith(marked === false ? url : (text(markedUrl) ?? url), { seconds, credits, requestIds: [requestId] });
}
