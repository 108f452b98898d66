/** Environment of every process that goes by what operators set over the file. */
export const channelOriginSettings = {
  CHANNEL_ALLOW_ORIGINS: {
    type: 'origins',
    default: [],
    about: 'exact origins beside public ones that channels may lead to which operators set, http://10.0.0.8:9000',
  },
} as const;
