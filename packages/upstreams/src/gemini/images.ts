import type { Fault, ImageRequest, JsonObject, LoadedMedia, Output } from '@mediagate/contracts';
import { base64Bytes, list, object, present, text } from '../json-guards';
import { base64Text } from '../payload';
import { unreadable } from '../vendor-call';
import { blockReason, POLICY_FINISH_REASONS } from './wire';

/** One image of one prompt: the wire has no count. `imageSize` is for presets, which only newer models take. */
export function imageBody({ prompt, aspectRatio, size }: ImageRequest, inputs: readonly LoadedMedia[]): JsonObject {
  const imageSize = typeof size === 'object' && 'preset' in size ? size.preset : undefined;
  const imageConfig = present<JsonObject>({ aspectRatio, imageSize });
  const files = inputs.map(({ contentType, bytes }) => ({
    inlineData: { mimeType: contentType, data: base64Text(bytes) },
  }));
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }, ...files] }],
    generationConfig: present<JsonObject>({
      responseModalities: ['IMAGE'],
      imageConfig: Object.keys(imageConfig).length === 0 ? undefined : imageConfig,
    }),
  };
}

/**
 * The image of a 200, or why there is none: the status says nothing here. A blocked prompt and a withheld image are policy;
 * any other end without an image (text alone, NO_IMAGE) is a generation that failed; no recognisable end is unknown.
 */
export function readImage(body: JsonObject): { ok: true; output: Output } | { ok: false; fault: Fault } {
  const block = blockReason(body);
  if (block !== undefined)
    return { ok: false, fault: { code: 'content_policy', detail: `prompt blocked: ${word(block)}` } };
  const candidates = (list(body['candidates']) ?? []).map(object);
  const output = candidates.flatMap(partsOf).map(readPart).find(Boolean);
  if (output !== undefined) return { ok: true, output };
  const reason = candidates.map(({ finishReason }) => text(finishReason)).find(Boolean);
  if (reason === undefined) return { ok: false, fault: unreadable('neither an image nor a finish reason') };
  const code = POLICY_FINISH_REASONS.has(reason) ? 'content_policy' : 'generation_failed';
  return { ok: false, fault: { code, detail: `no image, finish reason ${word(reason)}` } };
}

function partsOf(candidate: JsonObject): JsonObject[] {
  return (list(object(candidate['content'])['parts']) ?? []).map(object);
}

/** A thought may carry a sketch, which is not the result. */
function readPart({ inlineData, thought }: JsonObject): Output | undefined {
  const { mimeType, data } = object(inlineData);
  const contentType = text(mimeType);
  const bytes = base64Bytes(data);
  if (thought === true || bytes === undefined || !contentType?.startsWith('image/')) return undefined;
  return { role: 'image', contentType, bytes };
}

/** Reasons are upper-case words; whatever else stands there does not go into a log. */
function word(reason: string): string {
  return /^[A-Z_]{1,64}$/.test(reason) ? reason : 'not a known word';
}
