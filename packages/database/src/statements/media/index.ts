export { completeUpload, releaseUpload } from './complete-upload';
export { findExpiredMedia, findReleasedInputs, markMediaDeleted, pruneMedia } from './expire-media';
export { findFirstId, findKeptObjects, findMedia, findTaskInput, listUploads } from './find-media';
export {
  findFingerprints,
  findOwnFingerprints,
  hasFingerprints,
  hasOwnFingerprints,
  insertFingerprints,
  pruneFingerprints,
} from './fingerprints';
export { reportStorage } from './report-storage';
export { areInputsFull, findExceededLimit, insertMedia, insertTaskInput, keepUpload } from './save-media';
