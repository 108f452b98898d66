import type { CheckOutcome, Fault, Json, JsonObject, Pending, Refused } from '@mediagate/contracts';
import type { CallContext, Endpoint } from '../contract';
import { withFields } from '../error-dialect';
import { type HttpClient, IMAGE_ANSWER_MAX_BYTES } from '../http-client';
import { ageMs, ended, type Job, laterStart, type Misplaced, pending, unanswered, withIdsOf, withResult } from '../job';
import { jobCallBounds, questionBounds } from '../job-exchange';
import { decimal, identifier, present } from '../json-guards';
import { type KeptPlaces, leadsAstray } from '../templates/read-output';
import { segmentsOf, valueAt } from '../templates/request-view';
import { callVendor, refused, unreadable, type VendorReply } from '../vendor-call';
import { type Description, descriptionOf, type State } from './description';
import { dialectOf, failureOf, questionDialect, stateWord } from './errors';
import { doneWithFile, readFiles } from './files';
import { addressOf, credentials, headersOf } from './wire';

/** `id` is the vendor's, `endpoint` the one of the form by which the job was started. */
export type HttpJob = Job & {
  id: string;
  endpoint: string;
  places: KeptPlaces;
  fields?: Readonly<Record<string, string>>;
};

type Answered = Extract<VendorReply, { ok: true }>;

/** Asks about a job, and for its result once it has succeeded. */
export async function checkJob(http: HttpClient, job: HttpJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const description = descriptionOf(endpoint);
  const reply = await askAbout(http, job, context);
  if (!reply.ok) return unanswered(reply);
  const word = stateWord(reply.body as Json, description);
  const state = word === undefined ? undefined : stateOf(word, description);
  switch (state) {
    case 'submitted':
      return waiting('queued', reply.body, { job, endpoint });
    case 'running':
      return waiting('running', reply.body, { job, endpoint });
    case 'succeeded':
      return result(http, reply, { job, context });
    case 'failed':
      return failed(failureOf(reply.body, word ?? '', context), reply, context);
    case 'cancelled':
      return ended(failureOf(reply.body, word ?? '', context), reply);
    case undefined:
      return unknownWord(word, reply, { job, endpoint });
    default:
      return state satisfies never;
  }
}

/** By the word of a rule the vendor made nothing, so that the task goes on elsewhere; not where it charges for that. */
function failed(fault: Fault, reply: Answered, { endpoint }: CallContext): CheckOutcome {
  const next = laterStart(refused(fault, [reply.requestId]));
  return next.kind === 'not_started' && !isCharged(reply.body, descriptionOf(endpoint)) ? next : ended(fault, reply);
}

/** A figure that cannot be read is a charge, too. */
function isCharged(body: JsonObject, { cost }: Description): boolean {
  const charge = cost === undefined ? undefined : valueAt(body, cost);
  return charge !== undefined && charge !== null && charge !== '' && Number(charge) !== 0;
}

/** The question about a job's state. */
export function askAbout(http: HttpClient, job: HttpJob, context: CallContext): Promise<VendorReply> {
  const { status, result: { path, files } = {} } = descriptionOf(context.endpoint);
  return ask(http, status?.path ?? '', {
    job,
    context,
    isLarge: files === 'base64' && path === undefined,
    isAboutState: true,
  });
}

export function stateOf(word: string, { status }: Description): State | undefined {
  return status !== undefined && Object.hasOwn(status.words, word) ? status.words[word] : undefined;
}

interface Asking {
  job: HttpJob;
  context: CallContext;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Further names of the path. */
  values?: Readonly<Record<string, string>>;
  /** The answer holds files. */
  isLarge?: boolean;
  /** The answer says the job's state, and an error beside that is the job's. */
  isAboutState?: boolean;
}

export function ask(
  http: HttpClient,
  path: string,
  { job, context, method = 'GET', values = {}, isLarge, isAboutState }: Asking,
): Promise<VendorReply> {
  const { endpoint, newFile } = context;
  const description = descriptionOf(endpoint);
  const named = { ...values, id: job.id, endpoint: job.endpoint, model: endpoint.model };
  const dialect = isAboutState ? questionDialect(description) : dialectOf(description, 'status');
  const large = { ...jobCallBounds(context), newFile, maxResponseBytes: IMAGE_ANSWER_MAX_BYTES };
  return callVendor(http, {
    ...(isLarge ? large : questionBounds(context)),
    method,
    url: endpoint.baseUrl + addressOf(path, named, endpoint),
    headers: headersOf(description),
    key: { credentials, endpoint },
    dialect: withFields(dialect, job.fields === undefined ? {} : { fields: job.fields }),
    confidential: { apiKey: endpoint.apiKey },
  });
}

