import { withFormer } from '@mediagate/contracts';

/** Environment of every service that keeps files or reads them. */
export const storageSettings = {
  MEDIAGATE_HOME: { type: 'string', default: '.mediagate', about: 'data directory of the filesystem storage' },
  STORAGE_MIN_FREE_MB: {
    type: 'integer',
    default: 256,
    min: 1,
    about: 'space that must be left in the folder of the filesystem storage, or no new work is begun',
  },
  MEDIAGATE_LINK_SECRET: {
    type: 'string',
    secret: true,
    about: 'signs links to stored media, and the addresses that vendors call back',
  },
  MEDIAGATE_PREVIOUS_LINK_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the MEDIAGATE_LINK_SECRET before this one, whose links still open',
  },
} as const;

export interface LinkVariables {
  MEDIAGATE_LINK_SECRET: string;
  MEDIAGATE_PREVIOUS_LINK_SECRET?: string | undefined;
}

/** The secret that signs, and the one before it. @throws Error where both are the same. */
export function linkSecretsOf(config: LinkVariables): [string, ...string[]] {
  const { MEDIAGATE_LINK_SECRET: secret, MEDIAGATE_PREVIOUS_LINK_SECRET: former } = config;
  return withFormer('MEDIAGATE_LINK_SECRET', secret, former);
}
