export { Base64Decoder, usualBase64 } from './base64-decoder';
export { Base64String, escapeStart, resolveEscapes } from './base64-string';
export { ByteCollector } from './byte-collector';
export { type Deadline, startDeadline } from './deadline';
export { EgressError, type EgressReason } from './egress-error';
export { FileWriter, type WriteFailed } from './file-writer';
export {
  createGuardedClient,
  type Download,
  type DownloadOptions,
  type GuardedClient,
  type GuardedClientOptions,
  type IncomingFile,
  type OriginSecret,
  type PostAnswer,
  type PostOptions,
  type StreamOptions,
} from './guarded-client';
export { collect, type FilePart } from './incoming';
export { LongStrings, type StringReceiver } from './long-strings';
export type { Resolve } from './resolver';
export { lookupPublic, mayBePublic } from './url-policy';
