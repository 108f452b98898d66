import { unixSeconds } from '@mediagate/contracts';
import type { FoundFingerprint } from '@mediagate/database';
import type { Origin } from './find-origin';

/** A file's origin as answers have it. */
export function describeOrigin({ contentType, sources, compared, results }: Origin) {
  return { content_type: contentType, sources, compared, results: results.map(describeResult) };
}

function describeResult({ taskId, output, kind, isSame, distance, createdAt }: FoundFingerprint) {
  const created = unixSeconds(createdAt);
  return { task_id: taskId, output, kind, same_bytes: isSame, distance: isSame ? 0 : distance, created_at: created };
}

/** The same for operators, who see the account of each result. */
export function describeOriginOfAny(origin: Origin) {
  const results = origin.results.map((found) => ({ ...describeResult(found), account_id: found.accountId }));
  return { ...describeOrigin(origin), results };
}
