import { GatewayError, isTaskId, isTerminal, message, type TaskRecord, toTaskRecord } from '@mediagate/contracts';
import { sees, type Visibility } from '@mediagate/database';
import { translateError } from '@mediagate/languages';
import { type ReadRow, type TaskRow, type Tasks, toCallbackRecord } from '@mediagate/tasks';
import type { Api } from '../../../api';
import { sendVersioned, type VersionedText, versionOf } from '../../../http/answers/versioned';
import type { Call } from '../../../http/exchange';
import { Query } from '../../../http/fields/query';
import type { KeyHandler } from '../../../http/route';
import { readIncluded, readInclusions } from './include';
import type { Inclusion } from './included-parts';
import { readWaitMs, takeWaitSlot, type Waiting, waitForEnd } from './wait-for-end';

/** GET /v1/tasks/{id}. A task that the caller does not see and one that never was read the same. */
export const getTask: KeyHandler = (call, api) => {
  const kept = isPlain(call) ? api.endedRecords.find(String(call.request.params['id']), call.caller) : undefined;
  if (kept !== undefined) return sendVersioned(call, kept);
  return readAnswer(call, api).then((answer) => sendVersioned(call, answer));
};

/** Asks for the record as it is, and for nothing else. */
function isPlain({ request }: Call): boolean {
  return !request.url.includes('?');
}

async function readAnswer(call: Call, api: Api): Promise<VersionedText> {
  const { request, caller } = call;
  const inclusions = readInclude(request);
  const timeoutMs = readWaitMs(request);
  const found = await readOwnTask(api.tasks, String(request.params['id']), caller);
  if (!found) throw new GatewayError('not_found', message('task_not_found'));
  const isAwaited = timeoutMs > 0 && !isTerminal(found.status);
  const row = isAwaited ? await waitInSlot(call, { row: found, timeoutMs }, api) : found;
  const record = await describeTask(row, request.query['language'], api);
  const [included] = inclusions.length === 0 ? [] : await readIncluded(caller, [row], { inclusions, api });
  const data = included === undefined ? record : { ...record, ...included };
  const answer = versionOf(JSON.stringify({ code: 200, data }));
  if (isPlain(call)) api.endedRecords.keep(found, answer);
  return answer;
}

/** @throws GatewayError `invalid_request`, naming `include`. */
function readInclude(request: Call['request']): readonly Inclusion[] {
  const query = new Query({ query: { include: request.query['include'] } });
  const inclusions = readInclusions(query);
  query.end();
  return inclusions;
}

function waitInSlot(call: Call, wait: { row: TaskRow; timeoutMs: number }, api: Waiting): Promise<TaskRow> {
  const leave = takeWaitSlot(api.waitSlots, call.caller);
  return waitForEnd(call, wait, api).finally(leave);
}

/** The task's record as polls show it; why it failed is in the language asked for, if that is one of ours. */
export function describeTask(
  row: TaskRow,
  language: unknown,
  { creditsPerUnit, messages }: Pick<Api, 'creditsPerUnit' | 'messages'>,
): Promise<TaskRecord> {
  const record = toTaskRecord(row, { creditsPerUnit });
  const callback = toCallbackRecord(row);
  if (callback !== undefined) record.callback = callback;
  return translateError(record, row.error, { language, messages });
}

/** The task, if the caller sees it. */
export async function readOwnTask(
  tasks: Pick<Tasks, 'database'>,
  id: string,
  caller: Visibility,
): Promise<ReadRow | undefined> {
  if (!isTaskId(id)) return undefined;
  const row = await tasks.database.readTask(id);
  return row !== undefined && sees(caller, row) ? row : undefined;
}
