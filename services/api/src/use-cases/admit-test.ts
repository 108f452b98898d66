import { countOfDay, type Database } from '@mediagate/database';
import type { MediaStore, UploadQuotas } from '@mediagate/media';
import type { Caller } from './caller';
import { refuseBeyond } from './save-upload';

interface AdmitTestDeps {
  database: Pick<Database, 'countOfDay'>;
  mediaStore: Pick<MediaStore, 'requireQuota'>;
  uploadQuotas(): UploadQuotas;
}

export type AdmitTest = (caller: Pick<Caller, 'id' | 'accountId' | 'isTest'>) => Promise<void>;

/**
 * Admits a task of a test key, which nobody pays for: its account has tests left today, and the quotas of files have space for its result.
 *
 * @throws (the function it returns) GatewayError `rate_limited`; DayLimitError.
 */
export function createAdmitTest({ database, mediaStore, uploadQuotas }: AdmitTestDeps): AdmitTest {
  return async ({ id: keyId, accountId }) => {
    const allowed = uploadQuotas();
    await mediaStore.requireQuota({ accountId, keyId }, allowed).catch(refuseBeyond(allowed));
    await countOfDay(database, 'tests', accountId);
  };
}
