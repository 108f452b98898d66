import type { Done, JsonObject, Refused } from '@mediagate/contracts';
import type { Endpoint } from '../contract';
import { isVertex } from '../gemini-call';
import { base64Bytes, count, list, object } from '../json-guards';
import { refused, unreadable } from '../vendor-call';
import { doneWith } from '../video-result';

/**
 * The output of an operation that has ended well: a link, and at Vertex the video itself. A video that is withheld for its content
 * is counted in a success, and is not charged.
 */
export function readVideo(response: JsonObject, endpoint: Endpoint): Done | Refused {
  const result = isVertex(endpoint) ? response : object(response['generateVideoResponse']);
  const [sample] = list(result[isVertex(endpoint) ? 'videos' : 'generatedSamples']) ?? [];
  const withheld = count(result['raiMediaFilteredCount']) ?? (list(result['raiMediaFilteredReasons']) ?? []).length;
  if (sample === undefined && withheld > 0) {
    return refused({ code: 'content_policy', detail: `${withheld} withheld, and no video` });
  }
  if (isVertex(endpoint)) return videoIn(object(sample));
  return doneWith(object(object(sample)['video'])['uri'], { needsKey: true });
}

function videoIn(sample: JsonObject): Done | Refused {
  const bytes = base64Bytes(sample['bytesBase64Encoded']);
  if (bytes === undefined) return refused(unreadable('no video in the answer'));
  return { kind: 'done', outputs: [{ role: 'video', contentType: 'video/mp4', bytes }], usage: {} };
}
