/** The part of its account that a key sees: work of its own and of keys that it made, or all of it. */
export const KEY_SCOPES = ['own', 'account'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];
