export { type Deadline, startDeadline } from './deadline';
export { EgressError, type EgressReason } from './egress-error';
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
export { lookupPublic, mayBePublic } from './public-host';
export type { Resolve } from './resolver';
