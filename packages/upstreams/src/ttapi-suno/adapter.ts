import {
  type CheckOutcome,
  isJsonObject,
  type JsonObject,
  type Refused,
  type StartOutcome,
} from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, StartRequest } from '../contract';
import { judgeError } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, pending, unanswered, withResult } from '../job';
import { askJob, JOB_OPTIONS, submitJob } from '../job-exchange';
import { identifier, object, text } from '../json-guards';
import { readMusicCall, readMusicRequest } from '../music-call';
import { isThere } from '../music-result';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { refused, unreadable } from '../vendor-call';
import { ttapiErrors, ttapiQueryErrors } from './errors';
import { handOver, ttapiKey } from './hand-over';
import { type MusicJob, musicJob } from './music-job';
import { EDITS, isForeign, STEPS, ttapiLack, vendorStep } from './request';
import { readAtOnce, readResult, tracksIn } from './result';

const OPTIONS: OptionRules = {
  ...JOB_OPTIONS,
  versions: { kind: 'names' },
  paths: { kind: 'names' },
  fields: { kind: 'names' },
  edits: { kind: 'own' },
};

/** The notes of a whole track, of every instrument; anything else is far less. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Suno tracks by `POST /suno/v1/{operation}` and `GET /suno/v2/fetch`. A channel maps a public model to the version that is
 * made when none is asked for, as `chirp-v5-5`; the versions that callers name are the vendor's `chirp-v5` and `chirp-v5-5`,
 * or what the option `versions` says. Operations on a track take its id; a track of elsewhere is handed over first, for what
 * no other can do as well.
 *
 * Operations of `edits: { crop: false }` are not asked of the vendor.
 *
 * The vendor keeps no reference of ours and lists no jobs: a lost answer is never re-sent.
 */
export default function createTtapiSuno({ http }: Clients): Adapter {
  return {
    protocol: 'ttapi-suno',
    families: ['music'],
    afterLostAnswer: 'never',
    checkOptions,
    probe: createProbe(http, {
      path: () => `/suno/v2/fetch?jobId=${NO_SUCH_ID}`,
      headers: ttapiKey,
      dialect: ttapiErrors,
      isAboutNothing: true,
    }),
    lacks: ({ request, endpoint }) => ttapiLack(readMusicRequest(request), endpoint),
    start: (request, context) => start(http, request, context),
    check: (operation, context) => check(http, operation as MusicJob, context),
  };
}

function checkOptions(options: JsonObject): string | undefined {
  const unknown = Object.keys(object(options['paths'])).find((step) => !STEPS.includes(step));
  return (
    checkAgainst(OPTIONS, options) ??
    (unknown && `option "paths" knows no "${unknown}"; known are ${STEPS.join(', ')}`) ??
    checkEdits(options['edits'])
  );
}

function checkEdits(edits: unknown): string | undefined {
  if (edits === undefined) return undefined;
  if (!isJsonObject(edits) || Object.values(edits).some((isSent) => typeof isSent !== 'boolean')) {
    return 'option "edits" must be operations, each true or false';
  }
  const unknown = Object.keys(edits).find((name) => !EDITS.includes(name));
  return unknown === undefined ? undefined : `option "edits" knows no "${unknown}"; known are ${EDITS.join(', ')}`;
}

async function start(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { music: asked, audio, confidential } = readMusicCall(request, context);
  const { endpoint } = context;
  const handed = await handOver(http, asked, { context, confidential });
  if (!handed.ok) return handed.refusal;
  const { music } = handed;
  const { path, body } = vendorStep(music, endpoint);
  const reply = await submitJob(http, context, {
    path,
    maxResponseBytes: ANSWER_MAX_BYTES,
    headers: ttapiKey(endpoint),
    body: { json: body },
    dialect: ttapiErrors,
    confidential,
  });
  if (!reply.ok) return refused(reply.fault);
  const data = object(reply.body['data']);
  const atOnce = readAtOnce(music, data, audio);
  if (atOnce !== undefined) return atOnce;
  const jobId = identifier(data['job_id']) ?? identifier(data['jobId']);
  if (jobId === undefined) return refused(unreadable('no job id'));
  return accepted(jobId, musicJob(jobId, music, { isForeign: isForeign(asked, endpoint) }), endpoint);
}

async function check(http: HttpClient, job: MusicJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const reply = await askJob(http, context, {
    path: `/suno/v2/fetch?jobId=${encodeURIComponent(job.jobId)}`,
    headers: ttapiKey(endpoint),
    dialect: ttapiQueryErrors,
  });
  if (!reply.ok) return unanswered(reply);
  const data = object(reply.body['data']);
  const status = text(reply.body['status'])?.toUpperCase();
  switch (status) {
    case undefined:
      return refused(unreadable('no job status'));
    case 'SUCCESS':
      return withResult(readResult(job, data), job, endpoint);
    case 'FAILED':
      return failed(reply.body, endpoint.apiKey);
    default:
      return underWay(data, job, context);
  }
}

/** The vendor has one word for a job that waits and one that is worked on; a track that can be played shows the difference. */
function underWay(data: JsonObject, job: MusicJob, { endpoint }: CallContext): CheckOutcome {
  if (!tracksIn(data).some(isThere)) return pending('queued', job, endpoint);
  return { ...pending('running', job, endpoint), progress: 50 };
}

/** The vendor gives the reason in words alone, which may quote the caller: they are judged and go no further. */
function failed(body: JsonObject, apiKey: string): Refused {
  const error = ttapiErrors.read(body, 200);
  return ended(judgeError(ttapiErrors, 200, error, { apiKey, retryAfterMs: undefined }));
}
