import type { CheckOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext } from '../contract';
import type { HttpClient } from '../http-client';
import type { Job } from '../job';
import { askJob, bearer, type JobStates, jobFault, judgeJob, startJob } from '../job-exchange';
import { count, identifier, text } from '../json-guards';
import { createOpenAiProbe } from '../openai-models';
import type { Clients } from '../protocol';
import { staticKey } from '../send-with-key';
import { cannotCarry } from '../vendor-call';
import { roleLack, videoLack } from '../video-ability';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { abilityOf, checkVideoOptions } from './ability';
import { openAiVideoErrors, openAiVideoJobErrors } from './errors';
import { frameOf, requestBody } from './request';

const STATES: JobStates = {
  queued: 'queued',
  in_progress: 'running',
  // As LiteLLM's proxy has it.
  processing: 'running',
  completed: 'done',
  failed: 'failed',
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
      return startJob(http, context, {
        path: '/videos',
        key: { credentials, endpoint },
        body: requestBody(video, endpoint, { frame, shape: request.media[0] }),
        dialect: openAiVideoErrors,
        confidential,
        idIn: ({ id }) => identifier(id),
        jobOf: (videoId) => ({ videoId }),
      });
    },
    check: (operation, context) => check(http, operation as VideoJob, context),
  };
}

type VideoJob = Job & { videoId: string };

async function check(http: HttpClient, job: VideoJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const path = `/videos/${encodeURIComponent(job.videoId)}`;
  const reply = await askJob(http, context, {
    path,
    key: { credentials, endpoint },
    dialect: openAiVideoJobErrors,
  });
  return judgeJob(reply, { job, endpoint, states: STATES }, (body) => {
    const progress = count(body['progress']);
    return {
      status: text(body['status']),
      progress: progress === undefined ? undefined : Math.min(progress, MOST_PROGRESS),
      result: () => doneWith(`${endpoint.baseUrl}${path}/content`, { seconds: body['seconds'], needsKey: true }),
      fault: (status) => jobFault(openAiVideoErrors, body, status, endpoint),
    };
  });
}
