import type { CheckOutcome, StartOutcome } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Sighting, StartRequest } from '../contract';
import type { HttpClient } from '../http-client';
import { accepted } from '../job';
import { askJob, bearer, JOB_OPTIONS, type JobStates, judgeJob, submitJob } from '../job-exchange';
import { decimalText, identifier, object, present, text } from '../json-guards';
import { readMusicCall, readMusicRequest } from '../music-call';
import { doneWithAlignment } from '../music-result';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { refused, unreadable } from '../vendor-call';
import { failure, sunoApiErrors } from './errors';
import { sunoApiLack, vendorStep } from './request';
import { isWhole, type MusicJob, musicJob, readResult, recordPath } from './result';

const OPTIONS: OptionRules = { ...JOB_OPTIONS, versions: { kind: 'names' }, callback_url: { kind: 'text' } };

const STATES: JobStates = {
  TEXT_SUCCESS: 'running',
  FIRST_SUCCESS: 'running',
  CALLBACK_EXCEPTION: 'running',
  SUCCESS: 'done',
  CREATE_TASK_FAILED: 'failed',
  GENERATE_AUDIO_FAILED: 'failed',
  GENERATE_LYRICS_FAILED: 'failed',
  SENSITIVE_WORD_ERROR: 'failed',
};

/**
 * Suno tracks by `POST` below `/generate`, `/lyrics` and `/vocal-removal`, and `GET` of the `record-info` beside each. A
 * channel maps a public model to the version that is made when none is asked for, as `V5_5`; the versions that callers name
 * are the vendor's `V5` and `V5_5`, or what the option `versions` says. Covers and extensions take any track by its address;
 * the other operations on a track take its ids, and so only tracks that the same channel made.
 *
 * The vendor keeps no reference of ours and lists no jobs: a lost answer is never re-sent.
 */
export default function createSunoApi({ http }: Clients): Adapter {
  return {
    protocol: 'sunoapi',
    families: ['music'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createProbe(http, {
      // docs.sunoapi.org, get remaining credits.
      path: () => '/generate/credit',
      headers: bearer,
      dialect: sunoApiErrors,
      read: (body) => present<Pick<Sighting, 'balance'>>({ balance: decimalText(body['data']) }),
    }),
    lacks: ({ request, endpoint }) => sunoApiLack(readMusicRequest(request), endpoint),
    start: (request, context) => start(http, request, context),
    check: (operation, context) => check(http, operation as MusicJob, context),
  };
}

async function start(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { music, confidential } = readMusicCall(request, context);
  const { endpoint } = context;
  const { path, body } = vendorStep(music, endpoint, request.callbackUrl);
  const reply = await submitJob(http, context, {
    path,
    headers: bearer(endpoint),
    body: { json: body },
    dialect: sunoApiErrors,
    confidential,
  });
  if (!reply.ok) return refused(reply.fault);
  const data = object(reply.body['data']);
  if (music.operation === 'aligned_lyrics') {
    return doneWithAlignment(data['alignedWords'], { start: 'startS', end: 'endS' });
  }
  const taskId = identifier(data['taskId']);
  if (taskId === undefined) return refused(unreadable('no task id'));
  return accepted(taskId, musicJob(taskId, music), endpoint);
}

async function check(http: HttpClient, job: MusicJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const reply = await askJob(http, context, {
    path: `${recordPath(job)}?taskId=${encodeURIComponent(job.taskId)}`,
    headers: bearer(endpoint),
    dialect: sunoApiErrors,
  });
  return judgeJob(reply, { job, endpoint, states: STATES }, (body) => {
    const data = object(body['data']);
    // Separations call their state otherwise.
    const word = text(data['status']) ?? text(data['successFlag']);
    // A report that nobody took says nothing about the tracks.
    return {
      status: word === 'CALLBACK_EXCEPTION' && isWhole(data) ? 'SUCCESS' : word,
      progress: word === 'FIRST_SUCCESS' ? 50 : undefined,
      result: () => readResult(job, data),
      fault: (status) => failure(status, data, endpoint.apiKey),
    };
  });
}
