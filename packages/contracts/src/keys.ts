/** The part of its account that a key sees: work of its own and of keys that it made, or all of it. */
export const KEY_SCOPES = ['own', 'account'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Limits of a key's settings, whoever sets them. */
export const KEY_NAME_MAX_CHARACTERS = 200;
export const KEY_MAX_MODELS = 100;
/** The column's own. */
export const KEY_MAX_COUNT = 2_147_483_647;
/** Currency units; far below what a 64-bit column of nano-units holds. */
export const KEY_MAX_QUOTA = 100_000_000;
