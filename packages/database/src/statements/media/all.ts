import { completeUpload, releaseUpload } from './complete-upload';
import { findExpiredMedia, markMediaDeleted, pruneMedia } from './expire-media';
import { findKeptObjects, findMedia, findTaskInput, listUploads } from './find-media';
import { findExceededLimit, insertMedia, insertTaskInput, keepUpload, readInputBytes } from './save-media';

export const MEDIA_STATEMENTS = {
  completeUpload,
  findExceededLimit,
  findExpiredMedia,
  findKeptObjects,
  findMedia,
  findTaskInput,
  insertMedia,
  insertTaskInput,
  keepUpload,
  listUploads,
  markMediaDeleted,
  pruneMedia,
  readInputBytes,
  releaseUpload,
};
