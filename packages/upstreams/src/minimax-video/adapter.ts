import type { CheckOutcome, JsonObject, Pending } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext } from '../contract';
import { type ErrorDialect, judgeError } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, type Job, pending, unanswered, withResult } from '../job';
import { bearer, JOB_OPTIONS, jobCallBounds, questionBounds } from '../job-call';
import { identifier, object, present, text } from '../json-guards';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { callVendor, refused, unreadable, type VendorReply } from '../vendor-call';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { miniMaxErrors, miniMaxQueryErrors, miniMaxStartErrors } from './errors';
import { keptSeconds, miniMaxLack, requestBody } from './request';

/** `trim: off` gives the caller of 5 seconds the 6 that the vendor made. */
const OPTIONS: OptionRules = { ...JOB_OPTIONS, trim: { kind: 'choice', of: ['on', 'off'] } };

/** Ids are numbers. */
const NO_SUCH_TASK = '1';

const PHASES: Readonly<Record<string, Pending['phase']>> = {
  preparing: 'queued',
  queueing: 'queued',
  processing: 'running',
};

/**
 * Hailuo videos in three steps: `POST /video_generation` gives a task, `GET /query/video_generation` its file, and
 * `GET /files/retrieve` the file's link, for some hours. A channel maps a public model to the vendor's, as
 * `MiniMax-Hailuo-02`. The vendor keeps no reference of ours and lists no tasks: a lost answer is never re-sent.
 */
export default function createMiniMaxVideo({ http }: Clients): Adapter {
  return {
    protocol: 'minimax-video',
    families: ['video'],
    afterLostAnswer: 'never',
    // The vendor's own minimax-mcp-js 0.0.17, api/video.js, November 2026.
    fileRoles: new Set(['image']),
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createProbe(http, {
      path: () => `/query/video_generation?task_id=${NO_SUCH_TASK}`,
      headers: bearer,
      dialect: miniMaxErrors,
      isAboutNothing: true,
    }),
    lacks: ({ request, files }) => miniMaxLack(readVideoRequest(request), files),
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const reply = await callVendor(http, {
        ...jobCallBounds(context),
        method: 'POST',
        url: `${endpoint.baseUrl}/video_generation`,
        headers: { ...bearer(endpoint), 'content-type': 'application/json' },
        body: { json: requestBody(video, endpoint.model) },
        dialect: miniMaxStartErrors,
        confidential,
      });
      const { requestId } = reply;
      if (!reply.ok) return refused(reply.fault, [requestId]);
      const taskId = identifier(reply.body['task_id']);
      if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
      const keepSeconds = endpoint.options['trim'] === 'off' ? undefined : keptSeconds(video);
      const operation = present<MiniMaxJob>({ taskId, since: Date.now(), keepSeconds });
      return accepted(taskId, operation, { endpoint, requestId });
    },
    check: (operation, context) => check(http, operation as MiniMaxJob, context),
  };
}

interface MiniMaxJob extends Job {
  taskId: string;
  keepSeconds?: number;
}

async function check(http: HttpClient, job: MiniMaxJob, context: CallContext): Promise<CheckOutcome> {
  const { taskId } = job;
  const query = `/query/video_generation?task_id=${encodeURIComponent(taskId)}`;
  const reply = await ask(http, query, { context, dialect: miniMaxQueryErrors });
  const { requestId } = reply;
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const status = text(reply.body['status'])?.toLowerCase();
  switch (status) {
    case undefined:
      return refused(unreadable('no task status'), [requestId]);
    case 'success':
      return retrieve(http, reply.body, { job, context, requestId });
    case 'fail':
    case 'failed':
      return ended(failure(reply.body, context), requestId);
    default:
      return pending(PHASES[status], job, context.endpoint);
  }
}

/** The file is there as soon as the task has ended; its link is asked for in the same step. */
async function retrieve(
  http: HttpClient,
  body: JsonObject,
  { job, context, requestId }: { job: MiniMaxJob; context: CallContext; requestId: string | undefined },
): Promise<CheckOutcome> {
  const fileId = identifier(body['file_id']);
  if (fileId === undefined) return withResult(refused(unreadable('no file id'), [requestId]), job, context.endpoint);
  const path = `/files/retrieve?file_id=${encodeURIComponent(fileId)}`;
  const reply = await ask(http, path, { context, dialect: miniMaxErrors });
  if (!reply.ok) return unanswered(reply.fault, reply.requestId);
  // The second link is on none of the vendor's pages of November 2026; answers with it are taken as they are known from use.
  const { download_url: link, backup_download_url: backup } = object(reply.body['file']);
  const { keepSeconds } = job;
  // The vendor says nothing of the length.
  const ids = [requestId, reply.requestId];
  const video = doneWith(link, {
    seconds: undefined,
    backup,
    requestIds: ids,
    ...(keepSeconds === undefined ? {} : { keepSeconds }),
  });
  return withResult(video, job, context.endpoint);
}

function ask(
  http: HttpClient,
  path: string,
  { context, dialect }: { context: CallContext; dialect: ErrorDialect },
): Promise<VendorReply> {
  const { baseUrl, apiKey } = context.endpoint;
  return callVendor(http, {
    ...questionBounds(context),
    method: 'GET',
    url: `${baseUrl}${path}`,
    headers: bearer(context.endpoint),
    dialect,
    confidential: { apiKey },
  });
}

function failure(body: JsonObject, { endpoint }: CallContext) {
  const error = miniMaxErrors.read(body, 200) ?? { code: 'Fail' };
  return judgeError(miniMaxErrors, 200, error, { apiKey: endpoint.apiKey, retryAfterMs: undefined });
}
