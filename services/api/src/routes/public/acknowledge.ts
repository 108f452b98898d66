import { isTerminal, type Message } from '@mediagate/contracts';
import { DatabaseUnavailableError } from '@mediagate/database';
import { say } from '@mediagate/languages';
import type { TaskRow } from '@mediagate/tasks';
import type { Response } from 'express';
import type { Api } from '../../api';
import { answerLanguage } from '../../http/answers/answer-language';
import { type Call, sendJson, sendJsonText } from '../../http/exchange';
import { isStrict, requireNothingIgnored } from '../../use-cases/strict';
import type { Acknowledgement } from '../../use-cases/submit-task';
import { describeTask } from './tasks/get-task';
import { cancelIfLeft, readPreferredWait, type Waiting, waitForEnd } from './tasks/wait-for-end';

type AnsweringApi = Waiting & Pick<Api, 'creditsPerUnit' | 'messages'>;

/**
 * The record of the task, where the caller prefers to wait and it ends in time; else the acknowledgement. Whether there is a
 * slot to wait in is known before anything is booked; without one the preference is passed over.
 *
 * @throws GatewayError `invalid_request`: a strict caller's preference cannot be met.
 */
export async function answerSubmission(
  call: Call,
  submit: () => Promise<Acknowledgement>,
  api: AnsweringApi,
): Promise<void> {
  const { request, response, caller } = call;
  const { timeoutMs, ignored } = readPreferredWait(request);
  if (ignored.length > 0) {
    if (isStrict(request)) requireNothingIgnored(ignored, []);
    const accepted = await submit();
    return acknowledge(response, { ...accepted, warnings: [...ignored, ...accepted.warnings] });
  }
  const slot = timeoutMs === 0 ? undefined : api.waitSlots.tryTake({ owner: caller });
  if (slot === undefined) return acknowledge(response, await submit());
  try {
    const accepted = await submit();
    const row = await waitIfPossible(call, { id: accepted.taskId, timeoutMs }, api).catch((error: unknown) =>
      cancelIfLeft(call, { error, accepted }, api),
    );
    if (row === undefined || !isTerminal(row.status)) acknowledge(response, accepted);
    else await sendRecord(call, { row, accepted }, api);
  } finally {
    slot.release();
  }
}

/** Waits for the task; undefined: the database is away, which is no error, because the task is booked. */
async function waitIfPossible(
  call: Call,
  { id, timeoutMs }: { id: string; timeoutMs: number },
  api: Waiting,
): Promise<TaskRow | undefined> {
  try {
    const row = await api.tasks.database.readTask(id);
    return row && (await waitForEnd(call, { row, timeoutMs }, api));
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return undefined;
    throw error;
  }
}

async function sendRecord(
  { request, response }: Call,
  { row, accepted }: { row: TaskRow; accepted: Acknowledgement },
  api: AnsweringApi,
): Promise<void> {
  describeAcceptance(response, accepted);
  response.setHeader('Preference-Applied', 'wait');
  const record = await describeTask(row, request.query['language'], api);
  const { warnings } = accepted;
  const warned = warnings.length > 0 ? { warnings: wordsOf(warnings, response) } : {};
  sendJson(response, 200, { code: 200, data: { ...record, ...warned } });
}

/** The answer of every asynchronous submission. */
function acknowledge(response: Response, accepted: Acknowledgement): void {
  const { taskId, warnings } = accepted;
  describeAcceptance(response, accepted);
  // A task id needs no escaping, so the usual answer is put together without a serialiser.
  const extra = warnings.length > 0 ? `,"warnings":${JSON.stringify(wordsOf(warnings, response))}` : '';
  sendJsonText(response, 200, `{"code":200,"data":[{"status":"submitted","task_id":"${taskId}"${extra}}]}`);
}

function describeAcceptance(response: Response, { taskId, replayed }: Acknowledgement): void {
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
}

/** Warnings of what was ignored or changed, in the caller's language. */
export function wordsOf(warnings: readonly Message[], response: Response): string[] {
  const language = answerLanguage(response);
  return warnings.map((warning) => say(warning, language));
}
