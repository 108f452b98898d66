import { FAMILIES, isTaskId, TASK_STATUSES, type TaskId } from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import { listTasks as readTasks, type TaskQuery } from '@mediagate/tasks';
import type { Api } from '../../../api';
import { sendVersionedJson } from '../../../http/answers/versioned';
import { readMetadataFilter } from '../../../http/fields/metadata-filter';
import { LIMIT, nextPage, readCursor } from '../../../http/fields/page';
import { Query } from '../../../http/fields/query';
import { ACCEPTED_TIME, DAY_MS, readTime } from '../../../http/fields/query-time';
import type { KeyHandler } from '../../../http/route';
import type { OfferedModels } from '../../../offered-models';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../../request-limits';
import { refuseUnknownModel } from '../../../use-cases/choose-model';
import { IDEMPOTENCY_KEY_PATTERN } from '../../../use-cases/idempotency';
import { describeTask } from './get-task';
import { readIncluded, readInclusions } from './include';

const LIST = 'tasks';
/** An input may have a quarter of a megabyte. */
const LIMIT_WITH_PARTS = { ...LIMIT, max: 20 };
const MODEL_MAX_CHARACTERS = 128;
/** The states of deliveries that each value of `callback` selects. */
const CALLBACK_STATES: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending'],
  delivered: ['delivered'],
  rejected: ['rejected'],
  exhausted: ['exhausted'],
  dropped: ['dropped'],
  failed: ['rejected', 'exhausted', 'dropped'],
};

/** GET /v1/tasks: those that the key sees, the newest first. */
export const listTasks: KeyHandler = async (call, api) => {
  const { request, caller } = call;
  const query = new Query(request);
  const language = query.text('language');
  const inclusions = readInclusions(query);
  const limit = query.integer('limit', inclusions.length === 0 ? LIMIT : LIMIT_WITH_PARTS);
  const wanted = readFilters(query, api);
  query.end();
  const { rows, next } = await readTasks(api.database, {
    accountId: caller.accountId,
    ownKeyId: caller.ownKeyId,
    limit,
    ...wanted,
  });
  if (rows.length === 0 && next === undefined) refuseUnknownModel(wanted, api);
  const included = await readIncluded(caller, rows, { inclusions, api });
  const records = await Promise.all(rows.map((row) => describeTask(row, language, api)));
  const data = records.map((record, index) => ({ ...record, ...included[index] }));
  sendVersionedJson(call, {
    code: 200,
    data,
    ...nextPage(LIST, next),
  });
};

function readFilters(query: Query, { models }: Pick<Api, 'models'>): Omit<TaskQuery, keyof Visibility | 'limit'> {
  return {
    before: query.parsed('cursor', readPlace, 'must_be_cursor'),
    status: query.oneOf('status', TASK_STATUSES) ?? null,
    family: query.oneOf('family', FAMILIES) ?? null,
    model:
      query.parsed('model', (text) => readModel(text, models()), 'too_many_characters', {
        limit: MODEL_MAX_CHARACTERS,
      }) ?? null,
    createdFrom: query.parsed('created_after', (text) => readTime(text, 0), ...ACCEPTED_TIME) ?? null,
    createdBefore: query.parsed('created_before', (text) => readTime(text, DAY_MS), ...ACCEPTED_TIME) ?? null,
    idempotencyKey: query.parsed('idempotency_key', readKey, 'must_be_visible_ascii', {
      limit: IDEMPOTENCY_KEY_MAX_CHARACTERS,
    }),
    parentTaskId: query.parsed('parent_task_id', readTaskId, 'must_be_task_id') ?? null,
    metadata: readMetadataFilter(query),
    callbackStates: CALLBACK_STATES[query.oneOf('callback', Object.keys(CALLBACK_STATES)) ?? ''] ?? null,
  };
}

function readPlace(cursor: string): string | undefined {
  const place = readCursor(LIST, cursor);
  return isTaskId(place) ? place : undefined;
}

function readKey(text: string): string | undefined {
  return IDEMPOTENCY_KEY_PATTERN.test(text) ? text : undefined;
}

function readTaskId(text: string): TaskId | undefined {
  return isTaskId(text) ? text : undefined;
}

/** The id of a model that is called by an alias, or in other letters; one that is no longer offered may still have tasks. */
function readModel(text: string, models: OfferedModels): string | undefined {
  if (text.length > MODEL_MAX_CHARACTERS || text.includes('\0')) return undefined;
  return models.find(text)?.entry.id ?? text;
}
