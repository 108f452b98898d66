/** Environment of every service that callers or browsers connect to. */
export const connectionSettings = {
  KEEP_ALIVE_SECONDS: {
    type: 'integer',
    // Proxies keep 60 to 120 s: whoever closes first must be the side that sends requests, or it sends one into a closed connection.
    default: 130,
    min: 1,
    max: 3600,
    about: 'how long an idle connection is kept; longer than the proxy in front keeps it',
  },
} as const;
