import { isBase64 } from './base64';
import { fetchBounded } from './fetch-bounded';

/** A picture named by a caller, brought in: its bytes, and the type its source declared. */
export interface SourcedPicture {
  bytes: Buffer;
  contentType: string;
}

/** Why a picture could not be brought in; the sentence is fit for a vendor's error message. */
export class PictureSourceError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'PictureSourceError';
  }
}

export type PictureSource = (link: string, maxBytes: number) => Promise<SourcedPicture>;

/**
 * Reads data URLs, and fetches http(s) links for real as a vendor would; only from the hosts listed, so that a test
 * can never send the simulator out into the world. Throws a PictureSourceError.
 */
export function createPictureSource(allowedHosts: string[]): PictureSource {
  return async (link, maxBytes) => {
    const picture = link.startsWith('data:') ? readDataUrl(link) : await fetchPicture(link, { allowedHosts, maxBytes });
    if (picture.bytes.length > maxBytes) throw new PictureSourceError(`the image is larger than ${maxBytes} bytes`);
    return picture;
  };
}

const MAX_DATA_URL_HEAD_CHARS = 200;

function readDataUrl(link: string): SourcedPicture {
  const [head = '', contentType] =
    /^data:(image\/[a-z0-9.+-]+);base64,/.exec(link.slice(0, MAX_DATA_URL_HEAD_CHARS)) ?? [];
  const payload = link.slice(head.length);
  if (contentType === undefined || !isBase64(payload))
    throw new PictureSourceError('the data URL is not base64 of an image');
  return { bytes: Buffer.from(payload, 'base64'), contentType };
}

async function fetchPicture(
  link: string,
  { allowedHosts, maxBytes }: { allowedHosts: string[]; maxBytes: number },
): Promise<SourcedPicture> {
  const fetched = await fetchBounded(link, { allowedHosts, maxBytes });
  if (fetched.kind === 'failed') throw new PictureSourceError(fetched.sentence);
  if (!fetched.isWhole) throw new PictureSourceError(`the image is larger than ${maxBytes} bytes`);
  return fetched;
}
