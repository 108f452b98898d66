import type { JsonObject, Question } from '../vendor-call/contract';
import { readJsonBody } from './body';
import type { MjTask } from './task';
import { reportOf } from './task-report';
import type { MjTools } from './tools';
import { code, emptyReply, invalid, submitReply, taskNotFound } from './wire';

interface Asked {
  id: string;
  task: MjTask | undefined;
}

/** `GET /task/{id}/fetch`. Of a task that it does not know, the vendor says nothing at all. */
export function createFetch({ account, clock }: MjTools): Question<Asked> {
  return {
    operation: 'check',
    find: ({ params }) => askedOf(String(params['id']), account),
    about,
    answer: ({ task }, { faults }) =>
      task ? { status: 200, body: reportOf(task, { account, clock, faults }) } : emptyReply(204),
  };
}

/** `GET /task/{id}/image-seed`. */
export function createImageSeed({ account }: MjTools): Question<Asked> {
  return {
    operation: 'check',
    find: ({ params }) => askedOf(String(params['id']), account),
    about,
    answer({ task }) {
      if (!task) throw taskNotFound();
      if (account.tasks.state(task) !== 'done') throw invalid('the related task has the wrong status');
      return submitReply(code.accepted, 'Success', { result: String(task.detail.seed) });
    },
  };
}

/** `POST /task/{id}/cancel`: empty, whatever there was to cancel. */
export function createCancel({ account, notifier }: MjTools): Question<Asked> {
  return {
    operation: 'cancel',
    find: ({ params }) => askedOf(String(params['id']), account),
    about,
    answer({ task }, { warn }) {
      if (task && account.cancel(task)) notifier.follow(task, warn);
      return emptyReply(200);
    },
  };
}

const MAX_IDS = 500;

/** `POST /task/list-by-condition {ids}`: those it knows. */
export function createList({ account, clock }: MjTools): Question<{ body: JsonObject; tasks: MjTask[] }> {
  return {
    operation: 'check',
    async find(request) {
      const body = await readJsonBody(request);
      const ids: unknown[] = Array.isArray(body['ids']) ? body['ids'].slice(0, MAX_IDS) : [];
      const tasks = ids.map((id) => (typeof id === 'string' ? account.tasks.find(id) : undefined));
      return { body, tasks: tasks.filter((task) => task !== undefined) };
    },
    // Faults belong to one task, so they are those of the first.
    about: ({ body, tasks: [task] }) => ({ ...factsOf(task), body }),
    answer: ({ tasks }, { faults }) => ({
      status: 200,
      body: tasks.map((task) => reportOf(task, { account, clock, faults })),
    }),
  };
}

function askedOf(id: string, { tasks }: MjTools['account']): Asked {
  return { id, task: tasks.find(id) };
}

function about({ id, task }: Asked) {
  return { ...factsOf(task), externalId: id };
}

function factsOf(task: MjTask | undefined) {
  return { model: task?.model ?? '', prompt: task?.prompt ?? '', jobFaults: task?.faults };
}
