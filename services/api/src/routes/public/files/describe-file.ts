import { fileIdOf, type JsonObject, unixSeconds } from '@mediagate/contracts';
import { kindOf, type StoredMedia } from '@mediagate/media';

/** The `FileRecord` of the API. */
export function describeFile(file: StoredMedia): JsonObject {
  const { width = null, height = null, seconds, pages = null } = file;
  return {
    id: fileIdOf(file.id),
    url: file.url,
    kind: kindOf(file.contentType),
    content_type: file.contentType,
    bytes: file.bytes,
    width,
    height,
    duration: seconds === undefined ? null : Math.round(seconds * 1000) / 1000,
    pages,
    created_at: unixSeconds(file.createdAt),
    expires_at: unixSeconds(file.expiresAt),
  };
}
