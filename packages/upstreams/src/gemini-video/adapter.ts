import type { CheckOutcome, JsonObject } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Credentials, Endpoint } from '../contract';
import { judgeError } from '../error-dialect';
import { createGeminiKey, isVertex, methodPath, methodUrl } from '../gemini-call';
import { createGeminiProbe } from '../gemini-models';
import type { HttpClient } from '../http-client';
import { ended, type Job, pending, unanswered, withResult } from '../job';
import { JOB_OPTIONS, jobCallBounds, questionBounds, startJob } from '../job-exchange';
import { object, text } from '../json-guards';
import type { Clients } from '../protocol';
import { unknownGeneration } from '../unknown-generation';
import { callVendor, cannotCarry, refused, unreadable } from '../vendor-call';
import { roleLack } from '../video-ability';
import { readVideoCall, readVideoRequest } from '../video-call';
import { errorOf, geminiOperationErrors, geminiVideoErrors } from './errors';
import { GENERATION_NAMES, generationOf, inlineInputs, requestBody, veoLack } from './generations';
import { readVideo } from './read-video';

/**
 * `generation`: for a channel whose model has another name than the vendor's. `person_generation`: who may be shown; without it the vendor's
 * own choice, which differs by country.
 */
const OPTIONS: OptionRules = {
  ...JOB_OPTIONS,
  generation: { kind: 'choice', of: GENERATION_NAMES },
  person_generation: { kind: 'choice', of: ['allow_all', 'allow_adult', 'dont_allow'] },
};

/**
 * Veo videos of the Gemini API (README.md of this folder): `POST :predictLongRunning` answers with the name of an operation, which is asked
 * about until it is done. The link works for two days and for the key alone. The vendor charges for the length that was asked for,
 * and only for videos that it gives out. At Vertex, which the channel's address shows, an operation is asked about by a method of its
 * model, and the video stands in the answer.
 *
 * The vendor knows no reference of ours and shows no list of operations: a lost answer is never re-sent. It stops no job.
 */
export default function createGeminiVideo({ http }: Clients): Adapter {
  const credentials = createGeminiKey(http);
  return {
    protocol: 'gemini-video',
    families: ['video'],
    fileRoles: new Set(['image']),
    afterLostAnswer: 'never',
    credentials,
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createGeminiProbe(http, credentials),
    lacks({ request, files, endpoint }) {
      const generation = generationIn(endpoint);
      return generation && veoLack(readVideoRequest(request), files, generation);
    },
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const generation = generationIn(endpoint);
      if (generation === undefined) return refused(unknownGeneration(endpoint, 'Veo', GENERATION_NAMES));
      const inputs = inlineInputs(video, request.media);
      if ('notLoaded' in inputs) return cannotCarry(roleLack(inputs.notLoaded));
      const personGeneration = text(endpoint.options['person_generation']);
      return startJob(http, context, {
        path: methodPath(endpoint, 'predictLongRunning'),
        key: { credentials, endpoint },
        body: { json: requestBody(video, inputs, { ...generation, personGeneration, isVertex: isVertex(endpoint) }) },
        dialect: geminiVideoErrors,
        confidential,
        idIn: ({ name }) => operationName(name),
        jobOf: (name) => ({ name }),
      });
    },
    check: (operation, context) => check({ http, credentials }, operation as VeoJob, context),
  };
}

interface Vendor {
  http: HttpClient;
  credentials: Credentials;
}

type VeoJob = Job & { name: string };

function generationIn({ model, options }: Endpoint) {
  return generationOf(model, options['generation']);
}

/** `models/{model}/operations/{id}`, which goes into an address as it is: names with nothing in them but such parts. */
function operationName(value: unknown): string | undefined {
  const name = text(value);
  return name !== undefined && name.length <= 300 && /^\w[\w.-]*(\/\w[\w.-]*)+$/.test(name) ? name : undefined;
}

async function check({ http, credentials }: Vendor, job: VeoJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const reply = await callVendor(http, {
    ...questionOf(job, context),
    key: { credentials, endpoint },
    dialect: geminiOperationErrors,
    confidential: { apiKey: endpoint.apiKey },
  });
  if (!reply.ok) return unanswered(reply);
  const { body } = reply;
  if (body['done'] !== true) return underWay(body, job, endpoint);
  const error = errorOf(body);
  if (error !== undefined) {
    const { apiKey } = endpoint;
    return ended(judgeError(geminiVideoErrors, 200, error, { apiKey, retryAfterMs: undefined }));
  }
  return withResult(readVideo(object(body['response']), endpoint), job, endpoint);
}

/** Bytes of an answer that holds a video of 4k in base64. */
const VIDEO_ANSWER_MAX_BYTES = 96 * 1024 * 1024;

function questionOf({ name }: VeoJob, context: CallContext) {
  const { endpoint } = context;
  if (!isVertex(endpoint)) {
    return { ...questionBounds(context), method: 'GET' as const, url: `${endpoint.baseUrl}/${name}` };
  }
  return {
    ...jobCallBounds(context),
    newFile: context.newFile,
    maxResponseBytes: VIDEO_ANSWER_MAX_BYTES,
    method: 'POST' as const,
    url: methodUrl(endpoint, 'fetchPredictOperation'),
    headers: { 'content-type': 'application/json' },
    body: { json: { operationName: name } },
  };
}

/** It says nothing of an operation that goes on but its name. */
function underWay({ name, done }: JsonObject, job: VeoJob, endpoint: Endpoint): CheckOutcome {
  if (operationName(name) === undefined || (done !== undefined && done !== false)) {
    return refused(unreadable('no operation'));
  }
  return pending('running', job, endpoint);
}
