import type { Done, Json, JsonObject, Refused, StartOutcome } from '@mediagate/contracts';
import type { CallContext, StartRequest } from '../contract';
import { withFields } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { imageCallBounds } from '../image-call';
import type { Misplaced } from '../job';
import { startJob } from '../job-exchange';
import { identifier, present } from '../json-guards';
import { valueAt } from '../templates/request-view';
import { prepareJob, type TemplatedJob } from '../templates/templated-job';
import { callVendor, callVendorForFile, refused, unreadable } from '../vendor-call';
import { descriptionOf } from './description';
import { dialectOf } from './errors';
import { fileOutput, readFiles } from './files';
import { addressOf, credentials, headersOf, withOwnParts } from './wire';

/** Hands work in: a job that is asked about later, or work that the vendor answers with. */
export async function startWork(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { endpoint } = context;
  const job = prepareJob(request, endpoint);
  if ('kind' in job) return job;
  const description = descriptionOf(endpoint);
  const { path: template = '/{endpoint}', id: idPlace } = description.start ?? {};
  const { body, headers, query } = withOwnParts(job.input, description, request);
  const call = {
    path: addressOf(template, { endpoint: job.endpoint, model: endpoint.model }, endpoint, query),
    headers: { ...headersOf(description), ...headers },
    key: { credentials, endpoint },
    // Written once, for whoever signs it and for the wire: files stand in it as texts.
    body: { jsonText: JSON.stringify(body) },
    dialect: withFields(dialectOf(description, 'start'), { own: job.own, ...(job.fields && { fields: job.fields }) }),
    confidential: job.confidential,
  };
  if (idPlace === undefined) return answerAtOnce(http, context, { job, call });
  return startJob(http, context, {
    ...call,
    idIn: (answer) => identifier(valueAt(answer, idPlace)),
    idPlace: { at: idPlace, key: 'http_job.start.id' },
    jobOf: (id) =>
      present<JsonObject>({ id, endpoint: job.endpoint, places: job.places as JsonObject, fields: job.fields }),
  });
}

type AtOnce = Omit<Parameters<typeof callVendor>[1], 'method' | 'url' | 'signal' | 'timeoutMs' | 'maxResponseBytes'> & {
  path: string;
};

/** The answer holds the files, or is the file. */
async function answerAtOnce(
  http: HttpClient,
  context: CallContext,
  { job, call: { path, headers, ...rest } }: { job: TemplatedJob; call: AtOnce },
): Promise<Done | Refused> {
  const { endpoint } = context;
  const description = descriptionOf(endpoint);
  const call = {
    ...imageCallBounds(context),
    ...rest,
    method: 'POST' as const,
    url: endpoint.baseUrl + path,
    headers: { ...headers, 'content-type': 'application/json' },
  };
  if (description.result?.files === 'body') {
    const file = await callVendorForFile(http, call);
    return file.ok ? fileOutput(file, job.places) : refused(file.fault, [file.requestId]);
  }
  const reply = await callVendor(http, call);
  if (!reply.ok) return refused(reply.fault, [reply.requestId]);
  return settled(readFiles(reply.body as Json, job.places, { endpoint, requestIds: [reply.requestId] }));
}

/** The vendor has done the work, so that nothing is started for it elsewhere; its places are the operator's to correct. */
function settled(read: Done | Refused | Misplaced): Done | Refused {
  if (read.kind !== 'misplaced') return read;
  return refused({ ...unreadable(read.detail, read.credits), everyTime: true }, read.requestIds);
}
