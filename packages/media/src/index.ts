export { type AcceptedFile, acceptFile, type FileLimits } from './accept-file';
export { type CheckedMedia, checkMedia, describeFile } from './check-media';
export { bytesOfInlineFile, decodeDataUrl } from './data-url';
export { isDataUrl, readDataUrlPrefix } from './data-url-prefix';
export { DataUrlReader, type InlineFile } from './data-url-reader';
export type { AnnouncedUpload, DirectUploads, WaitingUpload } from './direct-uploads';
export { createFfmpeg, type Ffmpeg, FfmpegError } from './ffmpeg/ffmpeg';
export type { Cover } from './ffmpeg/make-cover';
export { openFfmpeg } from './ffmpeg/open-ffmpeg';
export { type SampledKind, sampleFrames } from './ffmpeg/sample-frames';
export { createGreySquarer, GREY_SIDE } from './grey-square';
export { MAX_IMAGE_BYTES, withImageLimit } from './image-limit';
export { createProber, PROBE_POOL, type Prober } from './inspect/probe';
export { ImageError, type ImageFacts, inspectImage } from './inspect-image';
export { FILE_KINDS, FILE_MAX_BYTES, type FileKind, judgeUpload, kindOf, type UploadToJudge } from './judge-upload';
export { createLinks, type LinkParts, type LinkState, type Links, mediaIdIn } from './links';
export { createMediaLoader, type MediaLoader } from './load-media';
export { readMedium } from './media-bytes';
export { InputsFullError, MediaError, MediaGoneError } from './media-error';
export {
  MediaStore,
  type MediaToSave,
  type UploadPage,
  type UploadToSave,
} from './media-store';
export { type MediaOwner, type OpenMediaStoreOptions, openMediaStore, openPlaces } from './open-media-store';
export { createOutputFetcher, type OutputFetcher, type OutputFetcherDeps } from './outputs/fetch-output';
export { type FetchedOutput, type MadeOf, OutputError } from './outputs/output';
export { largestOutput, type OutputSource } from './outputs/receive-output';
export { createStepFiles, type OpenStepFiles, type StepFiles } from './outputs/step-files';
export { createWorkFolders, type WorkFolder } from './outputs/work-folder';
export { type PartFile, typeOfPart } from './part-type';
export { extensionOf, KNOWN_TYPES, type MediaType, sniff } from './sniff';
export { type ByteSource, bufferSource } from './sources/byte-source';
export { withSourceOf } from './sources/file-source';
export { toStillImage } from './still-image';
export { type CopiedFiles, copyFiles } from './storage/copy-files';
export { createFilesystemStorage } from './storage/filesystem';
export { openStorage, type StorageSettings } from './storage/open-storage';
export type { S3Settings } from './storage/s3';
export { type ByteRange, ObjectMissingError, type Storage } from './storage/storage';
export { STORAGE_FAULTS, type StorageFaultKind, type StoragePlace } from './storage/storage-fault';
export { watchStorage } from './storage/storage-gauges';
export { probeFaultOf, type StandingFault, StorageHealth } from './storage/storage-health';
export { StorageUnavailableError } from './storage/storage-unavailable-error';
export { type LinkVariables, linkSecretsOf, storageSettings } from './storage-settings';
export type { StoredMedia } from './stored-media';
export { INPUT_LIMITS, type InputOwner, type TaskInputs } from './task-inputs';
export { type UploadQuota, UploadQuotaError, type UploadQuotas } from './upload-quota';
export { workFolderSettings } from './work-folder-settings';
export { type FilesPerResult, WorkSlots, workBytesFor } from './work-slots';
export { freeWorkBytes, type WorkSpace, workFolderOf, workSpaceOf } from './work-space';
export { workSpaceSettings } from './work-space-settings';
