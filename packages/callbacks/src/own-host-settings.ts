/** Environment of every process that judges where something may be sent. */
export const ownHostSettings = {
  OWN_HOSTS: {
    type: 'hosts',
    default: [],
    about: 'further names and addresses of this deployment, as gateway.internal: never called back',
  },
} as const;
