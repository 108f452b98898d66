/** Environment of every service that keeps files or reads them. */
export const storageSettings = {
  MEDIAGATE_HOME: { type: 'string', default: '.mediagate', about: 'data directory of the filesystem storage' },
  STORAGE_MIN_FREE_MB: {
    type: 'integer',
    default: 256,
    min: 1,
    about: 'space that must be left in the folder of the filesystem storage, or no new work is begun',
  },
} as const;
