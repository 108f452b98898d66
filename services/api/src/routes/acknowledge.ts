import type { Message } from '@mediagate/contracts';
import { say } from '@mediagate/languages';
import type { Response } from 'express';
import { answerLanguage } from '../http/answer-language';
import { sendJsonText } from '../http/exchange';
import type { Acknowledgement } from '../use-cases/submit-task';

/** The answer of every asynchronous submission. */
export function acknowledge(response: Response, { taskId, warnings, replayed }: Acknowledgement): void {
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  // A task id needs no escaping, so the usual answer is put together without a serialiser.
  const extra = warnings.length > 0 ? `,"warnings":${JSON.stringify(wordsOf(warnings, response))}` : '';
  sendJsonText(response, 200, `{"code":200,"data":[{"status":"submitted","task_id":"${taskId}"${extra}}]}`);
}

/** What was ignored or changed, in the caller's language. */
export function wordsOf(warnings: readonly Message[], response: Response): string[] {
  const language = answerLanguage(response);
  return warnings.map((warning) => say(warning, language));
}
