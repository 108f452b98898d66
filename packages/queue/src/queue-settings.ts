/** Environment of every service that enqueues, takes or shows jobs. */
export const queueSettings = {
  REDIS_URL: { type: 'url', secret: true, about: 'Redis' },
  REDIS_PREFIX: { type: 'string', default: 'mediagate', about: 'separates deployments that share a Redis' },
} as const;
