import type { MediaReference } from '@mediagate/contracts';

/** The limit of an image, where the deployment sets no other. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Applies the deployment's limit to images that it fetches; images that a vendor fetches have the model's limit alone. */
export function withImageLimit(reference: MediaReference, maxImageBytes: number): MediaReference {
  const { role, inspectOnly, maxBytes } = reference;
  const isFetched = (role === 'image' || role === 'mask') && !inspectOnly;
  return isFetched ? { ...reference, maxBytes: Math.min(maxBytes, maxImageBytes) } : reference;
}
