import { completeUpload, releaseUpload } from './complete-upload';
import { findExpiredMedia, findReleasedInputs, markMediaDeleted, pruneMedia } from './expire-media';
import { findFirstId, findKeptObjects, findMedia, findTaskInput, listUploads } from './find-media';
import { reportStorage } from './report-storage';
import { areInputsFull, findExceededLimit, insertMedia, insertTaskInput, keepUpload } from './save-media';

export const MEDIA_STATEMENTS = {
  areInputsFull,
  completeUpload,
  findExceededLimit,
  findExpiredMedia,
  findFirstId,
  findKeptObjects,
  findMedia,
  findReleasedInputs,
  findTaskInput,
  insertMedia,
  insertTaskInput,
  keepUpload,
  listUploads,
  markMediaDeleted,
  pruneMedia,
  releaseUpload,
  reportStorage,
};
