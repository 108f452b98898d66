import type { CheckOutcome, JsonObject, StartOutcome } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint, LookupOutcome, StartRequest } from '../contract';
import type { HttpClient } from '../http-client';
import { accepted, checkAfterMs, type Job, laterStart, pending } from '../job';
import { JOB_OPTIONS } from '../job-call';
import { object, text } from '../json-guards';
import { cannotCarry } from '../vendor-call';
import { readVideoCall } from '../video-call';
import { createKlingCall, type KlingCall } from './call';
import { createElements, type Elements, isReady, type MadeElement } from './elements';
import { notOffered, requestBody, WAYS, type Way, wayOf } from './request';
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
export function createKlingVideo(http: HttpClient): Adapter {
  const call = createKlingCall(http);
  const vendor: Vendor = { call, elements: createElements(call) };
  return {
    protocol: 'kling-video',
    afterLostAnswer: 'lookup',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
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
  const missing = notOffered(video);
  if (missing !== undefined) return cannotCarry(missing);
  const { endpoint } = context;
  const way = wayOf(video);
  const body = requestBody(video, { modelName: modelName(way, endpoint), attemptId });
  const begun = await vendor.elements.begin(video.elements ?? [], context);
  if (!begun.ok) return begun.refusal;
  const plan: Plan = { attemptId, way, body, made: begun.made };
  if (!begun.made.every(isReady)) {
    // The video will be known at the vendor by the attempt, and has no other id yet.
    return accepted(attemptId, { ...plan, since: Date.now() }, { endpoint, requestId: undefined });
  }
  const submitted = await submit(vendor, plan, context);
  if (!submitted.ok) return submitted.refusal;
  return accepted(submitted.video.taskId, submitted.video, { endpoint, requestId: submitted.requestId });
}

/** From elements to the video. Whatever is lost on the way, the next check finds the same preparation and begins here. */
async function advance(vendor: Vendor, preparation: Preparation, context: CallContext): Promise<CheckOutcome> {
  const { attemptId, way, body, since } = preparation;
  const checked = await vendor.elements.check(preparation.made, context);
  if (!checked.ok) return checked.refusal;
  const { made } = checked;
  if (!made.every(isReady)) {
    return { ...pending('queued', since, context.endpoint), operation: { ...preparation, made } };
  }
  const found = await findVideo(vendor.call, { ways: [way], attemptId, marked: isMarked(body) }, context);
  if (found.kind === 'refused') return found;
  if (found.kind === 'found') return begunVideo(found.video, context);
  const submitted = await submit(vendor, { ...preparation, made }, context);
  return submitted.ok ? begunVideo(submitted.video, context) : laterStart(submitted.refusal);
}

function begunVideo(video: Video, { endpoint }: CallContext): CheckOutcome {
  return { ...pending('queued', video.since, endpoint), operation: video };
}

async function submit({ call, elements }: Vendor, { way, body, made }: Plan, context: CallContext): Promise<Submitted> {
  const list = made.flatMap(({ elementId }) => (elementId === undefined ? [] : [{ element_id: elementId }]));
  const whole = list.length === 0 ? body : { ...body, element_list: list };
  const submitted = await submitVideo(call, { way, body: whole }, context);
  if (!submitted.ok && submitted.refusal.fault.code === 'bad_request') elements.forget(made);
  return submitted;
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
