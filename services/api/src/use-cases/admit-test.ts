import { countOfDay } from '@mediagate/database';
import type { Api } from '../api';
import type { Caller } from './caller';
import { refuseBeyond } from './save-upload';

/**
 * Admits a task of a test key, which nobody pays for: its account has tests left today, and the quotas of files have space for its result.
 *
 * @throws GatewayError `rate_limited`; DayLimitError.
 */
export async function admitTest(
  { database, mediaStore, uploadQuotas }: Pick<Api, 'database' | 'mediaStore' | 'uploadQuotas'>,
  { id: keyId, accountId }: Pick<Caller, 'id' | 'accountId'>,
): Promise<void> {
  const allowed = uploadQuotas();
  await mediaStore.requireQuota({ accountId, keyId }, allowed).catch(refuseBeyond(allowed));
  await countOfDay(database, 'tests', accountId);
}
