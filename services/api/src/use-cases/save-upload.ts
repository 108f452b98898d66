import { GatewayError } from '@mediagate/contracts';
import {
  type AcceptedFile,
  type MediaStore,
  type StoredMedia,
  type UploadQuota,
  UploadQuotaError,
  type UploadQuotas,
} from '@mediagate/media';
import type { Caller } from './caller';

/** @throws GatewayError `rate_limited`, naming the quota's limit. */
export type SaveUpload = (caller: Pick<Caller, 'id' | 'accountId'>, file: AcceptedFile) => Promise<StoredMedia>;

const UPLOAD_LIFETIME_HOURS = 72;
/** Long enough for a batch prepared before a weekend. */
const UPLOAD_LIFETIME_MS = UPLOAD_LIFETIME_HOURS * 60 * 60 * 1000;
/** Files expire at any time, so that it is worth while to look again now and then. */
const STORED_RETRY_SECONDS = 3600;
const MEGABYTE = 1_000_000;

/** Keeps a caller's picture under a link that `image_urls` takes. `quotas` is asked for at every upload. */
export function createSaveUpload(mediaStore: Pick<MediaStore, 'saveUpload'>, quotas: () => UploadQuotas): SaveUpload {
  return async ({ id: keyId, accountId }, { bytes, contentType, width, height }) => {
    const pixels = width === undefined || height === undefined ? {} : { width, height };
    const file = { bytes, contentType, ...pixels, lifetimeMs: UPLOAD_LIFETIME_MS };
    const allowed = quotas();
    return mediaStore.saveUpload({ ...file, accountId, keyId, quotas: allowed }).catch((error: unknown) => {
      throw error instanceof UploadQuotaError ? beyondQuota(error, allowed) : error;
    });
  };
}

function beyondQuota({ scope, limit }: UploadQuotaError, quotas: UploadQuotas): GatewayError {
  const whose = scope === 'account' ? 'The account' : 'This API key';
  const isDaily = limit === 'dayBytes' || limit === 'dayFiles';
  const what = amount(quotas[scope], limit);
  const message = isDaily
    ? `${whose} may upload ${what} a day (UTC).`
    : `${whose} may keep ${what} at once; they expire ${UPLOAD_LIFETIME_HOURS} hours after their upload.`;
  return new GatewayError('rate_limited', message, {
    retryAfterSeconds: isDaily ? secondsToMidnight(Date.now()) : STORED_RETRY_SECONDS,
  });
}

function amount(quota: UploadQuota, limit: keyof UploadQuota): string {
  const isFiles = limit === 'storedFiles' || limit === 'dayFiles';
  return isFiles ? `at most ${quota[limit]} files` : `at most ${quota[limit] / MEGABYTE} MB of files`;
}

function secondsToMidnight(nowMs: number): number {
  const dayMs = 24 * 60 * 60 * 1000;
  return Math.ceil((dayMs - (nowMs % dayMs)) / 1000);
}
