/** The texts of notices: each condition while it stands, and once it is over. */
export const NOTICE_MESSAGES = {
  notice_low_balance: 'The balance of the account {account} is {balance}, below {limit}.',
  notice_low_balance_over: 'The balance of the account {account} is no longer below {limit}.',
  notice_key_quota: 'The API key {key} has used {percent} % of its quota: {left} of {quota} is left.',
  notice_key_quota_over: 'The API key {key} is no longer near its quota.',
  notice_channel_sick: 'The channel {channel} is failing: its tasks go to other channels, or wait.',
  notice_fault_not_accepted: 'Calls do not reach its vendor.',
  notice_fault_upstream_fault: 'Its vendor answers that it failed.',
  notice_fault_operator: 'Its vendor refuses our key, our rights or our balance there.',
  notice_fault_outcome_unknown: 'Its vendor’s answers are lost or cannot be read.',
  notice_channel_sick_over: 'The channel {channel} works again.',
  notice_channel_model_sick:
    'The channel {channel} refuses {model}: tasks of this model go to other channels, or wait. Its other models go on.',
  notice_channel_model_sick_over: 'The channel {channel} serves {model} again.',
  notice_names_unlisted:
    'The vendor of the channel {channel} does not list these names of models, which the channel uses: {names}.',
  notice_names_unlisted_over: 'The vendor of the channel {channel} lists all names of models that the channel uses.',
  notice_callbacks_failing:
    'Callbacks of the account {account} fail: {failed} were not delivered within an hour, {delivered} were.',
  notice_callbacks_failing_over: 'Callbacks of the account {account} no longer fail.',
  notice_audit_violation: 'The audit {audit} of the books found violations: {count}.',
  notice_audit_violation_over: 'The newest audit of the books found no violation.',
  notice_storage_failing:
    'Results cannot be kept: {place} fails in {processes} processes ({fault}). Nothing new is begun until it works.',
  notice_storage_failing_over: 'Results can be kept again: {place} works.',
  notice_books_waiting:
    'The month {month} of the books is not closed: the log says what is in the way (books.waits: {reason}).',
  notice_books_waiting_over: 'Months of the books are closed again.',
  notice_since: 'Since {time}.',
  notice_repeated: 'This is still the case.',
  notice_count: 'Notices: {count}',
  notice_more: 'Further notices: {count}',
  notice_test: 'This is a test: notices arrive here.',
  notice_footer: 'You receive this because notices are sent to this address. Whoever manages them can change that.',
} as const;
