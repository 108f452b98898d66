import { GatewayError, isTaskId, isTerminal, message, type TaskRecord, toTaskRecord } from '@mediagate/contracts';
import { sees, type Visibility } from '@mediagate/database';
import { type Messages, translateError } from '@mediagate/languages';
import { type ReadRow, type TaskRow, toCallbackRecord } from '@mediagate/tasks';
import type { Call } from '../../http/exchange';
import { Query } from '../../http/query';
import { sendVersioned, type VersionedText, versionOf } from '../../http/versioned';
import type { EndedRecords } from './ended-records';
import { type IncludeDeps, readIncluded, readInclusions } from './include';
import type { Inclusion } from './included-parts';
import { readWaitMs, takeWaitSlot, type WaitDeps, waitForEnd } from './wait-for-end';

export interface TaskReaderDeps {
  readTask(id: string): Promise<ReadRow | undefined>;
  creditsPerUnit: number;
  messages: Messages;
}

export interface GetTaskDeps extends TaskReaderDeps, IncludeDeps, WaitDeps {
  endedRecords: Pick<EndedRecords, 'find' | 'keep'>;
}

/** GET /v1/tasks/{id}. A task that the caller does not see and one that never was read the same. */
export function createGetTask(deps: GetTaskDeps): (call: Call) => Promise<void> | void {
  return (call) => {
    const kept = isPlain(call) ? deps.endedRecords.find(String(call.request.params['id']), call.caller) : undefined;
    if (kept !== undefined) return sendVersioned(call, kept);
    return readAnswer(call, deps).then((answer) => sendVersioned(call, answer));
  };
}

/** Asks for the record as it is, and for nothing else. */
function isPlain({ request }: Call): boolean {
  return !request.url.includes('?');
}

async function readAnswer(call: Call, deps: GetTaskDeps): Promise<VersionedText> {
  const { request, caller } = call;
  const inclusions = readInclude(request);
  const timeoutMs = readWaitMs(request);
  const found = await readOwnTask(deps.readTask, String(request.params['id']), caller);
  if (!found) throw new GatewayError('not_found', message('task_not_found'));
  const isAwaited = timeoutMs > 0 && !isTerminal(found.status);
  const row = isAwaited ? await waitInSlot(call, { row: found, timeoutMs }, deps) : found;
  const record = await describeTask(row, request.query['language'], deps);
  const [included] = inclusions.length === 0 ? [] : await readIncluded(caller, [row], { inclusions, deps });
  const data = included === undefined ? record : { ...record, ...included };
  const answer = versionOf(JSON.stringify({ code: 200, data }));
  if (isPlain(call)) deps.endedRecords.keep(found, answer);
  return answer;
}

/** @throws GatewayError `invalid_request`, naming `include`. */
function readInclude(request: Call['request']): readonly Inclusion[] {
  const query = new Query({ query: { include: request.query['include'] } });
  const inclusions = readInclusions(query);
  query.end();
  return inclusions;
}

function waitInSlot(call: Call, wait: { row: TaskRow; timeoutMs: number }, deps: WaitDeps): Promise<TaskRow> {
  const leave = takeWaitSlot(deps.waitSlots, call.caller);
  return waitForEnd(call, wait, deps).finally(leave);
}

/** The task's record as polls show it; why it failed is in the language asked for, if that is one of ours. */
export function describeTask(
  row: TaskRow,
  language: unknown,
  { creditsPerUnit, messages }: Pick<TaskReaderDeps, 'creditsPerUnit' | 'messages'>,
): Promise<TaskRecord> {
  const record = toTaskRecord(row, { creditsPerUnit });
  const callback = toCallbackRecord(row);
  if (callback !== undefined) record.callback = callback;
  return translateError(record, row.error, { language, messages });
}

/** The task, if the caller sees it. */
export async function readOwnTask(
  readTask: TaskReaderDeps['readTask'],
  id: string,
  caller: Visibility,
): Promise<ReadRow | undefined> {
  if (!isTaskId(id)) return undefined;
  const row = await readTask(id);
  return row !== undefined && sees(caller, row) ? row : undefined;
}
