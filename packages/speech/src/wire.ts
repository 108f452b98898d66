/** Request header: the fence of the worker's claim. */
export const FENCE_HEADER = 'speech-fence';
/** Trailer of the request: how the speech ended. A request that breaks off has none, and then the task's row says how. */
export const END_TRAILER = 'speech-end';
/** `goes_on`: no audio was sent, and another claim of the task follows. */
export const WORKER_ENDS = ['settled', 'failed', 'goes_on'] as const;
export type WorkerEnd = (typeof WORKER_ENDS)[number];
/** Line of the answer: the caller hung up. Every other line is the number of bytes that the caller's socket has taken. */
export const LEFT = 'left';
/** Bytes of one speech that are sent and not yet taken by the caller's socket at most, and one chunk more: sockets between would hold megabytes. */
export const WINDOW_BYTES = 256 * 1024;
/** A connection that carries nothing for so long is probed by the kernel, ten times at one second, and then broken. */
export const PROBE_AFTER_MS = 5000;
