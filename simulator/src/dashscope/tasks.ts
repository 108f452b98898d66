import type { Request } from 'express';
import { type JobStore, QUEUED, resultLink } from '../jobs/job-store';
import { type Asked, aboutAsked, type JobState, type VendorJob } from '../jobs/vendor-job';
import { type Call, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import type { TaskDetail } from './video-synthesis';
import { dashscopeError, inspectionFailed, internalError } from './wire';

type Task = VendorJob<TaskDetail>;

const words: Record<JobState, string> = {
  queued: 'PENDING',
  running: 'RUNNING',
  done: 'SUCCEEDED',
  policy: 'FAILED',
  fault: 'FAILED',
  cancelled: 'CANCELED',
};

/** `GET /api/v1/tasks/{id}`: an id that is too old or was never there is a task in state UNKNOWN. */
export function createTaskQuery(jobs: JobStore<TaskDetail>): Question<Asked<TaskDetail>> {
  return {
    operation: 'check',
    find: (request) => findTask(request, jobs),
    about: aboutAsked,
    answer: ({ id, task }, call) => {
      const output = task ? describeTask(task, { jobs, call }) : { task_id: id, task_status: 'UNKNOWN' };
      return { status: 200, body: { request_id: call.requestId, ...spoil(output, task, call) } };
    },
  };
}

/** `POST /api/v1/tasks/{id}/cancel`: only while the task waits. */
export function createTaskCancel(jobs: JobStore<TaskDetail>): Question<Asked<TaskDetail>> {
  return {
    operation: 'cancel',
    find: (request) => findTask(request, jobs),
    about: aboutAsked,
    answer({ task }, { requestId }) {
      if (task && jobs.cancel(task, QUEUED)) return { status: 200, body: { request_id: requestId } };
      const message = 'Failed to cancel the task, please confirm if the task is in PENDING status.';
      throw new Refusal(dashscopeError(400, { code: 'UnsupportedOperation', message }, requestId));
    },
  };
}

function findTask(request: Request, jobs: JobStore<TaskDetail>): Asked<TaskDetail> {
  const id = String(request.params['id']);
  return { id, task: jobs.find(id) };
}

function describeTask(task: Task, { jobs, call }: { jobs: JobStore<TaskDetail>; call: Call }): JsonObject {
  const state = jobs.state(task);
  const begun = state !== 'queued' && state !== 'cancelled';
  const over = begun && state !== 'running';
  return {
    task_id: task.id,
    task_status: words[state],
    submit_time: localTime(task.submittedAtMs),
    ...(begun && { scheduled_time: localTime(task.startsAtMs) }),
    ...(over && { end_time: localTime(task.endsAtMs) }),
    ...(state === 'done' && {
      orig_prompt: task.prompt,
      actual_prompt: task.prompt,
      video_url: resultLink(call.request, { jobs, job: task }),
    }),
    ...(state === 'policy' && inspectionFailed('Output')),
    ...(state === 'fault' && internalError),
  };
}

function spoil(output: JsonObject, task: Task | undefined, { faults }: Call): JsonObject {
  if (faults.take('new-status-word')) return { output: { ...output, task_status: 'REVIEWING' } };
  if (!task || output['task_status'] !== 'SUCCEEDED') return { output };
  if (faults.take('wrong-type')) return { output: { ...output, video_url: 42 }, usage: 'none' };
  if (faults.take('empty-result')) return { output: { ...output, video_url: '' }, usage: task.detail };
  const { video_url: _link, ...rest } = output;
  return { output: faults.take('missing-url') ? rest : output, usage: task.detail };
}

const VENDOR_OFFSET_MS = 8 * 60 * 60 * 1_000;

/** `2026-09-01 12:00:00.000`, in the vendor's own time zone. */
function localTime(ms: number): string {
  return new Date(ms + VENDOR_OFFSET_MS).toISOString().replace('T', ' ').replace('Z', '');
}
