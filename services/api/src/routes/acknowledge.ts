import type { Response } from 'express';
import { sendJsonText } from '../http/exchange';
import type { Acknowledgement } from '../use-cases/submit-task';

/** The answer of every asynchronous submission. */
export function acknowledge(response: Response, { taskId, warnings, replayed }: Acknowledgement): void {
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  // A task id needs no escaping, so the usual answer is put together without a serialiser.
  const extra = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : '';
  sendJsonText(response, 200, `{"code":200,"data":[{"status":"submitted","task_id":"${taskId}"${extra}}]}`);
}
