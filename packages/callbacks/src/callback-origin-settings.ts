/** Environment of every process that sends to addresses of callers. */
export const callbackOriginSettings = {
  CALLBACK_ALLOW_ORIGINS: {
    type: 'origins',
    default: [],
    about: 'exact origins beside public ones that callbacks may go to, as http://127.0.0.1:9000 on a laptop',
  },
} as const;
