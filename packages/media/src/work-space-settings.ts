/** Environment of those that fetch results, which are large. */
export const workSpaceSettings = {
  WORK_FOLDER_MB: {
    type: 'integer',
    default: 5120,
    min: 2048,
    about: 'what files that are worked on may take of WORK_FOLDER; no more than its volume has',
  },
} as const;
