import { type RedeliveryFilter, redeliveredOf } from '@mediagate/callbacks';
import { ENDED_DELIVERY_STATES, isTaskId, MAX_REDELIVERED } from '@mediagate/contracts';
import type { ChangedRow } from '@mediagate/database';
import type { BodyFields } from './body-fields';
import { nextPage, readCursor } from './page';
import { ACCEPTED_TIME, DAY_MS, readTime } from './query-time';

const LIST = 'redeliveries';
const CURSOR_MAX_CHARACTERS = 200;

/** Reads the fields that select ended callbacks; operators and callers send the same ones. */
export function readRedelivery(fields: BodyFields): RedeliveryFilter {
  const taskIds = fields.list('task_ids', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
  if (taskIds && taskIds.length > MAX_REDELIVERED)
    fields.refuse('invalid_parameter', 'task_ids', 'too_many_items', { limit: MAX_REDELIVERED });
  const state = fields.oneOf('state', ENDED_DELIVERY_STATES);
  return {
    state: taskIds === undefined ? fields.required('state', state) : state,
    taskIds,
    createdFrom: readMoment(fields, 'created_after', 0),
    createdBefore: readMoment(fields, 'created_before', DAY_MS),
    before: readPlace(fields),
    limit: fields.integer('limit', { min: 1, max: MAX_REDELIVERED }) ?? MAX_REDELIVERED,
  };
}

/** Reads a time like one in a query: Unix seconds or a day of UTC. */
function readMoment(fields: BodyFields, name: string, dayMs: number): Date | undefined {
  const given = fields.json(name);
  if (given === undefined) return undefined;
  const time = readTime(String(given), dayMs);
  if (time === undefined) fields.refuse('invalid_parameter', name, ...ACCEPTED_TIME);
  return time;
}

function readPlace(fields: BodyFields): string | undefined {
  const cursor = fields.text('cursor', { maxCharacters: CURSOR_MAX_CHARACTERS });
  if (cursor === undefined) return undefined;
  const place = readCursor(LIST, cursor);
  if (isTaskId(place)) return place;
  fields.refuse('invalid_parameter', 'cursor', 'must_be_cursor');
  return undefined;
}

export function describeRedelivered(row: ChangedRow) {
  const { redelivered, next } = redeliveredOf(row);
  return { redelivered, ...nextPage(LIST, next) };
}
