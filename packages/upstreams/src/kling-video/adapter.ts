import type { CheckOutcome, JsonObject, StartOutcome } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint, LookupOutcome, StartRequest } from '../contract';
import { accepted, checkAfterMs, type Job, laterStart, pending } from '../job';
import { JOB_OPTIONS } from '../job-call';
import { object, text } from '../json-guards';
import type { Clients } from '../protocol';
import { readVideoCall, readVideoRequest } from '../video-call';
import { createKlingCall, type KlingCall } from './call';
import { createElements, type Elements, isReady, type MadeElement } from './elements';
import { createKlingProbe } from './probe';
import { klingLack, requestBody, WAYS, type Way, wayOf } from './request';
import { checkVideo, findVideo, isMarked, type Submitted, submitVideo, type Video } from './videos';

/** `omni_models`: for models whose omni variant is not called as they are with `-omni` behind. */
const OPTIONS: OptionRules = { ...JOB_OPTIONS, omni_models: { kind: 'names' } };

/**
 * Kling videos by `POST /v1/videos/{text2video|image2video|omni-video}` and `GET` of the same path with an id. A channel
 * maps a public model to the vendor's, as `kling-v3`; its key is the vendor's key, or `access:secret`.
 *
 * Elements are a stage of their own: the start begins them, and the operation keeps what the video is to be until all are
 * ready. Each video carries the attempt as `external_task_id`, which the vendor takes once and answers questions by: a
 * lost answer is looked up, and so is the video of a check that may not be the first to send it.
 */
export default function createKlingVideo({ http }: Clients): Adapter {
  const call = createKlingCall(http);
  const vendor: Vendor = { call, elements: createElements(call) };
  return {
    protocol: 'kling-video',
    families: ['video'],
    afterLostAnswer: 'lookup',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createKlingProbe(http),
    lacks: ({ request, files }) => klingLack(readVideoRequest(request), files),
    start: (request, context) => start(vendor, request, context),
    check: (operation, context) =>
      'made' in operation
        ? advance(vendor, operation as Preparation, context)
        : checkVideo(call, operation as Video, context),
    lookup: (attemptId, context) => lookup(call, attemptId, context),
  };
}

interface Vendor {
  call: KlingCall;
  elements: Elements;
}

/** What a video is to be, while its elements are made. */
type Plan = { attemptId: string; way: Way; body: JsonObject; made: MadeElement[] };
type Preparation = Job & Plan;

async function start(vendor: Vendor, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { attemptId, video } = readVideoCall(request, context);
  const { endpoint } = context;
  const way = wayOf(video);
  const body = requestBody(video, { modelName: modelName(way, endpoint), attemptId });
  const begun = await vendor.elements.begin(video.elements ?? [], context);
  if (!begun.ok) return begun.refusal;
  const plan: Plan = { attemptId, way, body, made: begun.made };
  const step = await submitWhenReady(vendor, plan, context);
  switch (step.kind) {
    case 'begun':
      return accepted(step.video.taskId, step.video, { endpoint, requestId: step.requestId });
    case 'preparing': {
      // The video will be known at the vendor by the attempt, and has no other id yet.
      const preparation: Preparation = { ...plan, made: step.made, since: Date.now() };
      return accepted(attemptId, preparation, { endpoint, requestId: undefined });
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
  const found = await findVideo(vendor.call, { ways: [way], attemptId, marked: isMarked(body) }, context);
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

type Step = Exclude<Submitted, { kind: 'elements_gone' }> | { kind: 'preparing'; made: MadeElement[] };

async function submitWhenReady({ call, elements }: Vendor, plan: Plan, context: CallContext): Promise<Step> {
  const { way, body, made } = plan;
  if (!made.every(isReady)) return { kind: 'preparing', made };
  const list = made.flatMap(({ elementId }) => (elementId === undefined ? [] : [{ element_id: elementId }]));
  const complete = list.length === 0 ? body : { ...body, element_list: list };
  const submitted = await submitVideo(call, { way, body: complete }, context);
  if (submitted.kind !== 'elements_gone') return submitted;
  const remade = await elements.remake(made, context);
  if (remade === undefined) return submitted.refusal;
  return remade.ok ? { kind: 'preparing', made: remade.made } : remade.refusal;
}

async function lookup(call: KlingCall, attemptId: string, context: CallContext): Promise<LookupOutcome> {
  const found = await findVideo(call, { ways: WAYS, attemptId }, context);
  if (found.kind !== 'found') return found;
  const { video } = found;
  const pause = checkAfterMs(video.since, context.endpoint);
  return { kind: 'found', externalId: video.taskId, operation: video, checkAfterMs: pause };
}

function modelName(way: Way, { model, options }: Endpoint): string {
  if (way !== 'omni-video') return model;
  return text(object(options['omni_models'])[model]) ?? `${model}-omni`;
}
