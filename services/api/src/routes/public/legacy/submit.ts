import type { ServedOperation } from '@mediagate/api-contract';
import { createNameFinder, isSent, refusalOf } from '@mediagate/catalog';
import { type Failure, isJsonObject, type JsonObject, type Message } from '@mediagate/contracts';
import type { Request } from 'express';
import type { Api } from '../../../api';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { readJsonWithFiles } from '../../../http/json-body';
import { UPLOAD_JSON_MAX_BYTES } from '../../../request-limits';
import type { Caller } from '../../../use-cases/caller';
import { estimateTask } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import { type Acknowledgement, submitTask } from '../../../use-cases/submit-task';
import { wordsOf } from '../acknowledge';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { isStrict, meaninglessFields } from '../strict';
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
  let findForeign: ReturnType<typeof createForeignFinder> | undefined;
  return async (call, api, { path, body: described }) => {
    const { caller, requestId, request, response } = call;
    const { body: own, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
    const sent = withSpeed(own, request);
    const idempotency = readIdempotency(request, path, sent);
    const { operation, body, faults: found, names: renamed } = read(sent);
    findForeign ??= createForeignFinder(schemaOf(described));
    const { faults: foreign, names: kept } = findForeign(sent);
    const names = { ...renamed, ...kept };
    const strict = isStrict(request);
    const faults = [...foreign, ...found, ...(strict ? meaninglessFields(sent, schemaOf(described)) : [])];
    const inWords = (error: unknown) => Promise.reject(inLegacyWords(error, names));
    const withFields = (warning: Message) => withLegacyFields(warning, names);
    const completed = { ...body, model: MODEL };
    const submission = { caller, requestId, operation, faults, files, strict, idempotency, body: completed };
    if (isDryRun(call)) {
      const estimate = await estimateTask(api, submission).catch(inWords);
      return sendEstimate(call, { ...estimate, warnings: estimate.warnings.map(withFields) });
    }
    // Counted before the submission: once a task is accepted, the answer must say so, even if the database fails then.
    const ahead = await countAhead(api, caller);
    const acknowledgement = await submitTask(api, submission).catch(inWords);
    answer(response, { ...acknowledgement, warnings: acknowledgement.warnings.map(withFields) }, ahead);
  };
}

/** Fields of every other submission that mean nothing here. */
const UNREAD: ReadonlySet<string | undefined> = new Set(['webhook', 'language']);

/**
 * Finds the fields that the interface calls otherwise, and files that it does not take. They keep their names in the error. Nobody is
 * called back here, so that no name of the address is wrong.
 */
function createForeignFinder({ properties }: JsonObject) {
  const fields = isJsonObject(properties) ? properties : {};
  const find = createNameFinder(fields);
  return (sent: JsonObject): { faults: Failure[]; names: FieldNames } => {
    const faults: Failure[] = [];
    const names: Record<string, string> = {};
    for (const name of Object.keys(sent)) {
      const others = find(name);
      if (others === undefined || UNREAD.has(others[0]) || !isSent(sent, name)) continue;
      faults.push(refusalOf(name, others));
      names[name] = name;
    }
    return { faults, names };
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
