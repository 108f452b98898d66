/** Limits of the statements that write for many claims at once. */
export const MAX_BATCH_ITEMS = 64;
export const MAX_WAITING_ITEMS = 5000;
