import { GatewayError, message } from '@mediagate/contracts';
import {
  type AcceptedFile,
  judgeUpload,
  MediaError,
  type StoredMedia,
  UploadQuotaError,
  type UploadQuotas,
  type UploadToJudge,
} from '@mediagate/media';
import type { Api } from '../api';
import { type Caller, requireActive } from './caller';
import { CallerLeftError } from './caller-connection';

const UPLOAD_LIFETIME_HOURS = 72;
/** Long enough for a batch prepared before a weekend. */
export const UPLOAD_LIFETIME_MS = UPLOAD_LIFETIME_HOURS * 60 * 60 * 1000;
/** Files expire at any time, so that it is worth while to look again now and then. */
const STORED_RETRY_SECONDS = 3600;
const MEGABYTE = 1_000_000;
/** The name of a file in messages. */
export const FILE_FIELD = 'file';

/**
 * Judges a file of any kind that has arrived.
 *
 * @throws GatewayError `invalid_request`, `body_too_large`, and what `takeMemory` throws. CallerLeftError.
 */
export async function judgeArrived(
  { prober, maxImageBytes }: Pick<Api, 'prober' | 'maxImageBytes'>,
  { field = FILE_FIELD, ...file }: Omit<UploadToJudge, 'field' | 'maxImageBytes'> & { field?: string },
): Promise<AcceptedFile> {
  return judgeUpload(prober, { ...file, field, maxImageBytes }).catch((error: unknown) => {
    if (file.signal.aborted) throw new CallerLeftError();
    if (!(error instanceof MediaError)) throw error;
    if (error.tooLarge) throw new GatewayError('body_too_large', error.problem, { param: error.field });
    throw new GatewayError('invalid_request', error.problem, { reason: 'bad_media', param: error.field });
  });
}

/**
 * Keeps a caller's file under a link and an id that submissions take.
 *
 * @throws GatewayError `rate_limited`, naming the quota's limit; `permission`: the account is suspended or closed.
 */
export async function saveUpload(
  { mediaStore, uploadQuotas }: Pick<Api, 'mediaStore' | 'uploadQuotas'>,
  { id: keyId, accountId, accountState }: Pick<Caller, 'id' | 'accountId' | 'accountState'>,
  file: AcceptedFile,
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

const DAY_MS = 24 * 60 * 60 * 1000;

/** Seconds until the next day begins in UTC; daily limits count by UTC days. */
export function secondsToMidnight(nowMs = Date.now()): number {
  return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);
}
