import type { MediaReference } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { type AcceptedFile, acceptFile, judgeStored } from './accept-file';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createProber } from './inspect/probe';
import { goneLink, MediaError } from './media-error';
import type { MediaStore } from './media-store';

export interface CheckMediaDeps {
  client: Pick<GuardedClient, 'checkUrl'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl'>;
}

/** What is known of a file before anybody fetches it; `file` where the URL itself holds it, so that it can be stored. */
export interface CheckedMedia {
  contentType?: string;
  bytes?: number;
  file?: AcceptedFile;
}

/** Throws MediaError. */
export type MediaChecker = (reference: MediaReference) => Promise<CheckedMedia>;

/**
 * Says no to what can be said no to at submission, without fetching it: by the URL's form and literal address, a data URL's
 * whole content, the state, type and size of one of our own links. What the job can do without is not judged.
 */
export function createMediaChecker({ client, store }: CheckMediaDeps): MediaChecker {
  const prober = createProber();
  const signal = new AbortController().signal;

  async function acceptInline(reference: MediaReference): Promise<CheckedMedia> {
    const bytes = decodeDataUrl(reference);
    const file = await acceptFile(reference, bytes, { prober, signal });
    return { contentType: file.contentType, bytes: file.bytes.length, file };
  }

  return async (reference) => {
    const { field, url, optional } = reference;
    if (optional) return {};
    if (isDataUrl(url)) return acceptInline(reference);
    if (store.ownsUrl(url)) return checkOwnLink(reference, store);
    const refusal = client.checkUrl(url);
    if (refusal) throw new MediaError(field, refusal.message, { cause: refusal });
    return {};
  };
}

async function checkOwnLink(reference: MediaReference, store: CheckMediaDeps['store']): Promise<CheckedMedia> {
  const media = await store.resolveOwnUrl(reference.url);
  if (media === undefined) throw goneLink(reference.field);
  judgeStored(media, reference);
  return { contentType: media.contentType, bytes: media.bytes };
}
