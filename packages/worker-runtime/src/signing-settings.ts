/** The pair by which results are signed, where the deployment or an account wants that. */
export const signingSettings = {
  MEDIAGATE_SIGNING_CERTIFICATE: {
    type: 'string',
    default: null,
    secret: true,
    about:
      'PEM of the certificate that signs results, and of its authorities behind it; media.marks: signed needs it, and so does an account with marks: signed; or secret:signing.NAME, of the secrets that the database keeps',
  },
  MEDIAGATE_SIGNING_KEY: {
    type: 'string',
    default: null,
    secret: true,
    about: 'PEM of its private key, without a password; or secret:signing.NAME',
  },
  MEDIAGATE_SIGNING_REVOCATIONS: {
    type: 'string',
    default: null,
    secret: true,
    about:
      'PEM of its authorities’ lists of revoked certificates (X509 CRL): nothing is signed by one that stands there; or secret:signing.NAME; absent: nobody is asked',
  },
} as const;
