/** A connection to Redis that is given up waits so long, in milliseconds, for its goodbye; also one that never was there. */
export const REDIS_DISCONNECT_TIMEOUT_MS = 200;
