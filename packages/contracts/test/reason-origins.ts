import type { Reason } from '../src';

/** A test by its file and its name, as both are written there. */
type TestName = readonly [file: string, name: string];

const API = 'services/api/src';
const PUBLIC = `${API}/routes/public`;
const OPERATORS = `${API}/routes/operators`;

/** For each reason a test in which it arises where it does in production: asked for over HTTP, or in the process that ends tasks. */
export const REASON_ORIGINS: Readonly<Record<Reason, TestName>> = {
  invalid_request: [`${PUBLIC}/imgtool/errors.int.test.ts`, '%s is %i for the reason %s'],
  missing_parameter: [`${PUBLIC}/text/refusals.int.test.ts`, '%s: by its reason'],
  invalid_parameter: [`${PUBLIC}/text/refusals.int.test.ts`, 'names the field that is wrong'],
  conflicting_parameters: [
    `${PUBLIC}/videos/create-generation.int.test.ts`,
    'refuses %s by its field, and keeps nothing of it',
  ],
  unsupported_parameter: [`${PUBLIC}/tasks/max-cost.int.test.ts`, 'is refused of a speech, whose caller may hang up'],
  unknown_model: [`${PUBLIC}/text/refusals.int.test.ts`, '%s: by its reason'],
  test_unavailable: [
    `${PUBLIC}/keys/keys.int.test.ts`,
    'POST %s is refused where no channel of tests serves the family, by a reason that says so',
  ],
  bad_media: [`${PUBLIC}/videos/create-generation.int.test.ts`, 'refuses %s by its field, and keeps nothing of it'],
  content_policy: [
    `${API}/use-cases/review-content.int.test.ts`,
    'refuses what is flagged, naming the categories; nothing is written or charged',
  ],
  unauthenticated: [
    'services/api/test/wrong-inputs.int.test.ts',
    '%s answers 401 without a key, before it looks at anything else',
  ],
  insufficient_balance: [
    `${PUBLIC}/images/create-generation.402.int.test.ts`,
    'answers 402 in the shape of the specification and writes nothing',
  ],
  max_cost_exceeded: [
    `${PUBLIC}/tasks/max-cost.int.test.ts`,
    'is kept to, to the nano-unit: the price itself is enough, and anything below is not',
  ],
  key_revoked: [`${API}/http/access/access.int.test.ts`, 'refuses a revoked key, and the old secret of a rotated one'],
  key_expired: [`${PUBLIC}/keys/keys.int.test.ts`, 'ends a key at its time, with an answer that says so'],
  permission_denied: [
    `${PUBLIC}/files/serve-file.int.test.ts`,
    'answers 403 to a link it never signed, whatever is behind it',
  ],
  key_not_permitted: [
    `${API}/http/access/access.int.test.ts`,
    'says which field names the model, and lets the others be used',
  ],
  too_many_keys: [`${PUBLIC}/keys/keys.int.test.ts`, '409: makes no more keys than an account may have'],
  not_found: [`${API}/http/access/access.int.test.ts`, '%s answers 404 as JSON, key or not'],
  method_not_allowed: [`${PUBLIC}/imgtool/errors.int.test.ts`, '%s is %i for the reason %s'],
  request_timeout: ['services/api/test/refused-bodies.int.test.ts', 'that comes too slowly is refused by that reason'],
  idempotency_conflict: [
    `${API}/use-cases/idempotency.int.test.ts`,
    'sees the same request whatever the order of its fields, and another in any other field',
  ],
  callback_pending: [
    `${PUBLIC}/tasks/deliveries.int.test.ts`,
    '409: changes nothing before the task has ended and while the callback is pending',
  ],
  secret_overlapping: [
    `${PUBLIC}/webhooks/webhooks.int.test.ts`,
    '409: is not replaced again while two are valid, unless every earlier one is to end',
  ],
  too_many_targets: [`${PUBLIC}/notices/notices.int.test.ts`, '409: makes no more targets than an owner may have'],
  account_suspended: [
    `${OPERATORS}/operators.int.test.ts`,
    '403: takes no work while it is suspended, in any language, and what has begun goes on',
  ],
  account_closed: [
    `${OPERATORS}/operators.int.test.ts`,
    '403: takes nothing in once it is closed, and keeps its balance',
  ],
  wrong_state: [`${OPERATORS}/operators.int.test.ts`, '409: is not moved where its state does not lead'],
  already_done: [`${OPERATORS}/operators.int.test.ts`, '409: books a payment’s reference once'],
  direct_upload_unavailable: [`${PUBLIC}/files/files.int.test.ts`, 'have no link where the storage is a disk: 409'],
  upload_missing: [
    `${PUBLIC}/files/files.int.test.ts`,
    '409: is not there before it was sent, and may be completed later',
  ],
  link_expired: [
    `${PUBLIC}/files/serve-file.int.test.ts`,
    'answers 410 once the link has expired, and once the bytes were removed',
  ],
  payload_too_large: [`${PUBLIC}/uploads/upload-image.int.test.ts`, '20 MB and one byte %s: 413'],
  unsupported_media_type: [`${PUBLIC}/imgtool/errors.int.test.ts`, '%s is %i for the reason %s'],
  range_not_satisfiable: [
    `${PUBLIC}/files/serve-file.int.test.ts`,
    'answers a part beyond the end with 416, in the shape of an error',
  ],
  rate_limited: [
    `${API}/http/limits/rate-limit.int.test.ts`,
    'let so many through and answer the rest with 429, which costs nothing',
  ],
  review_unavailable: [
    `${API}/use-cases/review-content.int.test.ts`,
    'fails closed when the reviewer does %s: 502, nothing written',
  ],
  no_upstream: [`${PUBLIC}/text/refusals.int.test.ts`, '%s: by its reason'],
  upstream_error: [
    'packages/worker-runtime/test/waiting.int.test.ts',
    'is ended by the upstream’s own word that it %s',
  ],
  outcome_unknown: [`${PUBLIC}/text/cuts.int.test.ts`, 'a whole answer that %s: 502 and a refund'],
  result_unavailable: ['packages/worker-runtime/test/money.int.test.ts', 'is nothing when a success comes with %s'],
  timeout: [
    'services/reconciler/test/expire-tasks.int.test.ts',
    'fails what has run past its deadline, refunds it, and writes and enqueues its callback',
  ],
  expired_before_start: [
    'services/reconciler/test/expire-unstarted-tasks.int.test.ts',
    'fails and refunds what was not begun in time, with its callback, and leaves all else alone',
  ],
  caller_left: [
    'packages/worker-runtime/test/synchronous.int.test.ts',
    'with the process that he waited in is nobody either',
  ],
  cancelled: [
    `${PUBLIC}/tasks/cancel-task.int.test.ts`,
    '200: a task that waits fails as cancelled, its money is released, and its callback is due',
  ],
  not_cancellable: [
    `${PUBLIC}/text/cancel.int.test.ts`,
    'in the middle of a stream ends it, and pays for what came: 409',
  ],
  still_running: [
    `${PUBLIC}/openai/create-image.int.test.ts`,
    'answers 504 with the task when the process ends before it, and nothing is lost',
  ],
  service_unavailable: [`${API}/use-cases/submit-task.outage.int.test.ts`, 'are answered 503 when it %s'],
  internal_error: [`${PUBLIC}/imgtool/errors.int.test.ts`, '%s is %i for the reason %s'],
};