interface Asked {
  job: HttpJob;
  endpoint: Endpoint;
}

const MOST_PROGRESS = 99;

function waiting(phase: Pending['phase'], body: JsonObject, { job, endpoint }: Asked): Pending {
  const { progress: place } = descriptionOf(endpoint).status ?? {};
  const value = place === undefined ? undefined : valueAt(body, place.at);
  const figure = decimal(typeof value === 'string' ? value.replace(/%$/, '') : value);
  const percent = figure === undefined ? undefined : Math.floor((100 * figure) / (place?.of ?? 100));
  const progress = percent === undefined ? undefined : Math.min(percent, MOST_PROGRESS);
  return present<Pending>({ ...pending(phase, job, endpoint), progress });
}

/** A vendor may use a word for a moment that nobody wrote down, so that a young job waits. */
const UNKNOWN_WORD_PATIENCE_MS = 60_000;

/** Every further question is the operator's fault, until a word of the configuration or the task's deadline ends it. */
function unknownWord(word: string | undefined, reply: Answered, { job, endpoint }: Asked): Pending | Refused {
  const isYoung = ageMs(job.since) < UNKNOWN_WORD_PATIENCE_MS;
  const place = descriptionOf(endpoint).status?.at;
  if (word === undefined && isYoung) return refused(unreadable(`no job status at ${place}`), [reply.requestId]);
  if (isYoung) return pending(undefined, job, endpoint);
  const detail =
    word === undefined
      ? `an answer about a job has nothing at ${place}: correct \`http_job.status.at\``
      : `${JSON.stringify(word.slice(0, 100))} is the state of a job, and \`http_job.status.words\` does not have it`;
  return refused({ code: 'operator', detail, everyTime: true }, [reply.requestId]);
}

/** The result of a job that has succeeded: in the same answer, in another one, or as the answer itself. */
async function result(
  http: HttpClient,
  reply: Answered,
  { job, context }: { job: HttpJob; context: CallContext },
): Promise<CheckOutcome> {
  const { endpoint } = context;
  const { path, from = {}, files } = descriptionOf(endpoint).result ?? {};
  if (path === undefined) return finish([reply], { job, endpoint });
  const found = Object.entries(from).map(
    ([name, pointer]) => [name, identifier(valueAt(reply.body, pointer))] as const,
  );
  const missing = found.find(([, value]) => value === undefined);
  if (missing !== undefined) return withResult(withoutValue(missing[0], from, reply), job, endpoint);
  const values = Object.fromEntries(found) as Record<string, string>;
  if (files === 'body') return doneWithFile(linkToResult(path, values, { job, endpoint }), job.places);
  const answer = await ask(http, path, { job, context, values, isLarge: files === 'base64' });
  if (answer.ok) return finish([reply, answer], { job, endpoint });
  if (!answer.isNoObject) return unanswered(answer);
  return withResult(withIdsOf([reply, answer], NO_OBJECT), job, endpoint);
}

/** A vendor that gives the file itself does so every time; a page in its place may be a proxy's, for a moment. */
const NO_OBJECT: Misplaced = {
  kind: 'misplaced',
  detail: 'the answer of `http_job.result.path` is no JSON object: if it is the file itself, say `result.files: body`',
  mayBeDelivered: true,
};

/** A value that `result.path` needs may come later where its place is empty; without the place it never will. */
function withoutValue(name: string, from: Readonly<Record<string, string>>, reply: Answered): Refused | Misplaced {
  const { body, requestId } = reply;
  const place = from[name] ?? '';
  if (!leadsAstray(body, segmentsOf(place))) return refused(unreadable(`nothing for {${name}} yet`), [requestId]);
  const detail = `the job is done, and its answer has no name or number at ${place}: correct \`http_job.result.from.${name}\``;
  return { kind: 'misplaced', detail, requestIds: [requestId] };
}

function linkToResult(path: string, values: Readonly<Record<string, string>>, { job, endpoint }: Asked) {
  const named = { ...values, id: job.id, endpoint: job.endpoint, model: endpoint.model };
  return { url: endpoint.baseUrl + addressOf(path, named, endpoint), needsKey: true } as const;
}

/** The last answer has the files. */
function finish(answers: readonly Answered[], { job, endpoint }: Asked): CheckOutcome {
  const read = readFiles((answers.at(-1)?.body ?? {}) as Json, job.places, { endpoint, requestIds: [] });
  return withResult(withIdsOf(answers, read), job, endpoint);
}
