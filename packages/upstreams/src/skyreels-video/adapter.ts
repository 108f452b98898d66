import type { CheckOutcome } from '@mediagate/contracts';
import { checkAgainst } from '../channel-options';
import type { Adapter, CallContext } from '../contract';
import type { HttpClient } from '../http-client';
import type { Job } from '../job';
import { askJob, JOB_OPTIONS, type JobStates, jobFault, judgeJob, startJob } from '../job-exchange';
import { identifier, object, text } from '../json-guards';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { refused } from '../vendor-call';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { skyReelsErrors, skyReelsQueryErrors } from './errors';
import { requestBody, skyReelsLack, type Way, wayOf } from './request';

const MODES: ReadonlySet<string> = new Set(['fast', 'std', 'pro']);

/** A task that the vendor calls `unknown` is left in the state it has, and to its deadline. */
const STATES: JobStates = {
  submitted: 'queued',
  pending: 'queued',
  running: 'running',
  success: 'done',
  failed: 'failed',
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
      const { model: mode, apiKey } = endpoint;
      if (!MODES.has(mode)) {
        return refused({ code: 'operator', detail: "not sent: the channel's model is none of fast, std, pro" });
      }
      const way = wayOf(video);
      return startJob(http, context, {
        path: `/api/v1/video/${way}/submit`,
        body: { json: requestBody(video, { mode, apiKey }) },
        dialect: skyReelsErrors,
        confidential,
        idIn: ({ task_id: id }) => identifier(id),
        jobOf: (taskId) => ({ way, taskId }),
      });
    },
    check: (operation, context) => check(http, operation as SkyReelsJob, context),
  };
}

type SkyReelsJob = Job & { way: Way; taskId: string };

async function check(http: HttpClient, job: SkyReelsJob, context: CallContext): Promise<CheckOutcome> {
  const { way, taskId } = job;
  const { endpoint } = context;
  const path = `/api/v1/video/${way}/task/${encodeURIComponent(taskId)}`;
  const reply = await askJob(http, context, { path, dialect: skyReelsQueryErrors });
  return judgeJob(reply, { job, endpoint, states: STATES }, (body) => {
    const word = text(body['status'])?.toLowerCase();
    const { video_url: link, duration: seconds, cost_credits: credits } = object(body['data']);
    const isMade = word !== undefined && word !== 'failed' && text(link) !== undefined;
    return {
      status: isMade ? 'success' : word,
      result: () => doneWith(link, { seconds, credits }),
      fault: (status) => jobFault(skyReelsErrors, body, status, endpoint),
    };
  });
}
