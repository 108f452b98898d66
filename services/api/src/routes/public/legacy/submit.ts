import type { ServedOperation } from '@mediagate/api-contract';
import { createNameFinder, createUnreadFinder, isSent, refusalOf, warnOfUnknownFields } from '@mediagate/catalog';
import { type Failure, fieldFailure, isJsonObject, type JsonObject, type Message } from '@mediagate/contracts';
import type { Request } from 'express';
import type { Api } from '../../../api';
import { readJsonWithFiles } from '../../../http/body/json-body';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { UPLOAD_JSON_MAX_BYTES } from '../../../request-limits';
import type { Caller } from '../../../use-cases/caller';
import { estimateTask } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import { isStrict } from '../../../use-cases/strict';
import { type Acknowledgement, submitTask } from '../../../use-cases/submit-task';
import { wordsOf } from '../acknowledge';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { type FieldNames, inLegacyWords, withLegacyFields } from './legacy-words';
import { isBlank } from './one-image';
import { LEGACY_SUBMISSIONS, type ReadLegacy } from './submissions';

const SUBMITTED = 1;
const QUEUED = 22;
/** The only model of the image tool. */
const MODEL = 'imgtool';

type LegacyId = keyof typeof LEGACY_SUBMISSIONS;

/** POST /{prefix}/submit/*: the same tasks at the same prices, in the words of an older interface. */
export function createLegacySubmissions(): Record<LegacyId, KeyHandler> {
  const handlers = Object.entries(LEGACY_SUBMISSIONS).map(([id, read]) => [id, createSubmit(read)]);
  return Object.fromEntries(handlers) as Record<LegacyId, KeyHandler>;
}

function createSubmit(read: ReadLegacy): KeyHandler {
  let judgeUnread: ReturnType<typeof unreadJudgeOf> | undefined;
  return async (call, api, { path, body: described }) => {
    const { caller, requestId, request, response } = call;
    const { body: own, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
    const sent = withSpeed(own, request);
    const idempotency = readIdempotency(request, path, sent);
    const { operation, body, faults: found, names: renamed } = read(sent);
    judgeUnread ??= unreadJudgeOf(schemaOf(described));
    const strict = isStrict(request);
    const unread = judgeUnread(sent, strict);
    const names = { ...renamed, ...unread.names };
    const faults = [...unread.faults, ...found];
    const inWords = (error: unknown) => Promise.reject(inLegacyWords(error, names));
    const inBody = (warnings: readonly Message[]) => {
      return [...unread.warnings, ...warnings.map((warning) => withLegacyFields(warning, names))];
    };
    const completed = { ...body, model: MODEL };
    const isReviewed = sent['nsfwCheck'] === true;
    const submission = {
      caller,
      requestId,
      operation,
      faults,
      files,
      strict,
      idempotency,
      isReviewed,
      body: completed,
    };
    if (isDryRun(call)) {
      const estimate = await estimateTask(api, submission).catch(inWords);
      return sendEstimate(call, { ...estimate, warnings: inBody(estimate.warnings) });
    }
    // Counted before the submission: once a task is accepted, the answer must say so, even if the database fails then.
    const ahead = await countAhead(api, caller);
    const acknowledgement = await submitTask(api, submission).catch(inWords);
    answer(response, { ...acknowledgement, warnings: inBody(acknowledgement.warnings) }, ahead);
  };
}

/** Fields of every other submission, and of other such interfaces, that mean nothing here: nobody is called back. */
const SILENT: ReadonlySet<string> = new Set(['webhook', 'language', 'notifyHook']);

interface UnreadFields {
  /** Fields that the interface calls otherwise, and files that it does not take. */
  faults: Failure[];
  /** They keep their names in the error. */
  names: FieldNames;
  warnings: Message[];
}

/** Judges the fields that the route does not describe; with `strict` all of them are faults. */
function unreadJudgeOf(schema: JsonObject): (sent: JsonObject, strict: boolean) => UnreadFields {
  const findName = createNameFinder(isJsonObject(schema['properties']) ? schema['properties'] : {});
  const findUnread = createUnreadFinder(schema);
  return (sent, strict) => {
    const [faults, ignored, names]: [Failure[], string[], Record<string, string>] = [[], [], {}];
    for (const { field, name, value, isTop, other } of findUnread(sent)) {
      const others = isTop ? findName(name) : other && [other];
      const isSilent = isTop && (SILENT.has(name) || SILENT.has(others?.[0] ?? ''));
      const isAsked = isSent({ [name]: value }, name);
      if (others && !isSilent && isAsked) faults.push(refusalOf(field, others));
      else if (strict) faults.push(fieldFailure('unsupported_parameter', field, 'meaningless'));
      else if (!isSilent && isAsked) ignored.push(field);
      names[field] = field;
    }
    return { faults, names, warnings: warnOfUnknownFields(ignored) };
  };
}

/** The speed that the client's base URL names, unless the body chooses one. */
function withSpeed(sent: JsonObject, { query: { speed } }: Pick<Request, 'query'>): JsonObject {
  const { accountFilter } = sent;
  const filter = accountFilter ?? {};
  if (typeof speed !== 'string' || !isJsonObject(filter) || ![filter['modes']].flat().every(isBlank)) return sent;
  return { ...sent, accountFilter: { ...filter, modes: [speed] } };
}

/** Counts the tasks of the key that must end before its next task of the image tool begins; none or fewer: it begins at once. */
async function countAhead({ database }: Pick<Api, 'database'>, { id: keyId, maxConcurrent }: Caller): Promise<number> {
  if (maxConcurrent === undefined) return 0;
  const [row] = await database.countOpenTasks({ keyId, family: 'imgtool' });
  return (row?.open ?? 0) - maxConcurrent + 1;
}

function schemaOf(described: ServedOperation['body']): JsonObject {
  const json = described && 'content' in described ? described.content['application/json'] : undefined;
  return json?.schema ?? {};
}

/** `ahead`: so many tasks of its key must end before this one begins; none or fewer: nothing holds it back. */
function answer(response: Call['response'], { taskId, warnings, replayed }: Acknowledgement, ahead: number): void {
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  const warned = warnings.length > 0 ? { warnings: wordsOf(warnings, response) } : {};
  const waits = ahead > 0 && !replayed;
  sendJson(response, 200, {
    ...(waits ? { code: QUEUED, description: 'In queue' } : { code: SUBMITTED, description: 'Submit success' }),
    result: taskId,
    properties: { ...warned, ...(waits ? { numberOfQueues: ahead } : {}) },
  });
}
