import type { Request } from 'express';
import type { Clock } from '../clock';
import { type JobStore, resultLink } from '../jobs/job-store';
import { aboutJob, type VendorJob } from '../jobs/vendor-job';
import type { VideoStudio } from '../media/video/video-studio';
import type { Call, JsonObject, Question } from '../vendor-call/contract';
import { invalidParams, success, verdict } from './wire';

type Task = VendorJob<undefined>;

/** `GET /v1/query/video_generation?task_id=`. */
export function createTaskQuery(jobs: JobStore<undefined>, clock: Clock): Question<Task> {
  return {
    operation: 'check',
    find(request) {
      const task = jobs.find(queried(request, 'task_id'));
      if (!task) throw invalidParams('task_id does not exist');
      return task;
    },
    about: aboutJob,
    answer: (task, call) => ({ status: 200, body: describeTask(task, { jobs, clock, call }) }),
  };
}

/** `GET /v1/files/retrieve?file_id=`: the answer has the length, so the video is made here at the latest. */
export function createFileRetrieval(jobs: JobStore<undefined>, studio: VideoStudio): Question<Task> {
  return {
    operation: 'check',
    find(request) {
      const task = jobs.find(taskOfFile(queried(request, 'file_id')));
      if (!task || jobs.state(task) !== 'done') throw invalidParams('file_id does not exist');
      return task;
    },
    about: aboutJob,
    async answer(task, call) {
      if (!task.video) throw new Error('a video task without a video');
      const { lengthBytes } = await studio.video(task.video);
      const file = {
        file_id: fileOfTask(task.id),
        bytes: lengthBytes,
        created_at: Math.floor(task.endsAtMs / 1_000),
        filename: 'output.mp4',
        purpose: 'video_generation',
        download_url: resultLink(call.request, { jobs, job: task }),
      };
      return { status: 200, body: { file: spoilFile(file, call), base_resp: success } };
    },
  };
}

/** The vendor names a video and its task apart. */
function fileOfTask(taskId: string): string {
  return `9${taskId}`;
}

function taskOfFile(fileId: string): string {
  return fileId.startsWith('9') ? fileId.slice(1) : '';
}

function queried(request: Request, name: string): string {
  const value = request.query[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidParams(`${name} is required`);
}

function describeTask(
  task: Task,
  { jobs, clock, call }: { jobs: JobStore<undefined>; clock: Clock; call: Call },
): JsonObject {
  const { faults } = call;
  if (faults.take('new-status-word')) return { task_id: task.id, status: 'Reviewing', file_id: '', base_resp: success };
  const state = jobs.state(task);
  const open = (status: string) => ({ task_id: task.id, status, file_id: '', base_resp: success });
  switch (state) {
    case 'queued':
      return open(isFresh(task, clock.now()) ? 'Preparing' : 'Queueing');
    case 'running':
      return open('Processing');
    case 'done':
      return spoilResult(task, call);
    case 'policy':
      return { ...open('Fail'), base_resp: verdict(1027, 'output new_sensitive') };
    case 'fault':
    case 'cancelled':
      return { ...open('Fail'), base_resp: verdict(1000, 'unknown error') };
  }
}

function isFresh({ submittedAtMs, startsAtMs }: Task, nowMs: number): boolean {
  return nowMs < (submittedAtMs + startsAtMs) / 2;
}

function spoilResult(task: Task, { faults }: Call): JsonObject {
  const body = {
    task_id: task.id,
    status: 'Success',
    file_id: fileOfTask(task.id),
    video_width: task.video?.width ?? 0,
    video_height: task.video?.height ?? 0,
    base_resp: success,
  };
  if (faults.take('empty-result')) return { ...body, file_id: '' };
  if (faults.take('wrong-type')) return { ...body, file_id: { id: fileOfTask(task.id) } };
  return body;
}

function spoilFile(file: JsonObject, { faults }: Call): JsonObject {
  const { download_url: _link, ...rest } = file;
  return faults.take('missing-url') ? rest : file;
}
