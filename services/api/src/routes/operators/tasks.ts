import {
  FAMILIES,
  GatewayError,
  isTaskId,
  message,
  TASK_STATUSES,
  type TaskId,
  type TaskStatus,
} from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';
import { mediaIdIn } from '@mediagate/media';
import {
  describeFoundTask,
  describeTaskHistory,
  explainRetry,
  failTask,
  MAX_WORDS_CHARACTERS,
  readTaskHistory,
  retryTask,
  type SupportCase,
  searchTasks,
  type Tasks,
  wordsOf,
} from '@mediagate/tasks';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { type OperatorCall, sendJson } from '../../http/exchange';
import { readMetadataFilter } from '../../http/fields/metadata-filter';
import { LIMIT, readCursor, sendPage } from '../../http/fields/page';
import { Query } from '../../http/fields/query';
import { ACCEPTED_TIME, DAY_MS, readTime } from '../../http/fields/query-time';
import type { OperatorHandler } from '../../http/route';
import type { Operators } from '../../operators';
import { withBriefLinks } from '../../use-cases/brief-links';
import { refuseUnknownModel } from '../../use-cases/choose-model';
import { METADATA_PREFIX } from '../../use-cases/usage-report';
import { readChange } from './change';

const LIST = 'found-tasks';
const ID_PART = /^(?:task_)?[0-9a-hjkmnp-tv-z]{1,26}$/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const NAME = /^[^\0]{1,128}$/;
const NAME_MAX_CHARACTERS = 128;
const ACCEPTED_NAME = ['too_many_characters', { limit: NAME_MAX_CHARACTERS }] as const;

/** GET /admin/v1/tasks: of all accounts, the newest first. */
export const adminSearchTasks: OperatorHandler = async (
  { request, response },
  { database, catalogue, creditsPerUnit },
) => {
  const wanted = readCase(new Query(request));
  const page = await searchTasks(database, wanted);
  if (page.rows.length === 0 && page.next === undefined) refuseUnknownModel(wanted, { catalogue });
  sendPage(response, LIST, page, (row) => describeFoundTask(row, { creditsPerUnit }));
};

function readCase(query: Query): SupportCase {
  const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);
  const wanted: SupportCase = {
    limit: query.integer('limit', LIMIT),
    before: query.parsed('cursor', readPlace, 'must_be_cursor'),
    accountId: query.parsed('account_id', matching(NAME), ...ACCEPTED_NAME) ?? null,
    requestId:
      query.parsed('request_id', matching(REQUEST_ID), 'must_be_visible_ascii', { limit: NAME_MAX_CHARACTERS }) ?? null,
    idPart: query.parsed('id', matching(ID_PART), 'must_be_task_id') ?? null,
    mediaId: query.parsed('url', mediaIdIn, 'must_be_result_url'),
    status: query.oneOf('status', TASK_STATUSES) ?? null,
    family: query.oneOf('family', FAMILIES) ?? null,
    model: query.parsed('model', matching(NAME), ...ACCEPTED_NAME) ?? null,
    createdFrom: query.parsed('created_after', (text) => readTime(text, 0), ...ACCEPTED_TIME) ?? null,
    createdBefore: query.parsed('created_before', (text) => readTime(text, DAY_MS), ...ACCEPTED_TIME) ?? null,
    metadata: readMetadataFilter(query),
    words: query.parsed('query', wordsOf, 'too_many_characters', { limit: MAX_WORDS_CHARACTERS }) ?? null,
  };
  const [label] = Object.keys(wanted.metadata ?? {});
  if (label !== undefined && !wanted.accountId)
    query.refuse('account_id', 'required_to_find', { other: `${METADATA_PREFIX}${label}` });
  query.end();
  return wanted;
}

function readPlace(cursor: string): string | undefined {
  const place = readCursor(LIST, cursor);
  return isTaskId(place) ? place : undefined;
}

/** GET /admin/v1/tasks/{id} */
export const adminGetTask: OperatorHandler = async (call, operators) =>
  sendJson(call.response, 200, { code: 200, data: await describe(idIn(call), operators) });

/** POST /admin/v1/tasks/{id}/result: noted before it is shown, each time, also under an idempotency key that was used before. */
export const adminShowResult: OperatorHandler = async (call, { database, links }) => {
  const id = idIn(call);
  const { end } = await readChange(call);
  const { idempotency, ...look } = end();
  const noted = await database.noteShownResult(id, idempotency === undefined ? look : { ...look, idempotency });
  await requireChanged(call.response, noted, { unchanged: notFound });
  if (noted.kind === 'changed' && noted.replayed) await database.noteShownResult(id, look);
  call.response.setHeader('Cache-Control', 'no-store');
  const kept = (await readTaskHistory(database, id))?.result ?? null;
  const result = links === undefined ? kept : withBriefLinks(kept, links);
  sendData(call.response, { id, result });
};

type ChangeTask = (tasks: Tasks, id: TaskId, request: ChangeRequest) => Promise<ChangeOutcome>;

/** Says why nothing was changed. */
type Explain = (database: Database, id: TaskId) => Promise<GatewayError>;

function changeTask(change: ChangeTask, explain: Explain): OperatorHandler {
  return async (call, operators) => {
    const id = idIn(call);
    const { end } = await readChange(call);
    const outcome = await change(operators.tasks, id, end());
    await requireChanged(call.response, outcome, { unchanged: () => explain(operators.database, id) });
    sendJson(call.response, 200, { code: 200, data: await describe(id, operators) });
  };
}

/** POST /admin/v1/tasks/{id}/retry */
export const adminRetryTask = changeTask(retryTask, async (database, id) => {
  const why = await explainRetry(database, id);
  if (why.kind === 'not_found') return notFound();
  if (why.kind === 'ended') return endedAlready(why);
  return new GatewayError('conflict', message(`task_${why.kind}`), { reason: 'wrong_state' });
});

/** POST /admin/v1/tasks/{id}/fail */
export const adminFailTask = changeTask(failTask, async (database, id) => {
  const found = await readTaskHistory(database, id);
  return found ? endedAlready(found) : notFound();
});

function endedAlready({ status }: { status: TaskStatus }): GatewayError {
  return new GatewayError('conflict', message('ended_already', { state: status }), { reason: 'wrong_state' });
}

async function describe(id: TaskId, { database, creditsPerUnit }: Operators): Promise<object> {
  const task = await readTaskHistory(database, id);
  if (!task) throw notFound();
  return describeTaskHistory(task, { creditsPerUnit });
}

function idIn({ request }: OperatorCall): TaskId {
  const { id } = request.params;
  if (!isTaskId(id)) throw notFound();
  return id;
}

function notFound(): GatewayError {
  return new GatewayError('not_found', message('task_not_found'));
}
