/** Messages within messages, and words that are not ours. */
export const PHRASES = {
  /** The field that a message is about, before it. */
  about_field: '{field}: {problem}',
  /** What a vendor or an earlier release said, in its own words. */
  foreign: '{text}',
  and: '{first} and {rest}',
  or: '{first} or {rest}',
  with_value: '{field} {value}',
  with_role: '{field} ({role})',
  of_type: '{field} of type {type}',
  as_reference: '{field} (multimodal reference)',
  as_frames: '{field} (image-to-video)',
} as const;
