import { GatewayError, message } from '@mediagate/contracts';
import type { StoredMedia } from '@mediagate/media';
import type { Request } from 'express';
import type { Api } from '../../../api';

/**
 * The file behind a signed link. Only who holds a genuine link learns whether the file exists.
 *
 * @throws GatewayError `not_found`, `permission` (forged), `gone` (expired or removed).
 */
export async function findFile(
  request: Request,
  { links, mediaStore, publicBaseUrl }: Pick<Api, 'links' | 'mediaStore' | 'publicBaseUrl'>,
): Promise<StoredMedia> {
  const link = links.parseOwnUrl(publicUrl(request, publicBaseUrl));
  if (!link) throw unknown();
  switch (links.verify(link.id, link.expires, link.signature)) {
    case 'forged':
      throw new GatewayError('permission', message('link_unsigned'));
    case 'expired':
      throw gone();
    default: {
      const file = await mediaStore.find(link.id);
      if (!file) throw unknown();
      if (file.deletedAt !== undefined) throw gone();
      return file;
    }
  }
}

export function gone(): GatewayError {
  return new GatewayError('gone', message('file_expired'));
}

function unknown(): GatewayError {
  return new GatewayError('not_found', message('file_not_found'));
}

/** The link as it was given out, whatever a proxy has made of the address on the way here. */
function publicUrl(request: Request, publicBaseUrl: string): string {
  const { name, extension } = request.params;
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  return `${publicBaseUrl}/v1/files/${encodeURIComponent(`${String(name)}.${String(extension)}`)}${query}`;
}
