import type { Clock } from '../clock';
import { type JobStore, resultLink } from '../jobs/job-store';
import { type Asked, aboutAsked, type VendorJob } from '../jobs/vendor-job';
import type { Call, JsonObject, Question } from '../vendor-call/contract';
import type { Operation } from './request';
import type { TaskDetail } from './submit';
import { contentPolicy, internalFault } from './wire';

/** `GET /api/v1/video/{operation}/task/{task_id}`: needs no key. An id of another operation is not known. */
export function createTaskQuery(
  operation: Operation,
  { jobs, clock }: { jobs: JobStore<TaskDetail>; clock: Clock },
): Question<Asked<TaskDetail>> {
  return {
    operation: 'check',
    find(request) {
      const id = String(request.params['id']);
      const task = jobs.find(id);
      return { id, task: task?.detail.operation === operation ? task : undefined };
    },
    about: aboutAsked,
    answer({ id, task }, call) {
      const report = task ? describe(task, { jobs, clock, call }) : { status: 'unknown' };
      const body = { task_id: id, msg: '', code: 200, status: '', data: null, trace_id: call.requestId, ...report };
      return { status: 200, body: call.faults.take('new-status-word') ? { ...body, status: 'reviewing' } : body };
    },
  };
}

function describe(
  task: VendorJob<TaskDetail>,
  { jobs, clock, call }: { jobs: JobStore<TaskDetail>; clock: Clock; call: Call },
): JsonObject {
  switch (jobs.state(task)) {
    case 'queued':
      return { status: clock.now() < (task.submittedAtMs + task.startsAtMs) / 2 ? 'submitted' : 'pending' };
    case 'running':
      return { status: 'running' };
    case 'done':
      return { status: 'success', data: result(task, { jobs, call }) };
    case 'policy':
      return { status: 'failed', ...contentPolicy };
    case 'fault':
    case 'cancelled':
      return { status: 'failed', ...internalFault };
  }
}

function result(
  task: VendorJob<TaskDetail>,
  { jobs, call }: { jobs: JobStore<TaskDetail>; call: Call },
): JsonObject | null {
  const { resolution, credits } = task.detail;
  const facts = { duration: task.video?.seconds ?? 0, resolution, cost_credits: credits };
  if (call.faults.take('empty-result')) return null;
  if (call.faults.take('missing-url')) return facts;
  if (call.faults.take('wrong-type')) return { ...facts, video_url: 42, duration: 'long' };
  return { ...facts, video_url: resultLink(call.request, { jobs, job: task }) };
}
