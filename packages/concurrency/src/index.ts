export { type BatcherOptions, type BatchTally, createBatcher, newTally } from './batcher';
export { LINGER_MS, LINGERING, Linger } from './linger';
export { OpenItems, type Place } from './open-items';
export { Pace, type PaceLimits } from './pace';
export { RepeatedLook } from './repeated-look';
export { type RetryOptions, retry } from './retry';
export type { Held, SlotLimits, Wish } from './share';
export { Slots } from './slots';
export { untilAborted } from './until-aborted';
