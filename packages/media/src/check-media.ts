import { bytesIn, type MediaReference, mediaIdOf } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { type AcceptedFile, acceptFile, type FileFacts, factsOf, judgeFile, judgeStored } from './accept-file';
import { decodeDataUrl } from './data-url';
import { isDataUrl } from './data-url-prefix';
import type { Prober } from './inspect/probe';
import { goneLink, MediaError, MediaGoneError } from './media-error';
import type { MediaStore } from './media-store';
import { type FileOwner, findOwnMedia } from './own-media';
import { storedSource } from './sources/piece-source';
import type { StoredMedia } from './stored-media';

/** How files are looked at: where addresses may lead, the storage, and the parser. */
interface FileAccess {
  client: Pick<GuardedClient, 'checkUrl'>;
  store: Pick<MediaStore, 'ownsUrl' | 'findUpload' | 'resolveOwnUrl' | 'open'>;
  prober: Prober;
}

/** The facts known of a file before anybody fetches it; `file` where the URL itself holds it, so that it can be stored. */
export interface CheckedMedia extends Partial<FileFacts> {
  bytes?: number;
  file?: AcceptedFile;
  /** Our own link to a file that was named by its id; workers are given this link. */
  link?: string;
}

/**
 * Refuses files that can be refused at submission, without fetching them: by the URL's form and literal address, a data URL's whole
 * content, the state, type, size and pixels of one of our own links, and its alpha channel where that matters. Files that the job can
 * do without are not judged. Files that the owner sees may be named by their ids.
 *
 * @throws MediaError.
 */
export async function checkMedia(
  { client, store, prober }: FileAccess,
  reference: MediaReference,
  owner: FileOwner,
): Promise<CheckedMedia> {
  const { field, url, optional } = reference;
  if (optional) return {};
  if (isDataUrl(url)) {
    const inspection = { prober, owner, signal: NEVER };
    return describeFile(await acceptFile(reference, decodeDataUrl(reference), inspection));
  }
  if (store.ownsUrl(url)) return checkOwn(reference, await findOwnMedia(store, reference, owner), store);
  const refusal = client.checkUrl(url);
  if (refusal) throw new MediaError(field, refusal.problem, { cause: refusal });
  return {};
}

const NEVER = new AbortController().signal;

/** A file that is at hand, found good. */
export function describeFile(file: AcceptedFile): CheckedMedia {
  return { ...file, bytes: bytesIn(file.bytes), file };
}

const NEVER_ALPHA = 'image/jpeg';

async function checkOwn(
  reference: MediaReference,
  media: StoredMedia,
  store: FileAccess['store'],
): Promise<CheckedMedia> {
  judgeStored(media, reference);
  // The row does not say it: the header does, in the first bytes.
  if (reference.limits?.alpha !== undefined && media.contentType !== NEVER_ALPHA) {
    await judgeFile(storedSource(store, media), reference).catch((error: unknown) => {
      throw error instanceof MediaGoneError ? goneLink(reference.field) : error;
    });
  }
  const isNamedById = mediaIdOf(reference.url) !== undefined;
  return { ...factsOf(media), bytes: media.bytes, ...(isNamedById ? { link: media.url } : {}) };
}
