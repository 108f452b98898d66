/** No deployment keeps ended tasks for less: whoever keeps what was read of one may rely on it. */
export const RETENTION_MIN_DAYS = 1;
