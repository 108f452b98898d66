import type { CheckOutcome, Pending } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext } from '../contract';
import type { ErrorDialect } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { ended, type Job, pending, unanswered, withIdsOf, withResult } from '../job';
import { askJob, bearer, JOB_OPTIONS, jobFault, startJob } from '../job-exchange';
import { identifier, object, present, text } from '../json-guards';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { refused, unreadable, type VendorReply } from '../vendor-call';
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
      const keepSeconds = endpoint.options['trim'] === 'off' ? undefined : keptSeconds(video);
      return startJob(http, context, {
        path: '/video_generation',
        headers: bearer(endpoint),
        body: { json: requestBody(video, endpoint.model) },
        dialect: miniMaxStartErrors,
        confidential,
        idIn: ({ task_id: id }) => identifier(id),
        jobOf: (taskId) => present({ taskId, keepSeconds }),
      });
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
  if (!reply.ok) return unanswered(reply);
  const { body } = reply;
  const status = text(body['status'])?.toLowerCase();
  switch (status) {
    case undefined:
      return refused(unreadable('no task status'), [reply.requestId]);
    case 'success':
      return retrieve(http, reply, { job, context });
    case 'fail':
    case 'failed':
      return ended(jobFault(miniMaxErrors, body, 'Fail', context.endpoint), reply);
    default:
      return pending(PHASES[status], job, context.endpoint);
  }
}

/** The file is there as soon as the task has ended; its link is asked for in the same step. */
async function retrieve(
  http: HttpClient,
  task: Extract<VendorReply, { ok: true }>,
  { job, context }: { job: MiniMaxJob; context: CallContext },
): Promise<CheckOutcome> {
  const { endpoint } = context;
  const fileId = identifier(task.body['file_id']);
  if (fileId === undefined) return withResult(refused(unreadable('no file id'), [task.requestId]), job, endpoint);
  const path = `/files/retrieve?file_id=${encodeURIComponent(fileId)}`;
  const reply = await ask(http, path, { context, dialect: miniMaxErrors });
  if (!reply.ok) return unanswered(reply);
  // The second link is on none of the vendor's pages of November 2026; answers with it are taken as they are known from use.
  const { download_url: link, backup_download_url: backup } = object(reply.body['file']);
  const video = doneWith(link, { backup, keepSeconds: job.keepSeconds });
  return withResult(withIdsOf([task, reply], video), job, endpoint);
}

function ask(
  http: HttpClient,
  path: string,
  { context, dialect }: { context: CallContext; dialect: ErrorDialect },
): Promise<VendorReply> {
  return askJob(http, context, { path, headers: bearer(context.endpoint), dialect });
}
