/** The pair by which results are signed, with `media.marks: signed`. */
export const signingSettings = {
  MEDIAGATE_SIGNING_CERTIFICATE: {
    type: 'string',
    default: null,
    secret: true,
    about: 'PEM of the certificate that signs results, and of its authorities behind it; media.marks: signed needs it',
  },
  MEDIAGATE_SIGNING_KEY: {
    type: 'string',
    default: null,
    secret: true,
    about: 'PEM of its private key, without a password',
  },
} as const;
