export {
  INVARIANTS,
  type KeyedRequest,
  type LedgerRow,
  type UsageGroups,
  type UsageQuery,
  type UsageRow,
} from '@mediagate/database';
export {
  type AccountSummary,
  accountOf,
  adjust,
  createAccount,
  type Funding,
  listAccounts,
  type NewAccount,
  openAccount,
  readAccount,
  topUp,
} from './accounts';
export { audit, type Violation } from './audit';
export { type Balance, findShortage, readAccountBalance, readKeyBalance } from './balance';
export { createEarlierFinder, type EarlierSubmission } from './find-earlier';
export {
  type AttemptEnd,
  CANCELLED_BY_CALLER,
  type CallMade,
  cancelUnpaid,
  createFinisher,
  type Finish,
  type Finished,
  type TaskError,
  taskError,
} from './finish';
export { type ApiKeyParts, formatApiKey, hashesMatch, hashSecret, newApiKey, parseApiKey } from './keys/api-key';
export {
  createKey,
  createKeyFinder,
  findKey,
  type IssuedKey,
  type KeyRecord,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  UnknownAccountError,
} from './keys/manage-keys';
export { type LedgerPage, listLedger } from './ledger';
export { pruneIdempotencyKeys } from './prune';
export type { Shortage, Submission, SubmitOutcome } from './submission';
export { createSubmitter } from './submit';
export { sumUsage } from './usage';
