import { isBase64 } from './base64';
import { fetchBounded } from './fetch-bounded';

/** An image named by a caller, brought in: its bytes, and the type its source declared. */
export interface SourcedImage {
  bytes: Buffer;
  contentType: string;
}

/** Why an image could not be brought in; the sentence is fit for a vendor's error message. */
export class ImageSourceError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ImageSourceError';
  }
}

export type ImageSource = (link: string, maxBytes: number) => Promise<SourcedImage>;

/**
 * Reads data URLs, and fetches http(s) links for real as a vendor would; only from the hosts listed, so that a test
 * can never send the simulator out into the world. Throws an ImageSourceError.
 */
export function createImageSource(allowedHosts: string[]): ImageSource {
  return async (link, maxBytes) => {
    const image = link.startsWith('data:') ? readDataUrl(link) : await fetchImage(link, { allowedHosts, maxBytes });
    if (image.bytes.length > maxBytes) throw new ImageSourceError(`the image is larger than ${maxBytes} bytes`);
    return image;
  };
}

const MAX_DATA_URL_HEAD_CHARS = 200;

function readDataUrl(link: string): SourcedImage {
  const [head = '', contentType] =
    /^data:(image\/[a-z0-9.+-]+);base64,/.exec(link.slice(0, MAX_DATA_URL_HEAD_CHARS)) ?? [];
  const payload = link.slice(head.length);
  if (contentType === undefined || !isBase64(payload))
    throw new ImageSourceError('the data URL is not base64 of an image');
  return { bytes: Buffer.from(payload, 'base64'), contentType };
}

async function fetchImage(
  link: string,
  { allowedHosts, maxBytes }: { allowedHosts: string[]; maxBytes: number },
): Promise<SourcedImage> {
  const fetched = await fetchBounded(link, { allowedHosts, maxBytes });
  if (fetched.kind === 'failed') throw new ImageSourceError(fetched.sentence);
  if (!fetched.isWhole) throw new ImageSourceError(`the image is larger than ${maxBytes} bytes`);
  return fetched;
}
