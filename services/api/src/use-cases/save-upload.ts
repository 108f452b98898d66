import { GatewayError, message } from '@mediagate/contracts';
import { type JudgedFile, type StoredMedia, UploadQuotaError, type UploadQuotas } from '@mediagate/media';
import type { Api } from '../api';
import { type Caller, requireActive } from './caller';
import { secondsToMidnight } from './seconds-to-midnight';

const UPLOAD_LIFETIME_HOURS = 72;
/** Long enough for a batch prepared before a weekend. */
export const UPLOAD_LIFETIME_MS = UPLOAD_LIFETIME_HOURS * 60 * 60 * 1000;
/** Files expire at any time, so that it is worth while to look again now and then. */
const STORED_RETRY_SECONDS = 3600;
const MEGABYTE = 1_000_000;

/**
 * Keeps a caller's file under a link and an id that submissions take.
 *
 * @throws GatewayError `rate_limited`, naming the quota's limit; `permission`: the account is suspended or closed.
 */
export async function saveUpload(
  { mediaStore, uploadQuotas }: Pick<Api, 'mediaStore' | 'uploadQuotas'>,
  { id: keyId, accountId, accountState }: Pick<Caller, 'id' | 'accountId' | 'accountState'>,
  file: JudgedFile,
): Promise<StoredMedia> {
  requireActive({ accountState });
  const quotas = uploadQuotas();
  const upload = { ...file, lifetimeMs: UPLOAD_LIFETIME_MS, accountId, keyId, quotas };
  return mediaStore.saveUpload(upload).catch(refuseBeyond(quotas));
}

/** Says to a caller which quota is spent. */
export function refuseBeyond(quotas: UploadQuotas): (error: unknown) => never {
  return (error) => {
    throw error instanceof UploadQuotaError ? beyondQuota(error, quotas) : error;
  };
}

function beyondQuota({ scope, limit }: UploadQuotaError, quotas: UploadQuotas): GatewayError {
  const isDaily = limit === 'dayBytes' || limit === 'dayFiles';
  const isFiles = limit === 'storedFiles' || limit === 'dayFiles';
  const unit = isFiles ? 'files' : 'megabytes';
  const most = isFiles ? quotas[scope][limit] : quotas[scope][limit] / MEGABYTE;
  const exceeded = isDaily
    ? message(`${scope}_${unit}_a_day`, { limit: most })
    : message(`${scope}_${unit}_at_once`, { limit: most, hours: UPLOAD_LIFETIME_HOURS });
  return new GatewayError('rate_limited', exceeded, {
    retryAfterSeconds: isDaily ? secondsToMidnight() : STORED_RETRY_SECONDS,
  });
}
