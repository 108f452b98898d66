/** Why a task failed: a text for each reason that has no details of its own, then texts for what only a vendor finds out. */
export const TASK_MESSAGES = {
  no_upstream: 'No available upstream. Please try again later.',
  content_policy: 'The request was rejected by the content policy of the model.',
  banned_prompt: 'Banned prompt content detected.',
  invalid_parameter: 'The model rejected the request parameters.',
  upstream_error: 'The model could not complete the generation.',
  outcome_unknown: 'The generation was interrupted and its outcome is unknown. You were not charged.',
  timeout: 'Task timeout',
  result_unavailable: 'The result of the generation could not be retrieved.',
  bad_media: 'An input file could not be used.',
  caller_left: 'The caller left before the model had begun to answer.',
  internal_error: 'The task could not be completed.',
  cancelled: 'The task was canceled by the operator.',
  cancelled_by_caller: 'The task was canceled at the request of its account.',
  expired_before_start: 'The task was not begun in time.',
  inputs_full:
    'Files of running tasks take all the space of the account or the key. Try again when some of them have ended.',
  parameter_rejected: 'The model rejected the request parameter: {parameter}.',
  operation_unavailable: 'This operation is not available for this task.',
  no_such_operation: 'The model has no such operation.',
  no_beat: 'The sound has no beat that could be counted.',
  result_too_large: 'The result is larger than {limit} KiB.',
} as const;
