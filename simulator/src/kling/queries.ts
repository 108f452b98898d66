import { aboutJob } from '../jobs/vendor-job';
import type { Question } from '../vendor-call/contract';
import type { ElementTask, KlingAccount, VideoFamily, VideoTask } from './account';
import { currentTask, elementTask, legacyTask } from './reports';
import { invalidParameter, klingSuccess, notFound } from './wire';

/** `GET /v1/videos/{family}/{id}`: by the vendor's id of the task, or by the caller's. */
export function createLegacyQuery(family: VideoFamily, account: KlingAccount): Question<VideoTask> {
  return {
    operation: 'check',
    find(request, requestId) {
      const id = String(request.params['id']);
      const task = account.videos.find(id) ?? account.videos.findByExternalId(id);
      if (task?.detail.family === family) return task;
      throw notFound('task does not exist', requestId);
    },
    about: aboutJob,
    answer: (task, call) => klingSuccess(legacyTask(task, { account, call }), call.requestId),
  };
}

const MAX_IDS = 100;

/** `GET /tasks?task_ids=a,b` or `?external_task_ids=a,b`: video tasks of either wire; ids it does not know are left out. */
export function createTaskQuery(account: KlingAccount): Question<VideoTask[]> {
  return {
    operation: 'check',
    find({ query }, requestId) {
      const { task_ids: ids, external_task_ids: externalIds } = query;
      const { videos } = account;
      const list = typeof ids === 'string' ? ids : externalIds;
      if (typeof list !== 'string' || list === '') throw invalidParameter('task_ids is required', requestId);
      const wanted = list.split(',').map((id) => id.trim());
      if (wanted.length > MAX_IDS) throw invalidParameter(`at most ${MAX_IDS} ids`, requestId);
      const found = wanted.map((id) => (list === ids ? videos.find(id) : videos.findByExternalId(id)));
      return found.filter((task) => task !== undefined);
    },
    // Faults belong to one job, so they are those of the first.
    about: ([task]) => (task ? aboutJob(task) : { model: '', prompt: '' }),
    answer: (tasks, call) =>
      klingSuccess(
        tasks.map((task) => currentTask(task, { account, call })),
        call.requestId,
      ),
  };
}

/** `GET /v1/general/advanced-custom-elements/{id}`. */
export function createElementQuery(account: KlingAccount): Question<ElementTask> {
  return {
    operation: 'check',
    find(request, requestId) {
      const id = String(request.params['id']);
      const task = account.elements.find(id) ?? account.elements.findByExternalId(id);
      if (task) return task;
      throw notFound('task does not exist', requestId);
    },
    about: aboutJob,
    answer: (task, call) => klingSuccess(elementTask(task, { account, call }), call.requestId),
  };
}
