import type { CheckOutcome, Fault, JsonObject, Pending } from '@mediagate/contracts';
import type { Adapter, CallContext } from '../contract';
import { judgeError } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, type Job, pending, unanswered, withResult } from '../job';
import { bearer, jobCallBounds, questionBounds } from '../job-call';
import { count, identifier, present, text } from '../json-guards';
import { createOpenAiProbe } from '../openai-models';
import type { Clients } from '../protocol';
import { staticKey } from '../static-key';
import { callVendor, cannotCarry, refused, unreadable, type VendorReply } from '../vendor-call';
import { roleLack, videoLack } from '../video-ability';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { abilityOf, checkVideoOptions } from './ability';
import { openAiVideoErrors, openAiVideoJobErrors } from './errors';
import { frameOf, requestBody } from './request';

const PHASES: Readonly<Record<string, Pending['phase']>> = {
  queued: 'queued',
  in_progress: 'running',
  // As LiteLLM's proxy has it.
  processing: 'running',
};
const MOST_PROGRESS = 99;
const credentials = staticKey(bearer);

/**
 * `/v1/videos` as servers of one's own and resellers speak it (README.md of this folder): a form starts a job, `GET /{id}` says how far it is,
 * `GET /{id}/content` gives the video to the key. What the model behind it can do, the channel's options say.
 *
 * No job is cancelled: the answer to a `DELETE` does not say whether the job had begun, and was charged for.
 * The wire has no reference of ours, and not every server a list of jobs: a lost answer is never re-sent.
 */
export default function createOpenAiVideos({ http }: Clients): Adapter {
  return {
    protocol: 'openai-videos',
    families: ['video'],
    fileRoles: new Set(['image']),
    afterLostAnswer: 'never',
    credentials,
    checkOptions: checkVideoOptions,
    probe: createOpenAiProbe(http),
    lacks({ request, files, endpoint }) {
      return videoLack(readVideoRequest(request), files, abilityOf(endpoint.options));
    },
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const frame = frameOf(video, request.media, endpoint);
      if (frame && 'notLoaded' in frame) return cannotCarry(roleLack(frame.notLoaded));
      const body = requestBody(video, endpoint, { frame, shape: request.media[0] });
      const { requestId, ...reply } = await callVendor(http, {
        ...jobCallBounds(context),
        method: 'POST',
        url: `${endpoint.baseUrl}/videos`,
        headers: 'json' in body ? { 'content-type': 'application/json' } : {},
        key: { credentials, endpoint },
        body,
        dialect: openAiVideoErrors,
        confidential,
      });
      if (!reply.ok) return refused(reply.fault, [requestId]);
      const videoId = identifier(reply.body['id']);
      if (videoId === undefined) return refused(unreadable('no id of a video'), [requestId]);
      return accepted(videoId, { videoId, since: Date.now() }, { endpoint, requestId });
    },
    check: (operation, context) => check(http, operation as VideoJob, context),
  };
}

type VideoJob = Job & { videoId: string };

async function check(http: HttpClient, job: VideoJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const { requestId, ...reply } = await ask(http, job, context);
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const { body } = reply;
  const status = text(body['status']);
  switch (status) {
    case undefined:
      return refused(unreadable('no status'), [requestId]);
    case 'completed': {
      const url = `${addressOf(job, context)}/content`;
      return withResult(
        doneWith(url, { seconds: body['seconds'], needsKey: true, requestIds: [requestId] }),
        job,
        endpoint,
      );
    }
    case 'failed':
      return ended(failure(body, context), requestId);
    default:
      return underWay(body, status, { job, context });
  }
}

function underWay(
  body: JsonObject,
  status: string,
  { job, context }: { job: VideoJob; context: CallContext },
): Pending {
  const progress = count(body['progress']);
  return present<Pending>({
    ...pending(PHASES[status], job, context.endpoint),
    progress: progress === undefined ? undefined : Math.min(progress, MOST_PROGRESS),
  });
}

function failure(body: JsonObject, { endpoint: { apiKey } }: CallContext): Fault {
  const error = openAiVideoErrors.read(body, 200) ?? { code: 'failed' };
  return judgeError(openAiVideoErrors, 200, error, { apiKey, retryAfterMs: undefined });
}

function ask(http: HttpClient, job: VideoJob, context: CallContext): Promise<VendorReply> {
  const { endpoint } = context;
  return callVendor(http, {
    ...questionBounds(context),
    method: 'GET',
    url: addressOf(job, context),
    key: { credentials, endpoint },
    dialect: openAiVideoJobErrors,
    confidential: { apiKey: endpoint.apiKey },
  });
}

function addressOf({ videoId }: VideoJob, { endpoint: { baseUrl } }: CallContext): string {
  return `${baseUrl}/videos/${encodeURIComponent(videoId)}`;
}
