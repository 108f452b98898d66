import type { CheckOutcome, Json, JsonObject, Refused, VideoRequest } from '@mediagate/contracts';
import type { CallContext, Endpoint } from '../contract';
import type { Job } from '../job';
import { object, text } from '../json-guards';
import type { Way } from './ways';

/** The body of the request that begins a video, all but the ids of its elements, and the way that it goes. */
export type Order = { way: Way; body: JsonObject };

/** A video that the vendor has accepted. `marked`: whether the caller wants the copy with a watermark; absent: not known. */
export type Video = Job & { way?: Way; taskId: string; marked?: boolean };

export type Found = { kind: 'found'; video: Video } | { kind: 'absent' } | Refused;

/** How one of the vendor's two wires begins videos and reports on them. Elements are made alike on both. */
export interface KlingWire {
  order(video: VideoRequest, place: { attemptId: string; endpoint: Endpoint; callbackUrl: string | undefined }): Order;
  withElements(body: JsonObject, elementIds: readonly string[]): JsonObject;
  pathOf(way: Way, endpoint: Endpoint): string;
  /** In the answer to a start. */
  taskIdOf(data: JsonObject): string | undefined;
  check(video: Video, context: CallContext): Promise<CheckOutcome>;
  /** The video that carries the attempt as its `external_task_id`; the order where it is known. */
  find(wanted: { attemptId: string; order?: Order }, context: CallContext): Promise<Found>;
}

/** Whether a video's request asks for a watermark: the older wire says so at the top of it, the newer one among its options. */
export function isMarked({ watermark_info: older, options }: JsonObject): boolean {
  const { watermark_info: newer } = object(options);
  return object(older ?? newer)['enabled'] === true;
}

/**
 * With a watermark the vendor makes two copies, and `url` is the one without. The other is made on request alone, so that
 * it tells what was asked for where nobody else does.
 */
export function linkOf({ url, watermark_url: markedUrl }: JsonObject, marked: boolean | undefined): Json | undefined {
  return marked === false ? url : (text(markedUrl) ?? url);
}
