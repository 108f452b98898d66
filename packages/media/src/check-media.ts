import type { MediaReference } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { DataUrlError, isDataUrl, parseDataUrl } from './data-url';
import { MediaError } from './media-error';
import type { MediaStore } from './media-store';
import { sniff } from './sniff';

export interface CheckMediaDeps {
  client: Pick<GuardedClient, 'checkUrl'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl'>;
}

/**
 * What can be said of a caller's file at submission, without fetching it: the URL's form and literal address, a data URL's
 * whole content, one of our own links. Undefined: nothing against it so far.
 */
export function createMediaChecker(
  deps: CheckMediaDeps,
): (reference: MediaReference) => Promise<MediaError | undefined> {
  return async (reference) => {
    const { field, url } = reference;
    if (isDataUrl(url)) return checkDataUrl(reference);
    if (deps.store.ownsUrl(url)) return checkOwnLink(reference, deps.store);
    const refusal = deps.client.checkUrl(url);
    return refusal && new MediaError(field, refusal.message, { cause: refusal });
  };
}

/** The bytes of a data URL, of a type that is accepted. Throws MediaError. */
export function decodeDataUrl(reference: MediaReference): Buffer {
  try {
    return parseDataUrl(reference.url, reference).bytes;
  } catch (error) {
    throw error instanceof DataUrlError ? new MediaError(reference.field, error.message, { cause: error }) : error;
  }
}

/** What the bytes are. Throws MediaError when that is not accepted here. */
export function acceptedType({ field, contentTypes }: MediaReference, bytes: Buffer): string {
  const found = sniff(bytes)?.contentType ?? 'of an unknown type';
  if (contentTypes.includes(found)) return found;
  throw new MediaError(field, `The file is ${found}; accepted are ${contentTypes.join(', ')}.`);
}

export function tooLarge({ field, maxBytes }: MediaReference, bytes: number): MediaError {
  return new MediaError(field, `The file has ${bytes} bytes; at most ${maxBytes} are accepted.`);
}

export function goneLink({ field }: MediaReference): MediaError {
  return new MediaError(field, 'The link is not valid or has expired.');
}

function checkDataUrl(reference: MediaReference): MediaError | undefined {
  try {
    acceptedType(reference, decodeDataUrl(reference));
    return undefined;
  } catch (error) {
    if (error instanceof MediaError) return error;
    throw error;
  }
}

async function checkOwnLink(
  reference: MediaReference,
  store: CheckMediaDeps['store'],
): Promise<MediaError | undefined> {
  const media = await store.resolveOwnUrl(reference.url);
  if (media === undefined) return goneLink(reference);
  return media.bytes > reference.maxBytes ? tooLarge(reference, media.bytes) : undefined;
}
