/** What no model of the native text endpoint goes beyond, in tokens. */
export const LONGEST_CONTEXT = 1_048_576;
/** Of one candidate, thoughts included. */
export const LONGEST_CANDIDATE = 65_536;
export const MAX_CANDIDATES = 8;
