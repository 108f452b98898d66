import type { MediaReference } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { type AcceptedFile, acceptFile, type FileFacts, judgeFile, judgeStored } from './accept-file';
import { decodeDataUrl, isDataUrl } from './data-url';
import { createProber } from './inspect/probe';
import { goneLink, MediaError } from './media-error';
import { MediaGoneError, type MediaStore } from './media-store';
import { storedSource } from './sources/stored-source';

export interface CheckMediaDeps {
  client: Pick<GuardedClient, 'checkUrl'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl' | 'open'>;
}

/** What is known of a file before anybody fetches it; `file` where the URL itself holds it, so that it can be stored. */
export interface CheckedMedia extends Partial<FileFacts> {
  bytes?: number;
  file?: AcceptedFile;
}

/** Throws MediaError. */
export type MediaChecker = (reference: MediaReference) => Promise<CheckedMedia>;

/**
 * Says no to what can be said no to at submission, without fetching it: by the URL's form and literal address, a data URL's
 * whole content, the state, type, size and pixels of one of our own links, and its alpha channel where that matters. What the job can do without is not judged.
 */
export function createMediaChecker({ client, store }: CheckMediaDeps): MediaChecker {
  const prober = createProber();
  const signal = new AbortController().signal;

  async function acceptInline(reference: MediaReference): Promise<CheckedMedia> {
    const bytes = decodeDataUrl(reference);
    return describeFile(await acceptFile(reference, bytes, { prober, signal }));
  }

  return async (reference) => {
    const { field, url, optional } = reference;
    if (optional) return {};
    if (isDataUrl(url)) return acceptInline(reference);
    if (store.ownsUrl(url)) return checkOwnLink(reference, store);
    const refusal = client.checkUrl(url);
    if (refusal) throw new MediaError(field, refusal.problem, { cause: refusal });
    return {};
  };
}

/** A file that is at hand, found good. */
export function describeFile(file: AcceptedFile): CheckedMedia {
  return { ...file, bytes: file.bytes.length, file };
}

const NEVER_ALPHA = 'image/jpeg';

async function checkOwnLink(reference: MediaReference, store: CheckMediaDeps['store']): Promise<CheckedMedia> {
  const media = await store.resolveOwnUrl(reference.url);
  if (media === undefined) throw goneLink(reference.field);
  judgeStored(media, reference);
  // The row does not say it: the header does, in the first bytes.
  if (reference.limits?.alpha !== undefined && media.contentType !== NEVER_ALPHA) {
    await judgeFile(storedSource(store, media), reference).catch((error: unknown) => {
      throw error instanceof MediaGoneError ? goneLink(reference.field) : error;
    });
  }
  const { contentType, bytes, width, height } = media;
  return { contentType, bytes, ...(width === undefined || height === undefined ? {} : { width, height }) };
}
