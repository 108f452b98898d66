import { createHash } from 'node:crypto';
import type { JsonObject, Refused, VideoElement } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';
import type { CallContext, Endpoint } from '../contract';
import { ended, unanswered } from '../job';
import { identifier, list, object, text } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import type { KlingCall } from './call';
import { failure } from './errors';

const PATH = '/v1/general/advanced-custom-elements';
/** The vendor's tag for what is none of its own kinds of things. */
const OTHER_TAG = 'o_108';

const CACHE_MAX_ELEMENTS = 10_000;
/** The pictures behind an address may change. */
const CACHE_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * One element at the vendor: being made by a task, then known by its id, which is sent back as it came. `key` stands for
 * its content and account.
 */
export type MadeElement = { key: string; taskId: string; elementId?: string | number };

export interface Elements {
  /**
   * Begins what is not there yet, in order. An element is made without a reference of ours: making one twice costs nothing
   * but the time, while a refused repetition would hold up the video.
   */
  begin(elements: readonly VideoElement[], context: CallContext): Promise<Begun>;
  /** Asks about those that are not ready. */
  check(elements: readonly MadeElement[], context: CallContext): Promise<Begun>;
  /** The vendor refused a request that named them; they may be gone, and are made anew when next asked for. */
  forget(elements: readonly MadeElement[]): void;
}

export type Begun = { ok: true; made: MadeElement[] } | { ok: false; refusal: Refused };

/** Elements of one process, remembered by what they were made of. */
export function createElements(call: KlingCall): Elements {
  const cache = new LRUCache<string, MadeElement>({ max: CACHE_MAX_ELEMENTS, ttl: CACHE_LIFETIME_MS });

  async function beginOne(element: VideoElement, context: CallContext): Promise<MadeElement | Refused> {
    const key = keyOf(element, context.endpoint);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const reply = await call.post(PATH, bodyOf(element), context);
    if (!reply.ok) return refused(reply.fault, [reply.requestId]);
    const taskId = identifier(object(reply.body['data'])['task_id']);
    if (taskId === undefined) return refused(unreadable('no task id of an element'), [reply.requestId]);
    const made: MadeElement = { key, taskId };
    cache.set(key, made);
    return made;
  }

  async function stateOf(made: MadeElement, context: CallContext): Promise<MadeElement | Refused> {
    if (isReady(made)) return made;
    const reply = await call.get(`${PATH}/${encodeURIComponent(made.taskId)}`, context);
    if (!reply.ok) return unanswered(reply.fault, reply.requestId);
    const data = object(reply.body['data']);
    const status = text(data['task_status']);
    if (status === 'failed') {
      cache.delete(made.key);
      return ended(failure(data), reply.requestId);
    }
    if (status !== 'succeed' && status !== 'succeeded') return made;
    const elementId = readElementId(data);
    if (elementId === undefined) return refused(unreadable('no element id'), [reply.requestId]);
    const ready: MadeElement = { ...made, elementId };
    cache.set(made.key, ready);
    return ready;
  }

  return {
    begin: (elements, context) => inTurn(elements, (element) => beginOne(element, context)),
    check: (elements, context) => inTurn(elements, (element) => stateOf(element, context)),
    forget(elements) {
      for (const { key } of elements) cache.delete(key);
    },
  };
}

export function isReady({ elementId }: MadeElement): boolean {
  return elementId !== undefined;
}

/** One after the other, up to the first refusal: an element that cannot be made ends the task, so no more are begun. */
async function inTurn<T>(items: readonly T[], step: (item: T) => Promise<MadeElement | Refused>): Promise<Begun> {
  const made: MadeElement[] = [];
  for (const item of items) {
    const outcome = await step(item);
    if ('kind' in outcome) return { ok: false, refusal: outcome };
    made.push(outcome);
  }
  return { ok: true, made };
}

function bodyOf({ name, description, imageUrls }: VideoElement): JsonObject {
  const [front, ...others] = imageUrls;
  return {
    element_name: name,
    element_description: description,
    reference_type: 'image_refer',
    element_image_list: { frontal_image: front ?? '', refer_images: others.map((url) => ({ image_url: url })) },
    tag_list: [{ tag_id: OTHER_TAG }],
  };
}

/** An element belongs to an account. */
function keyOf({ name, description, imageUrls }: VideoElement, { baseUrl, apiKey }: Endpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, apiKey, name, description, imageUrls]))
    .digest('base64url');
}

function readElementId(data: JsonObject): string | number | undefined {
  const [first] = list(object(data['task_result'])['elements']) ?? [];
  const { element_id: id } = object(first);
  return identifier(id) === undefined ? undefined : (id as string | number);
}
