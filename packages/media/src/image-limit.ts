import type { MediaReference } from '@mediagate/contracts';

/** Of an image, where the deployment says nothing else. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** The deployment's own limit of images that it fetches; those that a vendor fetches by itself have the model's alone. */
export function withImageLimit(reference: MediaReference, maxImageBytes: number): MediaReference {
  const { role, inspectOnly, maxBytes } = reference;
  const isFetched = (role === 'image' || role === 'mask') && !inspectOnly;
  return isFetched ? { ...reference, maxBytes: Math.min(maxBytes, maxImageBytes) } : reference;
}
