/** Why something was refused or failed, for callers' programs. */
interface ReasonEntry {
  /** Whether the same request may succeed when it is sent again: `no`, `yes`, or `later`, once the obstacle has passed. */
  retry: 'no' | 'yes' | 'later';
  meaning: string;
  /** The steps that the caller can take. */
  advice: string;
  /** The work asked for may still be charged. Absent: it is not. */
  charged?: true;
}

/**
 * Every `reason` that an error answer or the `error` of a failed task may carry. A word keeps its meaning for good; new
 * ones may be added. `npm run reference` writes the table of `docs/api.md` from it.
 */
export const REASONS = {
  invalid_request: {
    retry: 'no',
    meaning:
      'the request as a whole cannot be read: not HTTP, JSON or a form as it should be; or its client means another path, which the message names',
    advice: 'correct how the request is made',
  },
  missing_parameter: {
    retry: 'no',
    meaning: 'a field that is needed is missing or blank',
    advice: 'send the field in `param`',
  },
  invalid_parameter: {
    retry: 'no',
    meaning:
      'a field has the wrong type or form, is out of range, or does not go with the task that it names; or the model rejected it',
    advice: 'correct the field in `param`, or, without one, what the message names',
  },
  conflicting_parameters: {
    retry: 'no',
    meaning: 'fields that are right by themselves exclude each other',
    advice: 'leave one of them out or change it, as the message says',
  },
  unsupported_parameter: {
    retry: 'no',
    meaning: 'the route or model does not take the field',
    advice: 'leave the field out',
  },
  unknown_model: {
    retry: 'no',
    meaning: 'there is no such model on this route, or none that is served now',
    advice: 'choose one that the message or `GET /models` lists',
  },
  test_unavailable: {
    retry: 'no',
    meaning: 'the key is a test key, and no test channel serves the family or the model',
    advice: 'use a live key, or ask the operator for a test channel',
  },
  bad_media: {
    retry: 'no',
    meaning: 'a file cannot be used: it cannot be fetched or read, or breaks a limit',
    advice: 'correct or replace the file in `param`',
  },
  content_policy: {
    retry: 'no',
    meaning: 'a review or the model refused the content',
    advice: 'change the prompt or the images; the same again is refused again',
  },
  unauthenticated: {
    retry: 'no',
    meaning: 'no API key, more than one, or one that is wrong',
    advice: 'send a valid key',
  },
  key_revoked: {
    retry: 'no',
    meaning: 'the API key, or the one that made it, was revoked',
    advice: 'use another key',
  },
  key_expired: {
    retry: 'no',
    meaning: 'the API key, or the one that made it, has expired',
    advice: 'use another key, or have its `expires_at` moved',
  },
  insufficient_balance: {
    retry: 'later',
    meaning: 'the balance or quota is too small for the most that the task can cost',
    advice: 'top up, wait until running tasks free what they hold, or ask for less',
  },
  max_cost_exceeded: {
    retry: 'no',
    meaning: 'the task can cost more than `max_cost`, or the header `Max-Cost` of a text, allows',
    advice: 'allow at least `required`, or ask for less',
  },
  permission_denied: {
    retry: 'no',
    meaning: 'the signature of a link is missing or wrong',
    advice: 'use the link as it was given',
  },
  key_not_permitted: {
    retry: 'no',
    meaning:
      'the key, or the one that made it, may not use the family or model, or manage what it asks for, or sees only its own work where all of the account’s is shown',
    advice: 'use a key that may',
  },
  not_found: {
    retry: 'no',
    meaning: 'there is no such endpoint, task or file',
    advice: 'check the path or id',
  },
  method_not_allowed: {
    retry: 'no',
    meaning: 'the path has no such method',
    advice: 'use one that `Allow` names',
  },
  request_timeout: {
    retry: 'later',
    meaning: 'the request did not arrive in time',
    advice: 'send it again, faster',
  },
  idempotency_conflict: {
    retry: 'no',
    meaning: 'the `Idempotency-Key` was used for another request, or for one whose answer is not kept',
    advice: 'use a new key for a new request',
  },
  callback_pending: {
    retry: 'later',
    meaning: 'the callback cannot be sent again: it is still on its way, or the task has not ended',
    advice: 'wait until `callback.state` is no longer `pending`',
  },
  secret_overlapping: {
    retry: 'later',
    meaning: 'the secret of callbacks was replaced lately, and the one before is still valid',
    advice: 'wait until `previous_valid_until`; or send `overlap_seconds: 0`, which ends every earlier secret at once',
  },
  already_done: {
    retry: 'no',
    meaning:
      'what may be done once was done before: a payment of this reference is booked, the task is refunded, or the attempt resolved by the same word',
    advice: 'nothing is to be done; read what was booked',
  },
  too_many_keys: {
    retry: 'no',
    meaning: 'the account has as many API keys as it may',
    advice: 'revoke one that is not needed',
  },
  too_many_targets: {
    retry: 'no',
    meaning: 'there are as many targets of notices as there may be',
    advice: 'remove one that is not needed',
  },
  account_suspended: {
    retry: 'later',
    meaning: 'the account is suspended: it takes no new tasks, and those that have begun go on',
    advice: 'ask who operates the service',
  },
  account_closed: {
    retry: 'no',
    meaning: 'the account is closed: it takes no tasks, files or payments',
    advice: 'ask who operates the service',
  },
  wrong_state: {
    retry: 'no',
    meaning: 'what an operator asked to change is in a state that does not allow it',
    advice: 'read it, and change what its state allows',
  },
  direct_upload_unavailable: {
    retry: 'no',
    meaning: 'the service keeps files on its own disk, to which nobody else can write',
    advice: 'send the file to `POST /v1/files`',
  },
  upload_missing: {
    retry: 'later',
    meaning: 'a file was to be completed, and nothing was sent to its link yet',
    advice: 'send the file to its link, then complete it',
  },
  link_expired: {
    retry: 'no',
    meaning: 'the link has expired and its file is gone',
    advice: 'make the result or upload anew',
  },
  payload_too_large: {
    retry: 'no',
    meaning: 'the body, a file in it or the headers are too large',
    advice: 'send less',
  },
  unsupported_media_type: {
    retry: 'no',
    meaning: 'the body has a content type or encoding that the route does not take',
    advice: 'send it as the message says',
  },
  range_not_satisfiable: {
    retry: 'no',
    meaning: 'the range begins beyond the end of the file',
    advice: 'ask for a range within it',
  },
  rate_limited: {
    retry: 'later',
    meaning: 'too many requests, uploads or redeliveries, or the key runs as many tasks at once as it may',
    advice: 'wait for `Retry-After` seconds',
  },
  review_unavailable: {
    retry: 'later',
    meaning: 'the review that was asked for could not be had',
    advice: 'try again later; nothing was charged',
  },
  no_upstream: {
    retry: 'later',
    meaning: 'no provider of the model can take the work now',
    advice: 'try again later',
  },
  upstream_error: {
    retry: 'yes',
    meaning: 'the provider of the model took the work and could not complete it',
    advice: 'try again; if it goes on, change the request',
  },
  outcome_unknown: {
    retry: 'yes',
    meaning: 'the work was interrupted, and whether it was done is not known',
    advice: 'submit again; nothing was charged',
  },
  result_unavailable: {
    retry: 'yes',
    meaning: 'the work was done and its result could not be fetched',
    advice: 'submit again; nothing was charged',
  },
  timeout: {
    retry: 'yes',
    meaning: 'the task did not end in time',
    advice: 'submit again; nothing was charged',
  },
  expired_before_start: {
    retry: 'yes',
    meaning:
      'no work on the task had begun when its `expires_in` was over; or a day after its submission, of the image tool',
    advice: 'submit again; nothing was charged',
  },
  caller_left: {
    retry: 'yes',
    meaning:
      'nobody was found who waits for a speech or text before the model answered: its caller had left, or the service had lost the connection to it',
    advice: 'submit again, and keep the connection open',
  },
  cancelled: {
    retry: 'yes',
    meaning: 'its caller or the operator cancelled the task',
    advice: 'submit again if it is still wanted',
  },
  not_cancellable: {
    retry: 'no',
    meaning: 'the task has ended, or its work can no longer be stopped and is charged when it is completed',
    advice:
      'read the task: it ends as if nobody had asked, or the cancellation still takes effect, as the message says',
    charged: true,
  },
  still_running: {
    retry: 'no',
    meaning: 'the task did not end while its caller waited; it goes on, and is charged when it is completed',
    advice:
      'read the task that `X-Task-Id` names; the same request again would be a second task, unless it has the `Idempotency-Key` of the first',
    charged: true,
  },
  service_unavailable: {
    retry: 'later',
    meaning: 'the service cannot take work now',
    advice: 'wait for `Retry-After` seconds and try again',
  },
  internal_error: {
    retry: 'yes',
    meaning: 'a fault of the service',
    advice: 'try again; if it goes on, quote the `request_id`',
  },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type Reason = keyof typeof REASONS;

export function isReason(value: unknown): value is Reason {
  return typeof value === 'string' && Object.hasOwn(REASONS, value);
}
