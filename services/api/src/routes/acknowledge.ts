import { GatewayError, isTerminal, type Message } from '@mediagate/contracts';
import { say } from '@mediagate/languages';
import type { TaskRow } from '@mediagate/tasks';
import type { Response } from 'express';
import { answerLanguage } from '../http/answer-language';
import { type Call, sendJson, sendJsonText } from '../http/exchange';
import type { Acknowledgement } from '../use-cases/submit-task';
import { describeTask, type TaskReaderDeps } from './tasks/get-task';
import { preferredWaitMs, type WaitDeps, waitForEnd } from './tasks/wait-for-end';

export interface AnswerSubmissionDeps extends WaitDeps, Pick<TaskReaderDeps, 'creditsPerUnit' | 'messages'> {}

/** The record of the task, where the caller prefers to wait and it ends in time; else the acknowledgement. */
export async function answerSubmission(
  call: Call,
  accepted: Acknowledgement,
  deps: AnswerSubmissionDeps,
): Promise<void> {
  const { request, response } = call;
  const timeoutMs = preferredWaitMs(request);
  const row = timeoutMs === 0 ? undefined : await waitIfPossible(call, { id: accepted.taskId, timeoutMs }, deps);
  if (row === undefined || !isTerminal(row.status)) return acknowledge(response, accepted);
  describeAcceptance(response, accepted);
  response.setHeader('Preference-Applied', 'wait');
  const record = await describeTask(row, request.query['language'], deps);
  const { warnings } = accepted;
  const warned = warnings.length > 0 ? { warnings: wordsOf(warnings, response) } : {};
  sendJson(response, 200, { code: 200, data: { ...record, ...warned } });
}

/** Undefined: too many wait already. The task is booked, so that this is no error: a preference may be passed over. */
async function waitIfPossible(
  call: Call,
  wait: { id: string; timeoutMs: number },
  deps: WaitDeps,
): Promise<TaskRow | undefined> {
  try {
    return await waitForEnd(call, wait, deps);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
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

/** What was ignored or changed, in the caller's language. */
export function wordsOf(warnings: readonly Message[], response: Response): string[] {
  const language = answerLanguage(response);
  return warnings.map((warning) => say(warning, language));
}
