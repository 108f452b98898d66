/** Where a process writes: objects go to the storage, files that are worked on to the work folder. */
export type StoragePlace = 'storage' | 'work';

/** Why a place takes nothing, in operators' words. `docs/runbooks/storage-full.md` has one row for each. */
export const STORAGE_FAULTS = {
  full: 'it has no space left',
  read_only: 'it is read-only',
  denied: 'access is denied',
  no_bucket: 'there is no such bucket',
  wrong_region: 'the bucket is in another region',
  clock_skew: 'the clock of this machine differs too much from that of the storage',
  unknown_host: 'its host name is unknown',
  tls: 'its certificate was not accepted',
  unreachable: 'it cannot be reached',
  busy: 'it answers that it cannot serve now',
  slow: 'it does not answer in time',
  broken: 'it does not give back what was written',
} as const;
export type StorageFaultKind = keyof typeof STORAGE_FAULTS;

/** By code of the system, or by name of an answer of S3. */
const KINDS: Readonly<Record<string, StorageFaultKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  XMinioStorageFull: 'full',
  QuotaExceeded: 'full',
  EROFS: 'read_only',
  EACCES: 'denied',
  EPERM: 'denied',
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  AccountProblem: 'denied',
  InvalidAccessKeyId: 'denied',
  SignatureDoesNotMatch: 'denied',
  ExpiredToken: 'denied',
  InvalidToken: 'denied',
  CredentialsProviderError: 'denied',
  NoSuchBucket: 'no_bucket',
  PermanentRedirect: 'wrong_region',
  AuthorizationHeaderMalformed: 'wrong_region',
  RequestTimeTooSkewed: 'clock_skew',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EPIPE: 'unreachable',
  EIO: 'broken',
  ESTALE: 'broken',
  TimeoutError: 'slow',
  ETIMEDOUT: 'slow',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
  InternalError: 'busy',
};
const TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/;
const BY_STATUS: Readonly<Record<number, StorageFaultKind>> = {
  401: 'denied',
  403: 'denied',
  429: 'busy',
  507: 'full',
};

const ON_A_DISK: ReadonlySet<StorageFaultKind | undefined> = new Set(['full', 'read_only', 'denied', 'broken']);

/** The fault that an error shows at the place that was written to; undefined: none, as where a body ended too soon. */
export function storageFaultIn(error: unknown, place: StoragePlace): StorageFaultKind | undefined {
  const kind = kindOf(error);
  // Bytes for the work folder come over connections of others, whose faults are not the disk's.
  return place === 'work' && !ON_A_DISK.has(kind) ? undefined : kind;
}

function kindOf(error: unknown): StorageFaultKind | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, name, $metadata } = error as {
    code?: unknown;
    name?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  // The code first: the SDK of S3 gives connections that were reset the name `TimeoutError`.
  for (const word of [code, name]) {
    if (typeof word !== 'string') continue;
    if (Object.hasOwn(KINDS, word)) return KINDS[word];
    if (TLS.test(word)) return 'tls';
  }
  const status = $metadata?.httpStatusCode ?? 0;
  return BY_STATUS[status] ?? (status >= 500 ? 'busy' : undefined);
}
