/** Environment of the services that work on files. */
export const workFolderSettings = {
  WORK_FOLDER: {
    type: 'string',
    default: null,
    about: 'folder for files that are worked on, best on a disk; absent: below the folder for temporary files',
  },
} as const;
