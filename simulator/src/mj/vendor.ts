import { Router } from 'express';
import type { Vendor, VendorTools } from '../vendor';
import type { Endpoint, Question } from '../vendor-call/contract';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createGallery } from './gallery';
import { createNotifier } from './notifier';
import { createCancel, createFetch } from './queries';
import { findMjFile } from './result-links';
import { createDrawingSubmits } from './submit-drawings';
import { createFollowUps } from './submit-follow-up';
import { createModalSubmit } from './submit-modal';
import { createTextSubmits } from './submit-texts';
import { createVideoSubmit } from './submit-video';
import { createMjAccount } from './task';
import type { MjTools } from './tools';
import { mjWire } from './wire';

/** The image tool: grids of images and what follows on them, in the protocol of midjourney-proxy. */
export default function createMj(tools: VendorTools, around: CallSurroundings): Vendor {
  const { clock, bringIn, shelf, videos: studio, fetchHosts } = tools;
  const account = createMjAccount(tools.jobs);
  const gallery = createGallery(shelf);
  const notifier = createNotifier({ clock, account, hosts: fetchHosts, closing: around.closing });
  return {
    wire: mjWire,
    around,
    router: mjRoutes({ clock, account, gallery, shelf, bringIn, notifier }, around),
    stores: [account.tasks],
    // The speed of the work is a part of the path.
    paths: ['/mj', '/mj-relax/mj', '/mj-fast/mj', '/mj-turbo/mj'],
    findFile: (name) => findMjFile(name, { account, gallery, studio }),
  };
}

function mjRoutes(tools: MjTools, around: CallSurroundings): Router {
  const router = Router();
  const submits = <Body, Job>(name: string, endpoint: Endpoint<Body, Job>) =>
    router.post(`/submit/${name}`, serveVendorCall(mjWire, endpoint, around));
  const answers = <Subject>(question: Question<Subject>) => serveQuestion(mjWire, question, around);

  const { imagine, blend, edits } = createDrawingSubmits(tools);
  submits('imagine', imagine);
  submits('blend', blend);
  submits('edits', edits);
  const { describe, shorten } = createTextSubmits(tools);
  submits('describe', describe);
  submits('shorten', shorten);
  submits('video', createVideoSubmit(tools));
  const { action, change } = createFollowUps(tools);
  submits('action', action);
  submits('change', change);
  submits('modal', createModalSubmit(tools));
  router.get('/task/:id/fetch', answers(createFetch(tools)));
  router.post('/task/:id/cancel', answers(createCancel(tools)));
  return router;
}
