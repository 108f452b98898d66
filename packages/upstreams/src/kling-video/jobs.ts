import type { CheckOutcome, Refused, StartOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext, LookupOutcome, StartRequest } from '../contract';
import { accepted, checkAfterMs, type Job, laterStart, pending } from '../job';
import { object } from '../json-guards';
import { refused, unreadable, type VendorReply } from '../vendor-call';
import { readVideoCall } from '../video-call';
import type { KlingCall } from './call';
import { createElements, type Elements, isReady, type MadeElement } from './elements';
import { NOT_FOUND } from './errors';
import { isMarked, type KlingWire, type Order, type Video } from './wire';

/**
 * How a Kling video comes to be, on either wire. Elements are a stage of their own: the start begins them, and the operation
 * keeps what the video is to be until all are ready. Each video carries the attempt as `external_task_id`, which the vendor
 * answers questions by: the video of a check that may not be the first to send it is looked up, and so may a lost answer be.
 */
export function createKlingJobs(
  call: KlingCall,
  wire: KlingWire,
): Required<Pick<Adapter, 'start' | 'check' | 'lookup'>> {
  const vendor: Vendor = { call, wire, elements: createElements(call) };
  return {
    start: (request, context) => start(vendor, request, context),
    check: (operation, context) =>
      'made' in operation
        ? advance(vendor, operation as Preparation, context)
        : wire.check(operation as Video, context),
    lookup: (attemptId, context) => lookup(wire, attemptId, context),
  };
}

interface Vendor {
  call: KlingCall;
  wire: KlingWire;
  elements: Elements;
}

/** The order of a video while its elements are made. */
type Plan = Order & { attemptId: string; made: MadeElement[] };
type Preparation = Job & Plan;

async function start(vendor: Vendor, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { attemptId, video } = readVideoCall(request, context);
  const { endpoint } = context;
  const order = vendor.wire.order(video, { attemptId, endpoint, callbackUrl: request.callbackUrl });
  const begun = await vendor.elements.begin(video.elements ?? [], context);
  if (!begun.ok) return begun.refusal;
  const plan: Plan = { attemptId, ...order, made: begun.made };
  const step = await submitWhenReady(vendor, plan, context);
  switch (step.kind) {
    case 'begun':
      return accepted(step.video.taskId, step.video, endpoint, step.reply);
    case 'preparing': {
      // The video will be known at the vendor by the attempt, and has no other id yet.
      const preparation: Preparation = { ...plan, made: step.made, since: Date.now() };
      return accepted(attemptId, preparation, endpoint);
    }
    case 'refused':
      return step;
    default:
      return step satisfies never;
  }
}

/** From elements to the video. Whatever is lost on the way, the next check finds the same preparation and begins here. */
async function advance(vendor: Vendor, preparation: Preparation, context: CallContext): Promise<CheckOutcome> {
  const { attemptId, way, body } = preparation;
  const checked = await vendor.elements.check(preparation.made, context);
  if (!checked.ok && checked.refusal.kind === 'refused') return checked.refusal;
  if (checked.ok && !checked.made.every(isReady)) return stillPreparing(preparation, checked.made, context);
  // An earlier check may have sent it: then it is neither to be sent again nor to be given away.
  const found = await vendor.wire.find({ attemptId, order: { way, body } }, context);
  if (found.kind === 'refused') return found;
  if (found.kind === 'found') return begunVideo(found.video, context);
  if (!checked.ok) return checked.refusal;
  const step = await submitWhenReady(vendor, { ...preparation, made: checked.made }, context);
  switch (step.kind) {
    case 'begun':
      return begunVideo(step.video, context);
    case 'preparing':
      return stillPreparing(preparation, step.made, context);
    case 'refused':
      return laterStart(step);
    default:
      return step satisfies never;
  }
}

function stillPreparing(preparation: Preparation, made: MadeElement[], { endpoint }: CallContext): CheckOutcome {
  return { ...pending('queued', { since: preparation.since }, endpoint), operation: { ...preparation, made } };
}

function begunVideo(video: Video, { endpoint }: CallContext): CheckOutcome {
  return { ...pending('queued', video, endpoint), operation: video };
}

type Begun = { kind: 'begun'; video: Video; reply: VendorReply };
/** Refused for want of something, where the request names elements. */
type ElementsGone = { kind: 'elements_gone'; refusal: Refused };
type Step = Begun | Refused | { kind: 'preparing'; made: MadeElement[] };

async function submitWhenReady(vendor: Vendor, plan: Plan, context: CallContext): Promise<Step> {
  const { made } = plan;
  if (!made.every(isReady)) return { kind: 'preparing', made };
  const submitted = await submit(vendor, plan, context);
  if (submitted.kind !== 'elements_gone') return submitted;
  const remade = await vendor.elements.remake(made, context);
  if (remade === undefined) return submitted.refusal;
  return remade.ok ? { kind: 'preparing', made: remade.made } : remade.refusal;
}

async function submit(
  { call, wire }: Vendor,
  { way, body, made }: Plan,
  context: CallContext,
): Promise<Begun | Refused | ElementsGone> {
  const elementIds = made.flatMap(({ elementId }) => elementId ?? []);
  const complete = elementIds.length === 0 ? body : wire.withElements(body, elementIds);
  const reply = await call.post(wire.pathOf(way, context.endpoint), complete, context);
  if (!reply.ok) {
    const refusal = refused(reply.fault, [reply.requestId]);
    const isGone = reply.error?.code === NOT_FOUND && elementIds.length > 0;
    return isGone ? { kind: 'elements_gone', refusal } : refusal;
  }
  const taskId = wire.taskIdOf(object(reply.body['data']));
  if (taskId === undefined) return refused(unreadable('no task id'), [reply.requestId]);
  const video: Video = { way, taskId, since: Date.now(), marked: isMarked(body) };
  return { kind: 'begun', video, reply };
}

async function lookup(wire: KlingWire, attemptId: string, context: CallContext): Promise<LookupOutcome> {
  const found = await wire.find({ attemptId }, context);
  if (found.kind !== 'found') return found;
  const { video } = found;
  const pause = checkAfterMs(video.since, context.endpoint);
  return { kind: 'found', externalId: video.taskId, operation: video, checkAfterMs: pause };
}
