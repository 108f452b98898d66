/** What a key sees of its account: what it made itself, with what its own keys made, or all of it. */
export const KEY_SCOPES = ['own', 'account'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];
