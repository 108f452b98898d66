import { resultLink } from '../jobs/job-store';
import type { JobState } from '../jobs/vendor-job';
import type { Call, JsonObject } from '../vendor-call/contract';
import { type ElementTask, elementIdOf, type KlingAccount, type VideoTask } from './account';
import { internalFailure, outputRefused } from './wire';

interface Around {
  account: KlingAccount;
  call: Call;
}

/** The words of the older wire; the newer one says `succeeded`. */
const words: Record<JobState, string> = {
  queued: 'submitted',
  running: 'processing',
  done: 'succeed',
  policy: 'failed',
  fault: 'failed',
  cancelled: 'failed',
};

const messages: Record<JobState, string> = {
  queued: '',
  running: '',
  done: '',
  policy: outputRefused,
  fault: internalFailure,
  cancelled: '',
};

/** The answer to the start of any task on the older wire. */
export function legacyStarted(task: VideoTask | ElementTask): JsonObject {
  return legacyFrame(task, 'queued');
}

export function currentStarted(task: VideoTask): JsonObject {
  return currentFrame(task, 'queued');
}

/** A video task as `/v1/videos/…` tells it. */
export function legacyTask(task: VideoTask, { account, call }: Around): JsonObject {
  const state = account.videos.state(task);
  return {
    ...legacyFrame(task, state),
    ...(state === 'done' && {
      task_result: { videos: videosOf(task, { account, call }).map(({ type: _type, ...video }) => video) },
      final_unit_deduction: String(task.detail.units),
    }),
    ...(call.faults.take('new-status-word') && { task_status: 'reviewing' }),
  };
}

/** A task that makes an element, in the same frame. */
export function elementTask(task: ElementTask, { account, call }: Around): JsonObject {
  const state = account.elements.state(task);
  const { name, description } = task.detail;
  if (state !== 'done') return legacyFrame(task, state);
  const made = { element_id: elementIdOf(task), element_name: name, element_description: description };
  const elements = call.faults.take('empty-result') ? [] : [{ ...made, status: 'succeed' }];
  return { ...legacyFrame(task, state), task_result: { elements } };
}

/** A video task as `/tasks` tells it. */
export function currentTask(task: VideoTask, { account, call }: Around): JsonObject {
  const state = account.videos.state(task);
  return {
    ...currentFrame(task, state),
    ...(state === 'done' && {
      outputs: videosOf(task, { account, call }),
      billing: [{ charge_type: 'unit', amount: String(task.detail.units), package_type: 'video' }],
    }),
    ...(call.faults.take('new-status-word') && { status: 'reviewing' }),
  };
}

function currentFrame(task: VideoTask, state: JobState): JsonObject {
  return {
    id: task.id,
    status: state === 'done' ? 'succeeded' : words[state],
    message: messages[state],
    create_time: task.submittedAtMs,
    update_time: updatedAt(task, state),
    ...(task.externalTaskId !== undefined && { external_id: task.externalTaskId }),
  };
}

function legacyFrame(task: VideoTask | ElementTask, state: JobState): JsonObject {
  return {
    task_id: task.id,
    task_status: words[state],
    task_status_msg: messages[state],
    task_info: task.externalTaskId === undefined ? {} : { external_task_id: task.externalTaskId },
    created_at: task.submittedAtMs,
    updated_at: updatedAt(task, state),
  };
}

function updatedAt({ submittedAtMs, startsAtMs, endsAtMs }: VideoTask | ElementTask, state: JobState): number {
  if (state === 'queued' || state === 'cancelled') return submittedAtMs;
  return Math.round(state === 'running' ? startsAtMs : endsAtMs);
}

function videosOf(task: VideoTask, { account, call }: Around): JsonObject[] {
  const { faults, request } = call;
  if (faults.take('empty-result')) return [];
  const url = resultLink(request, { jobs: account.videos, job: task });
  const video = { type: 'video', id: `v-${task.id}`, duration: (task.video?.seconds ?? 0).toFixed(1) };
  if (faults.take('missing-url')) return [video];
  if (faults.take('wrong-type')) return [{ ...video, url: 42, duration: null }];
  return [{ ...video, url, ...(task.detail.marked && { watermark_url: url }) }];
}
