import type { ImgtoolRequest, JsonObject, LoadedMedia } from '@mediagate/contracts';
import type { StartRequest } from '../contract';

/** The parts of one start of an image-tool job. */
export interface ImgtoolCall {
  attemptId: string;
  imgtool: ImgtoolRequest;
  /** In the caller's order, without the mask and the end. */
  images: LoadedMedia[];
  /** The last frame of a video. */
  end: LoadedMedia | undefined;
  mask: LoadedMedia | undefined;
}

/** @throws TypeError when the request is no image-tool request: a catalogue entry's bug, never a caller's mistake. */
export function readImgtoolCall({ attemptId, request, media }: StartRequest): ImgtoolCall {
  const imgtool = readRequest(request);
  const images = media.filter(({ role }) => role === 'image');
  const end = imgtool.endUrl === undefined ? undefined : images.pop();
  return {
    attemptId,
    imgtool,
    images,
    end,
    mask: media.find(({ role }) => role === 'mask'),
  };
}

function readRequest(request: JsonObject): ImgtoolRequest {
  const { action, speed } = request;
  if (typeof action !== 'string' || typeof speed !== 'string') {
    throw new TypeError('not an image-tool request: action and speed are required');
  }
  return request as unknown as ImgtoolRequest;
}
