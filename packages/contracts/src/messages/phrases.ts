/** Messages within messages, and words that are not ours. */
export const PHRASES = {
  /** Names the field that a message is about, before the message. */
  about_field: '{field}: {problem}',
  /** The own words of a vendor or an earlier release. */
  foreign: '{text}',
  and: '{first} and {rest}',
  or: '{first} or {rest}',
  counted_submissions: 'submissions and uploads',
  counted_reads: 'requests that submit nothing',
  whose_key: 'of this API key',
  whose_keys_made: 'of all API keys together that one key has made',
  whose_users: 'of all users of the account together',
  whose_account: 'of this account',
  with_value: '{field} {value}',
  with_role: '{field} ({role})',
  of_type: '{field} of type {type}',
  as_reference: '{field} (multimodal reference)',
  as_frames: '{field} (image-to-video)',
} as const;
