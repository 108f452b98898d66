import type { VideoTools } from '../vendor';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { isJsonObject, textOf } from '../vendor-call/request-body';
import type { KlingAccount, VideoFamily } from './account';
import { readCurrentRequest } from './current-request';
import { readLegacyRequest } from './legacy-request';
import { currentStarted, legacyStarted } from './reports';
import { bookVideo, orderVideo, type VideoOrder } from './video-order';
import { klingSuccess, readJsonBody } from './wire';

interface Around {
  tools: VideoTools;
  account: KlingAccount;
}

/** `POST /v1/videos/{family}`. */
export function createLegacySubmit(family: VideoFamily, { tools, account }: Around): Endpoint<JsonObject, VideoOrder> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({ model: textOf(body['model_name']), prompt: legacyWords(body) }),
    prepare: (body, call) => orderVideo(readLegacyRequest(family, body, call), { tools, account, call }),
    start(order, call) {
      const task = bookVideo(order, { account, call });
      return { externalId: task.id, reply: klingSuccess(legacyStarted(task), call.requestId) };
    },
  };
}

/** `POST /text-to-video/{model}`, `/image-to-video/{model}` and `/omni-video/{model}`. */
export function createCurrentSubmit(
  kind: { family: VideoFamily; model: string },
  { tools, account }: Around,
): Endpoint<JsonObject, VideoOrder> {
  return {
    read: readJsonBody,
    describe: (_request, body) => ({ model: kind.model, prompt: currentWords(body) }),
    prepare: (body, call: Call) => orderVideo(readCurrentRequest(kind, body, call), { tools, account, call }),
    start(order, call) {
      const task = bookVideo(order, { account, call });
      return { externalId: task.id, reply: klingSuccess(currentStarted(task), call.requestId) };
    },
  };
}

/** A directive may stand in the words of a shot. */
function legacyWords(body: JsonObject): string {
  const shots = Array.isArray(body['multi_prompt']) ? body['multi_prompt'] : [];
  return [body, ...shots.filter(isJsonObject)]
    .map((part) => textOf(part['prompt']))
    .join(' ')
    .trim();
}

function currentWords(body: JsonObject): string {
  const contents = Array.isArray(body['contents']) ? body['contents'] : [];
  const words = contents.filter(isJsonObject).map((part) => textOf(part['text']));
  return [textOf(body['prompt']), ...words].join(' ').trim();
}
