import { createHash } from 'node:crypto';
import type { JsonObject, NotStarted, Refused, VideoElement } from '@mediagate/contracts';
import { LRUCache } from 'lru-cache';
import type { CallContext, Endpoint } from '../contract';
import { ended, laterStart, unanswered } from '../job';
import { identifier, list, object, text } from '../json-guards';
import { refused, unreadable, type VendorReply } from '../vendor-call';
import type { KlingCall } from './call';
import { failure, NOT_FOUND } from './errors';

const PATH = '/v1/general/advanced-custom-elements';
/** The vendor's tag for what is none of its own kinds of things. */
const OTHER_TAG = 'o_108';

/** The vendor fetches the images, so nobody here sees that what is behind an address has changed. */
const CACHE_LIFETIME_MS = 60 * 60 * 1000;
/** By size, not by number: for a number the cache takes the memory of all 10,000 elements at once. */
const CACHE_BOUNDS = { maxSize: 10_000, sizeCalculation: () => 1, ttl: CACHE_LIFETIME_MS };
/** The vendor takes a minute or two. */
const READY_WITHIN_MS = 10 * 60 * 1000;

/**
 * One element at the vendor: being made by a task since a time in milliseconds since 1970, then known by its id, which is
 * sent back with every digit. `body` is what it is made of, `key` stands for that and for the account. `remade`: it stands for one
 * that came to nothing, and none for it.
 */
export type MadeElement = {
  key: string;
  body: JsonObject;
  taskId: string;
  since: number;
  elementId?: string;
  remade?: true;
};

type Wanted = Pick<MadeElement, 'key' | 'body'>;

export interface Elements {
  /**
   * Begins what is not there yet, in order. An element is made without a reference of ours: making one twice costs nothing
   * but the time, while a refused repetition would hold up the video.
   */
  begin(elements: readonly VideoElement[], context: CallContext): Promise<Begun<Refused>>;
  /** Asks about those that are not ready, and begins those a second time that failed, are gone or take too long. */
  check(elements: readonly MadeElement[], context: CallContext): Promise<Begun<Refused | NotStarted>>;
  /** The vendor no longer has what a video named: begins all anew. Undefined where they are the second already. */
  remake(elements: readonly MadeElement[], context: CallContext): Promise<Begun<Refused> | undefined>;
}

export type Begun<Refusal> = { ok: true; made: MadeElement[] } | { ok: false; refusal: Refusal };

/** Elements of one process. Those that are ready are remembered by what they were made of, for as long as an hour. */
export function createElements(call: KlingCall): Elements {
  const cache = new LRUCache<string, MadeElement>(CACHE_BOUNDS);

  async function make({ key, body }: Wanted, context: CallContext): Promise<MadeElement | Refused> {
    const reply = await call.post(PATH, body, context);
    if (!reply.ok) return refused(reply.fault, [reply.requestId]);
    const taskId = identifier(object(reply.body['data'])['task_id']);
    if (taskId === undefined) return refused(unreadable('no task id of an element'), [reply.requestId]);
    return { key, body, taskId, since: Date.now() };
  }

  async function makeAgain(wanted: Wanted, context: CallContext): Promise<MadeElement | Refused> {
    const made = await make(wanted, context);
    return isRefusal(made) ? made : { ...made, remade: true };
  }

  async function stateOf(made: MadeElement, context: CallContext): Promise<MadeElement | Refused | NotStarted> {
    if (isReady(made)) return made;
    const reply = await call.get(`${PATH}/${encodeURIComponent(made.taskId)}`, context);
    const isGone = !reply.ok && reply.error?.code === NOT_FOUND;
    if (!reply.ok && !isGone) return unanswered(reply);
    const data = reply.ok ? object(reply.body['data']) : {};
    const status = text(data['task_status']);
    if (status === 'succeed' || status === 'succeeded') return readReady(made, data, reply);
    const fault = status === 'failed' ? failure(data['task_status_msg']) : undefined;
    const isLate = Date.now() - made.since > READY_WITHIN_MS;
    if (fault && (fault.code === 'content_policy' || made.remade)) return ended(fault, reply);
    if (made.remade) return isLate ? LATE_TWICE : made;
    if (!fault && !isGone && !isLate) return made;
    const again = await makeAgain(made, context);
    return isRefusal(again) ? laterStart(again) : again;
  }

  function readReady(made: MadeElement, data: JsonObject, { requestId }: VendorReply): MadeElement | Refused {
    const elementId = readElementId(data);
    if (elementId === undefined) return refused(unreadable('no element id'), [requestId]);
    const ready: MadeElement = { ...made, elementId };
    const { remade: _, ...known } = ready;
    cache.set(made.key, known);
    return ready;
  }

  return {
    begin: (elements, context) =>
      inTurn(elements, (element) => {
        const key = keyOf(element, context.endpoint);
        return cache.get(key) ?? make({ key, body: bodyOf(element) }, context);
      }),
    check: (elements, context) => inTurn(elements, (element) => stateOf(element, context)),
    async remake(elements, context) {
      for (const { key } of elements) cache.delete(key);
      if (elements.some(({ remade }) => remade)) return undefined;
      return inTurn(elements, (element) => makeAgain(element, context));
    },
  };
}

const LATE_TWICE: NotStarted = {
  kind: 'not_started',
  fault: { code: 'upstream_fault', detail: 'element not ready within 10 minutes, twice' },
};

export function isReady({ elementId }: MadeElement): boolean {
  return elementId !== undefined;
}

function isRefusal<Refusal extends { kind: string }>(outcome: MadeElement | Refusal): outcome is Refusal {
  return 'kind' in outcome;
}

/** One after the other, up to the first refusal: an element that cannot be made ends the task, so no more are begun. */
async function inTurn<Item, Refusal extends { kind: string }>(
  items: readonly Item[],
  step: (item: Item) => MadeElement | Promise<MadeElement | Refusal>,
): Promise<Begun<Refusal>> {
  const made: MadeElement[] = [];
  for (const item of items) {
    const outcome = await step(item);
    if (isRefusal(outcome)) return { ok: false, refusal: outcome };
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

function readElementId(data: JsonObject): string | undefined {
  const [first] = list(object(data['task_result'])['elements']) ?? [];
  return identifier(object(first)['element_id']);
}
