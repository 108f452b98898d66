import type { Question } from '../vendor-call/contract';
import type { MjTask, MjTools } from './task';
import { reportOf } from './task-report';
import { emptyReply } from './wire';

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
      task ? { status: 200, body: reportOf(task, { clock, faults }) } : emptyReply(204),
  };
}

/** `POST /task/{id}/cancel`: empty, whatever there was to cancel. */
export function createCancel({ account }: MjTools): Question<Asked> {
  return {
    operation: 'cancel',
    find: ({ params }) => askedOf(String(params['id']), account),
    about,
    answer({ task }) {
      if (task) account.cancel(task);
      return emptyReply(200);
    },
  };
}

function askedOf(id: string, { tasks }: MjTools['account']): Asked {
  return { id, task: tasks.find(id) };
}

function about({ id, task }: Asked) {
  return { model: task?.model ?? '', prompt: task?.prompt ?? '', externalId: id, jobFaults: task?.faults };
}
