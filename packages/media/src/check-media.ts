import type { MediaReference } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { type AcceptedFile, acceptFile, tooLarge } from './accept-file';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createProber } from './inspect/probe';
import { goneLink, MediaError } from './media-error';
import type { MediaStore } from './media-store';

export interface CheckMediaDeps {
  client: Pick<GuardedClient, 'checkUrl'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl'>;
}

/** Throws MediaError. Answers the file where the URL itself holds it, so that it can be stored. */
export type MediaChecker = (reference: MediaReference) => Promise<AcceptedFile | undefined>;

/**
 * Says no to what can be said no to at submission, without fetching it: by the URL's form and literal address, a data URL's
 * whole content, the state of one of our own links. What the job can do without is not judged.
 */
export function createMediaChecker({ client, store }: CheckMediaDeps): MediaChecker {
  const prober = createProber();
  const signal = new AbortController().signal;

  async function acceptInline(reference: MediaReference): Promise<AcceptedFile> {
    const bytes = decodeDataUrl(reference);
    return acceptFile(reference, bytes, { prober, signal });
  }

  return async (reference) => {
    const { field, url, optional } = reference;
    if (optional) return undefined;
    if (isDataUrl(url)) return acceptInline(reference);
    if (store.ownsUrl(url)) await checkOwnLink(reference, store);
    else {
      const refusal = client.checkUrl(url);
      if (refusal) throw new MediaError(field, refusal.message, { cause: refusal });
    }
    return undefined;
  };
}

async function checkOwnLink(reference: MediaReference, store: CheckMediaDeps['store']): Promise<void> {
  const media = await store.resolveOwnUrl(reference.url);
  if (media === undefined) throw goneLink(reference.field);
  if (media.bytes > reference.maxBytes) throw tooLarge(reference, media.bytes);
}
