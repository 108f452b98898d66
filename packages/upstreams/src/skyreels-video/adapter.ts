import type { CheckOutcome, JsonObject, Pending } from '@mediagate/contracts';
import { checkAgainst } from '../channel-options';
import type { Adapter, CallContext } from '../contract';
import { judgeError } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, type Job, pending, unanswered, withResult } from '../job';
import { JOB_OPTIONS, jobCallBounds, questionBounds } from '../job-call';
import { identifier, object, text } from '../json-guards';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { callVendor, refused, unreadable } from '../vendor-call';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { skyReelsErrors, skyReelsQueryErrors } from './errors';
import { requestBody, skyReelsLack, type Way, wayOf } from './request';

const MODES: ReadonlySet<string> = new Set(['fast', 'std', 'pro']);

/** A task that the vendor calls `unknown` is left in the state it has, and to its deadline. */
const PHASES: Readonly<Record<string, Pending['phase']>> = {
  submitted: 'queued',
  pending: 'queued',
  running: 'running',
};

/**
 * SkyReels videos by `POST /api/v1/video/{way}/submit` and `GET /api/v1/video/{way}/task/{id}`. The key is a field of the
 * body, and a question needs none. The protocol knows its models by their mode, so a channel maps a public model to one
 * of `fast`, `std` and `pro`. Nothing protects a repeated request and no list can be read: a lost answer is never re-sent.
 *
 * Source: the vendor's reference (https://www.skyreels.ai/dev/document, in the revision of 2026-04-07). It names no state of
 * success: `data` is null until there is a video, and its example of one that is done says `running`.
 */
export default function createSkyReelsVideo({ http }: Clients): Adapter {
  return {
    protocol: 'skyreels-video',
    families: ['video'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(JOB_OPTIONS, options),
    probe: createProbe(http, {
      path: () => `/api/v1/video/text2video/task/${NO_SUCH_ID}`,
      headers: () => ({}),
      dialect: skyReelsErrors,
      isKeyless: true,
    }),
    lacks: ({ request, files }) => skyReelsLack(readVideoRequest(request), files),
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const { baseUrl, model: mode, apiKey } = endpoint;
      if (!MODES.has(mode)) {
        return refused({ code: 'operator', detail: "not sent: the channel's model is none of fast, std, pro" });
      }
      const way = wayOf(video);
      const reply = await callVendor(http, {
        ...jobCallBounds(context),
        method: 'POST',
        url: `${baseUrl}/api/v1/video/${way}/submit`,
        headers: { 'content-type': 'application/json' },
        body: { json: requestBody(video, { mode, apiKey }) },
        dialect: skyReelsErrors,
        confidential,
      });
      const { requestId } = reply;
      if (!reply.ok) return refused(reply.fault, [requestId]);
      const taskId = identifier(reply.body['task_id']);
      if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
      return accepted(taskId, { way, taskId, since: Date.now() }, { endpoint, requestId });
    },
    check: (operation, context) => check(http, operation as SkyReelsJob, context),
  };
}

type SkyReelsJob = Job & { way: Way; taskId: string };

async function check(http: HttpClient, job: SkyReelsJob, context: CallContext): Promise<CheckOutcome> {
  const { way, taskId } = job;
  const { endpoint } = context;
  const reply = await callVendor(http, {
    ...questionBounds(context),
    method: 'GET',
    url: `${endpoint.baseUrl}/api/v1/video/${way}/task/${encodeURIComponent(taskId)}`,
    headers: {},
    dialect: skyReelsQueryErrors,
    confidential: { apiKey: endpoint.apiKey },
  });
  const { requestId } = reply;
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const status = text(reply.body['status'])?.toLowerCase();
  const { video_url: link, duration: seconds, cost_credits: credits } = object(reply.body['data']);
  if (status === undefined) return refused(unreadable('no task status'), [requestId]);
  if (status === 'failed') return ended(failure(reply.body, context), requestId);
  if (status !== 'success' && text(link) === undefined) return pending(PHASES[status], job, endpoint);
  return withResult(doneWith(link, { seconds, credits, requestIds: [requestId] }), job, endpoint);
}

function failure(body: JsonObject, { endpoint }: CallContext) {
  const error = skyReelsErrors.read(body, 200) ?? { code: 'failed' };
  return judgeError(skyReelsErrors, 200, error, { apiKey: endpoint.apiKey, retryAfterMs: undefined });
}
