import { GatewayError, isJsonObject, type JsonObject, message } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { Api } from '../../../api';
import { breakSilence } from '../../../http/answers/event-comments';
import { type Call, sendJson } from '../../../http/exchange';
import { IMAGES_WAIT_MS } from '../../../request-limits';
import type { Acknowledgement } from '../../../use-cases/submit-task';
import { failureIn, taskFailure } from '../../../use-cases/task-failure';
import { wordsOf } from '../acknowledge';
import { cancelIfLeft, waitForEnd } from '../tasks/wait-for-end';
import type { ImageFormat } from './client-options';
import { type FileFrame, sendFiles } from './send-files';

/** The first word of the events in which images come. */
export type ImageKind = 'image_generation' | 'image_edit';

export interface Waited {
  kind: ImageKind;
  accepted: Acknowledgement;
  format: ImageFormat;
  stream: boolean;
}

/**
 * Waits for the task, in a slot that the caller has taken, and answers with its images. The task goes on whatever becomes of its caller, unless that prefers otherwise.
 *
 * @throws GatewayError: why the task failed, `still_running`, `gone`. CallerLeftError.
 */
export async function answerImages(call: Call, waited: Waited, api: Api): Promise<void> {
  const { accepted, format, stream, kind } = waited;
  const { response } = call;
  const endComments = stream ? breakSilence(call, api.silenceMs) : undefined;
  const { row, urls } = await waitForImages(call, accepted, api);
  endComments?.();
  const fields = answerFields(row, wordsOf(accepted.warnings, response));
  if (format === 'url') return sendJson(response, 200, { ...fields, data: urls.map((url) => ({ url })) });
  const frame = stream
    ? eventFrame(`${kind}.completed`, { ...fields, ...askedFields(accepted) }, urls.length)
    : jsonFrame(fields);
  await sendFiles(response, urls, { frame, store: api.mediaStore });
}

/**
 * The task and the links of its images, once it is completed. Whatever is answered names the task.
 *
 * @throws GatewayError: why the task failed, `still_running`. CallerLeftError.
 */
export async function waitForImages(
  call: Call,
  { taskId, replayed }: Pick<Acknowledgement, 'taskId' | 'replayed'>,
  api: Api,
): Promise<{ row: TaskRow; urls: string[] }> {
  const { response } = call;
  response.setHeader('X-Task-Id', taskId);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  // A client that sends the request again by itself would pay for a second task.
  response.setHeader('X-Should-Retry', 'false');
  const accepted = { taskId, replayed };
  const row = await readEnd(call, taskId, api).catch((error: unknown) => cancelIfLeft(call, { error, accepted }, api));
  if (row.status === 'failed') throw taskFailure(failureIn(row), { taskId: row.id });
  if (row.status !== 'completed') throw stillRunning(row);
  return { row, urls: imageUrls(row.result) };
}

function jsonFrame(fields: JsonObject): FileFrame {
  return {
    contentType: 'application/json; charset=utf-8',
    open: `${JSON.stringify(fields).slice(0, -1)},"data":[`,
    around: (_file, index) => [index === 0 ? '{"b64_json":"' : ',{"b64_json":"', '"}'],
    close: ']}',
  };
}

/** An event a file; the last has the usage. */
function eventFrame(type: string, { usage, created, ...others }: JsonObject, count: number): FileFrame {
  return {
    contentType: 'text/event-stream',
    open: '',
    around(_file, index) {
      const event = { type, created_at: created, ...others, ...(index === count - 1 ? { usage } : {}) };
      return [`event: ${type}\ndata: ${JSON.stringify(event).slice(0, -1)},"b64_json":"`, '"}\n\n'];
    },
    close: '',
  };
}

async function readEnd(call: Call, taskId: string, api: Api): Promise<TaskRow> {
  const row = await api.tasks.database.readTask(taskId);
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

/** The look that was asked for, which events repeat; of a repetition it is not known. */
function askedFields({ begun }: Acknowledgement): JsonObject {
  const names = ['background', 'output_format', 'quality', 'size'];
  return Object.fromEntries(Object.entries(begun?.input ?? {}).filter(([name]) => names.includes(name)));
}

function answerFields({ createdAt, usage }: TaskRow, warnings: readonly string[]): JsonObject {
  return {
    created: Math.floor(createdAt.getTime() / 1000),
    ...(usage === null ? {} : { usage: withDetails(usage) }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}
