import { GatewayError, type JsonObject, type MediaReference, refusedBody } from '@mediagate/contracts';
import { KNOWN_TYPES, MediaError, type MediaLoader } from '@mediagate/media';
import type { Call } from '../../../http/exchange';
import { CallerLeftError } from '../../../use-cases/caller-connection';

/** An image that a message names by its address, and the part of the turn that it becomes. */
export interface ImageLink {
  field: string;
  url: string;
  part: JsonObject;
}

export const MAX_IMAGE_LINKS = 16;
const MEBIBYTE = 1024 * 1024;
const IMAGE = {
  role: 'image',
  maxBytes: 7 * MEBIBYTE,
} as const;
/** Bytes of base64 for each of a file; and the body that is made of them stands beside it for a moment. */
const HELD_FACTOR = 3;

export interface BringImagesDeps {
  loadMedia: MediaLoader;
  /** Types of images that the vendors of the model read. */
  imageTypes: readonly string[];
}

/**
 * Reads the images through the guarded client and puts them into their parts: models are never given a caller's address. What is read is
 * looked at, so that types which the gateway cannot decode are refused here even if the vendor reads them.
 *
 * @throws GatewayError `invalid_request`, naming the image; `unavailable`. CallerLeftError.
 */
export async function bringImages(
  links: readonly ImageLink[],
  call: Call,
  { loadMedia, imageTypes }: BringImagesDeps,
): Promise<void> {
  if (links.length === 0) return;
  const { response, scope, memory, caller } = call;
  const left = new AbortController();
  scope.on(response, 'close', () => left.abort());
  const contentTypes = imageTypes.filter((type) => KNOWN_TYPES.includes(type));
  const references = links.map(({ field, url }): MediaReference => ({ ...IMAGE, contentTypes, field, url }));
  try {
    const { media, release } = await loadMedia(references, left.signal, { owner: caller });
    try {
      for (const [index, { contentType, bytes }] of media.entries()) {
        const refused = memory.take(bytes.length * HELD_FACTOR);
        if (refused) throw refused;
        const part = links[index]?.part;
        if (part) part['inlineData'] = { mimeType: contentType, data: bytes.toString('base64') };
      }
    } finally {
      release();
    }
  } catch (error) {
    if (left.signal.aborted) throw new CallerLeftError();
    if (!(error instanceof MediaError)) throw error;
    if (error.unknown) throw new GatewayError('not_found', error.problem, { param: error.field });
    throw refusedBody('invalid_request', [{ reason: 'bad_media', message: error.problem, param: error.field }]);
  }
}
