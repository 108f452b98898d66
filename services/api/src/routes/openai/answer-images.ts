import { GatewayError, isJsonObject, type JsonObject, message } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { Api } from '../../api';
import type { Call } from '../../http/exchange';
import { sendJson } from '../../http/exchange';
import { IMAGES_WAIT_MS } from '../../request-limits';
import type { Acknowledgement } from '../../use-cases/submit-task';
import { wordsOf } from '../acknowledge';
import { waitForEnd } from '../tasks/wait-for-end';
import type { ImageFormat } from './client-options';
import { sendFiles } from './send-files';
import { taskFailure } from './task-failure';

interface Waited {
  accepted: Acknowledgement;
  format: ImageFormat;
}

/**
 * Waits for the task, in a slot that the caller has taken, and answers with its images. The task goes on whatever becomes of its caller.
 *
 * @throws GatewayError: why the task failed, `still_running`, `gone`. CallerLeftError.
 */
export async function answerImages(call: Call, { accepted, format }: Waited, api: Api): Promise<void> {
  const { response } = call;
  response.setHeader('X-Task-Id', accepted.taskId);
  if (accepted.replayed) response.setHeader('Idempotency-Replayed', 'true');
  // A client that sends the request again by itself would pay for a second task.
  response.setHeader('X-Should-Retry', 'false');
  const row = await readEnd(call, accepted.taskId, api);
  if (row.status === 'failed') throw taskFailure(row);
  if (row.status !== 'completed') throw stillRunning(row);
  const urls = imageUrls(row.result);
  const fields = answerFields(row, wordsOf(accepted.warnings, response));
  if (format === 'b64_json') await sendFiles(response, { urls, fields }, api.mediaStore);
  else sendJson(response, 200, { ...fields, data: urls.map((url) => ({ url })) });
}

async function readEnd(call: Call, taskId: string, api: Api): Promise<TaskRow> {
  const row = await api.tasks.read(taskId);
  if (row === undefined) throw new Error(`task ${taskId} was booked and cannot be read`);
  return waitForEnd(call, { row, timeoutMs: IMAGES_WAIT_MS }, api);
}

function stillRunning({ id }: TaskRow): GatewayError {
  const about = message('task_still_running', { task: id, path: `/v1/tasks/${id}` });
  return new GatewayError('still_running', about, { taskId: id });
}

function imageUrls(result: JsonObject | null): string[] {
  const images = result?.['images'];
  if (!Array.isArray(images)) return [];
  return images.filter(isJsonObject).flatMap(({ url }) => (Array.isArray(url) ? (url as string[]) : []));
}

/** These clients read what the input was; where a vendor does not count it apart it was text. */
function withDetails({ input_tokens_details: counted, ...usage }: JsonObject): JsonObject {
  return { ...usage, input_tokens_details: counted ?? { text_tokens: usage['input_tokens'] ?? 0, image_tokens: 0 } };
}

function answerFields({ createdAt, usage }: TaskRow, warnings: readonly string[]): JsonObject {
  return {
    created: Math.floor(createdAt.getTime() / 1000),
    ...(usage === null ? {} : { usage: withDetails(usage) }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
