/** The uploads that one account or key may have. */
export interface UploadQuota {
  /** Stored at once. */
  storedBytes: number;
  storedFiles: number;
  /** Uploaded in one day of UTC, whatever became of the files. */
  dayBytes: number;
  dayFiles: number;
}

export interface UploadQuotas {
  account: UploadQuota;
  key: UploadQuota;
}

/** The quota's part that one more upload would have exceeded. */
export class UploadQuotaError extends Error {
  readonly scope: keyof UploadQuotas;
  readonly limit: keyof UploadQuota;

  constructor(scope: keyof UploadQuotas, limit: keyof UploadQuota) {
    super(`the ${scope} is at its limit of ${limit}`);
    this.name = 'UploadQuotaError';
    this.scope = scope;
    this.limit = limit;
  }
}

/** In the order of the database's function. */
export function quotaValues({ account, key }: UploadQuotas): number[] {
  return [account, key].flatMap(({ storedBytes, storedFiles, dayBytes, dayFiles }) => [
    storedBytes,
    storedFiles,
    dayBytes,
    dayFiles,
  ]);
}

const LIMITS: Readonly<Record<string, keyof UploadQuota>> = {
  stored_bytes: 'storedBytes',
  stored_files: 'storedFiles',
  day_bytes: 'dayBytes',
  day_files: 'dayFiles',
};

/** @throws UploadQuotaError where the function names a limit, as `account_stored_bytes`. */
export function refuseExcess(exceeded: string | null | undefined): void {
  if (typeof exceeded !== 'string') return;
  const [scope, ...limit] = exceeded.split('_');
  throw new UploadQuotaError(scope === 'key' ? 'key' : 'account', LIMITS[limit.join('_')] ?? 'storedBytes');
}
