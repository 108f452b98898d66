/** How far the API and the reconciler, which must agree, fill a queue. */
export const windowSettings = {
  // About twice what the workers of a family carry at once: with less they wait for the dispatcher, which looks four times a second.
  DISPATCH_WINDOW: {
    type: 'integer',
    default: 500,
    min: 10,
    max: 100_000,
    about: 'tasks of one family at most that wait in Redis to be begun; the others wait in the database',
  },
} as const;
