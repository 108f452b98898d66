export { EgressError, type EgressReason } from './egress-error';
export {
  createGuardedClient,
  type Download,
  type DownloadOptions,
  type GuardedClient,
  type GuardedClientOptions,
  type PostAnswer,
  type PostOptions,
} from './guarded-client';
export type { Resolve } from './resolver';
