/** Request header: the fence of the worker's claim. */
export const FENCE_HEADER = 'speech-fence';
/** Header of the answer that admits a worker: no other server sends it. */
export const PORT_HEADER = 'speech-port';
/** Trailer of the request: how the speech ended. A request that breaks off has none, and then the task's row says how. */
export const END_TRAILER = 'speech-end';
/** `goes_on`: no audio was sent, and another claim of the task follows. */
export const WORKER_ENDS = ['settled', 'failed', 'goes_on'] as const;
export type WorkerEnd = (typeof WORKER_ENDS)[number];
/** Line of the answer: the caller hung up. Every other line is the number of bytes that the caller's socket has taken. */
export const LEFT = 'left';
/** Bytes of one speech that are sent and not yet taken by the caller's socket at most, and one chunk more: sockets between would hold megabytes. */
export const WINDOW_BYTES = 256 * 1024;
/** The number of taken bytes is repeated this often, however slowly the caller takes them. */
export const REPEAT_AFTER_MS = 20_000;
/**
 * A process that has sent no line for so long, while its worker waits for one, is taken for gone. The time is longer than three repeats, and than
 * the 60 s (`IDLE_TIMEOUT_MS` of the API) after which a caller who takes nothing is cut off, and the API says `left`.
 */
export const SILENT_MS = 75_000;
/** A connection that carries nothing for so long is probed by the kernel, ten times at one second, and then broken. */
export const PROBE_AFTER_MS = 5000;
