import {
  GatewayError,
  isJsonObject,
  isTaskId,
  type JsonObject,
  message,
  type RecordOptions,
  type TaskStatus,
  toTaskRecord,
} from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import { readTaskInputs, type TaskInput, type TaskRow } from '@mediagate/tasks';
import type { Api } from '../../../api';
import { readJsonObject } from '../../../http/body/json-body';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { BATCH_MAX_TASKS } from '../../../request-limits';
import { invalid, missing } from '../../../use-cases/invalid';
import { finalPrompt, imgtoolExtras, UNKNOWN_INPUT, videoUrls } from '../imgtool/imgtool-task';
import { readOwnTask } from '../tasks/get-task';

const STATUSES: Readonly<Record<TaskStatus, string>> = {
  submitted: 'NOT_START',
  pending: 'SUBMITTED',
  processing: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
};

/** GET /{prefix}/task/{id}/fetch: the task in the words of the older interface. */
export const legacyFetchTask: KeyHandler = async ({ request, response, caller }, api) => {
  const [task] = await readLegacyTasks([String(request.params['id'])], caller, api);
  if (!task) throw new GatewayError('not_found', message('task_not_found'));
  sendJson(response, 200, task);
};

/** POST /{prefix}/task/list-by-condition: those of `ids` that there are, in that order. */
export const legacyListTasks: KeyHandler = async (call, api) => {
  const { ids } = await readJsonObject(call);
  if (!Array.isArray(ids) || ids.length > BATCH_MAX_TASKS || !ids.every((id) => typeof id === 'string')) {
    throw (ids === undefined ? missing : invalid)('ids', 'task_ids_expected_at_most', { limit: BATCH_MAX_TASKS });
  }
  sendJson(call.response, 200, await readLegacyTasks(ids, call.caller, api));
};

async function readLegacyTasks(
  ids: readonly string[],
  caller: Visibility,
  { tasks, database, creditsPerUnit }: Api,
): Promise<object[]> {
  const found = await Promise.all(ids.filter(isTaskId).map((id) => readOwnTask(tasks, id, caller)));
  const rows = found.filter((row) => row?.kind === 'imgtool') as TaskRow[];
  if (rows.length === 0) return [];
  const inputs = await readTaskInputs(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toLegacyTask(row, inputs.get(row.id) ?? UNKNOWN_INPUT, { creditsPerUnit }));
}

function toLegacyTask(row: TaskRow, task: TaskInput, options: RecordOptions): object {
  const extras = imgtoolExtras(row, task);
  const { action, prompt, buttons, grid_image_url, image_urls, description, fail_reason } = extras;
  const { metadata } = task.input;
  const videos = videoUrls(row);
  return {
    id: row.id,
    action: action.toUpperCase(),
    status: extras.awaits_modal ? 'MODAL' : STATUSES[row.status],
    progress: `${row.progress}%`,
    // The prompts that were read off an image are what its task was for.
    prompt: prompt || description,
    promptEn: prompt || description,
    description,
    failReason: fail_reason,
    state: isJsonObject(metadata) && typeof metadata['state'] === 'string' ? metadata['state'] : '',
    submitTime: row.createdAt.getTime(),
    startTime: row.startedAt?.getTime() ?? null,
    finishTime: row.completedAt?.getTime() ?? null,
    imageUrl: grid_image_url || (image_urls.find((url) => url !== '') ?? (description && describedImage(task))),
    imageUrls: image_urls.map((url) => ({ url })),
    videoUrl: videos[0] ?? '',
    videoUrls: videos.map((url) => ({ url })),
    buttons: buttons.map(({ custom_id, label }) => ({ customId: custom_id, label, emoji: '', type: 2, style: 2 })),
    properties: { finalPrompt: description || finalPrompt(row) || prompt, ...fieldsOfRecord(row, options) },
  };
}

function describedImage({ input: { image_urls: images } }: TaskInput): string {
  return Array.isArray(images) && typeof images[0] === 'string' ? images[0] : '';
}

/** Fields of the record that the older interface has no field for. */
function fieldsOfRecord(row: TaskRow, options: RecordOptions): JsonObject {
  const { cost, credits_cost, reserved, error, next_action } = toTaskRecord(row, options);
  const { reason, param } = error ?? {};
  return {
    cost,
    credits_cost,
    reserved,
    ...(next_action === undefined ? {} : { next_action: { ...next_action } }),
    ...(reason === undefined ? {} : { reason }),
    ...(param === undefined || param === '' ? {} : { param }),
  };
}
