/** Environment of every process that holds keys of vendors. */
export const vendorSecretSettings = {
  MEDIAGATE_SEALING_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: "opens the vendors' keys that the database keeps: 32 random characters at least, the same everywhere",
  },
  MEDIAGATE_PREVIOUS_SEALING_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_SEALING_SECRET before this one, under which older keys are still opened',
  },
} as const;
