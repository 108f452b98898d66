import { type Asked, aboutAsked } from '../jobs/vendor-job';
import type { Vendor, VendorTools } from '../vendor';
import type { Question, Wire } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { createGallery } from './gallery';
import { findMjFile } from './result-links';
import { createDrawingSubmits } from './submit-drawings';
import { createActionSubmit } from './submit-follow-up';
import { createModalSubmit } from './submit-modal';
import { createTextSubmits } from './submit-texts';
import { createVideoSubmit } from './submit-video';
import { createMjAccount, type MjTask, type MjTools, type TaskDetail } from './task';
import { reportOf } from './task-report';
import { emptyReply, mjWire } from './wire';

/** The image tool: grids of images and what follows on them, in the protocol of midjourney-proxy. */
export default function createMj(tools: VendorTools, around: CallSurroundings): Vendor {
  const { clock, bringIn, videos: studio } = tools;
  const account = createMjAccount(tools.jobs);
  const gallery = createGallery();
  const wire: Wire = {
    ...mjWire,
    callback: {
      address: (_request, _body, task) => (task as MjTask).detail.hook,
      report: (task) => reportOf(task as MjTask, { clock }),
      at: [0, 0.5, 1],
      ofCancelled: true,
    },
  };
  const { router, start, ask } = vendorRouter(wire, around);
  const desk = { clock, account, bringIn };
  const { imagine, blend, edits } = createDrawingSubmits(desk);
  const { describe, shorten } = createTextSubmits(desk);
  const submits = {
    imagine,
    blend,
    edits,
    describe,
    shorten,
    video: createVideoSubmit(desk),
    action: createActionSubmit(desk),
  };
  for (const [name, endpoint] of Object.entries(submits)) start(`/submit/${name}`, endpoint);
  start('/submit/modal', createModalSubmit(desk));
  ask('get', '/task/:id/fetch', createFetch(desk));
  ask('post', '/task/:id/cancel', createCancel(desk));
  return {
    wire,
    around,
    router,
    stores: [account.tasks],
    // The speed of the work is a part of the path.
    paths: ['/mj', '/mj-relax/mj', '/mj-fast/mj', '/mj-turbo/mj'],
    findFile: (name) => findMjFile(name, { account, gallery, studio }),
  };
}

/** `GET /task/{id}/fetch`. Of a task that it does not know, the vendor says nothing at all. */
function createFetch({ account, clock }: MjTools): Question<Asked<TaskDetail>> {
  return {
    operation: 'check',
    find: ({ params }) => askedOf(String(params['id']), account),
    about: aboutAsked,
    answer: ({ task }, { faults }) =>
      task ? { status: 200, body: reportOf(task, { clock, faults }) } : emptyReply(204),
  };
}

/** `POST /task/{id}/cancel`: empty, whatever there was to cancel. */
function createCancel({ account }: MjTools): Question<Asked<TaskDetail>> {
  return {
    operation: 'cancel',
    find: ({ params }) => askedOf(String(params['id']), account),
    about: aboutAsked,
    answer({ task }) {
      if (task) account.cancel(task);
      return emptyReply(200);
    },
  };
}

function askedOf(id: string, { tasks }: MjTools['account']): Asked<TaskDetail> {
  return { id, task: tasks.find(id) };
}
