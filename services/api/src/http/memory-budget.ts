import { GatewayError } from '@mediagate/contracts';

/** Bytes of request bodies that one process holds in memory at once, over all its requests. */
export interface MemoryBudget {
  lease(): MemoryLease;
}

/** One request's part of the budget. */
export interface MemoryLease {
  /** False when the budget is spent: the request must be given up. */
  take(bytes: number): boolean;
  release(): void;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let taken = 0;
  return {
    lease() {
      let mine = 0;
      return {
        take(bytes) {
          if (taken + bytes > maxBytes) return false;
          taken += bytes;
          mine += bytes;
          return true;
        },
        release() {
          taken -= mine;
          mine = 0;
        },
      };
    },
  };
}

export function memorySpent(): GatewayError {
  return new GatewayError('unavailable', 'Too many large requests are in progress. Please try again in a moment.', {
    retryAfterSeconds: 2,
    internal: 'the memory budget is spent',
  });
}
