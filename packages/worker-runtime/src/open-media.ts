import { openVendorSealer, readSigningSecret } from '@mediagate/channels';
import type { Database } from '@mediagate/database';
import { createGuardedClient } from '@mediagate/egress';
import { ConfigError, type Logger, type Scope } from '@mediagate/host';
import {
  createMediaLoader,
  createOutputFetcher,
  createProber,
  createStepFiles,
  type Ffmpeg,
  FfmpegError,
  freeWorkBytes,
  largestOutput,
  openFfmpeg,
  openMediaStore,
  WorkSlots,
  watchStorage,
  workBytesFor,
  workSpaceOf,
} from '@mediagate/media';
import type { Settings } from '@mediagate/settings';
import type { LookupFor } from '@mediagate/upstreams';
import { followSigner } from './follow-signer';
import { createResultMarker, filesPerResult, markPolicyOf } from './mark-result';
import { createPemReader, watchSigner } from './open-signer';
import type { WorkerDeps } from './worker-deps';
import { type WorkerConfig, workerSettings } from './worker-settings';

const MIB = 1024 * 1024;

export interface MediaParts {
  settings: Settings;
  config: WorkerConfig;
  ffmpeg: Ffmpeg | undefined;
  lookupFor: LookupFor;
  /** Between two looks at the certificate. */
  signerEveryMs?: number | undefined;
}

type MediaDeps =
  | 'store'
  | 'whyNotKept'
  | 'loadMedia'
  | 'fetchOutput'
  | 'openFiles'
  | 'marksOf'
  | 'markResult'
  | 'mustBePublic';

/** Where a worker keeps results, and how it gets at files of callers and vendors. */
export async function openMedia(
  scope: Scope,
  database: Database,
  { settings: { media, storage }, config, ffmpeg, lookupFor, signerEveryMs: everyMs }: MediaParts,
): Promise<Pick<WorkerDeps, MediaDeps>> {
  const { metrics: register, logger } = scope;
  const clock = () => new Date();
  const signer = await followSigner(scope, { read: pemReader(config, database), deployment: media, clock, everyMs });
  const freeBytes = await freeBytesOfVolume(config, media);
  const store = await openMediaStore(scope, database, { storage, config, publicBaseUrl: config.PUBLIC_BASE_URL });
  watchStorage(scope.metrics, store.health);
  const marksOf: WorkerDeps['marksOf'] = ({ ownMarks }) => markPolicyOf(media, ownMarks);
  const unsignable = watchSigner(signer, media, { scope, clock });
  const client = createGuardedClient({ ...media, allowOrigins: [] });
  const work = workSpaceOf(config, scope.one(WorkSlots), { freeBytes, filesPerResult: filesPerResult(media.marks) });
  const tools = { client, prober: createProber(), work, ...(ffmpeg && { ffmpeg }) };
  const fetchOutput = createOutputFetcher({ ...tools, maxVideoBytes: media.maxVideoMb * MIB });
  return {
    store,
    whyNotKept(task) {
      if (store.health.fault() !== undefined) return 'storage_failing';
      return unsignable(marksOf(task)) === undefined ? undefined : 'signing_failing';
    },
    loadMedia: createMediaLoader({
      client,
      store,
      prober: tools.prober,
      maxImageBytes: media.maxImageMb * MIB,
      fileTimeoutMs: media.downloadTimeoutSeconds * 1000,
    }),
    fetchOutput: (output, source) => store.health.use('work', () => fetchOutput(output, source)),
    // A disk that took no answer takes no other: nothing more is begun until a probe has passed.
    openFiles: createStepFiles(work, (error, bytes) => {
      void store.health.use('work', () => Promise.reject(error), bytes).catch(() => undefined);
    }),
    marksOf,
    markResult: createResultMarker({ register, logger, signer, clock }),
    mustBePublic: (origin) => lookupFor(origin) !== undefined,
  };
}

function pemReader(config: WorkerConfig, database: Database) {
  const sealer = openVendorSealer(config);
  return createPemReader(config, (name) => readSigningSecret({ database, sealer }, name));
}

/**
 * Bytes that are free for the work folder, whose setting has room for the largest result that the operator's file allows.
 *
 * @throws ConfigError where the folder may never hold the largest one.
 */
export async function freeBytesOfVolume(
  config: Pick<WorkerConfig, 'WORK_FOLDER' | 'WORK_FOLDER_MB'>,
  { maxVideoMb, marks }: Pick<Settings['media'], 'maxVideoMb' | 'marks'>,
): Promise<number> {
  const leastMb = workBytesFor(largestOutput(maxVideoMb * MIB), filesPerResult(marks)) / MIB;
  if (config.WORK_FOLDER_MB < leastMb) {
    const what = `media.max_video_mb of ${maxVideoMb}${marks === 'off' ? '' : ' with media.marks'}`;
    const fault = `WORK_FOLDER_MB is ${config.WORK_FOLDER_MB}, and ${what} needs ${leastMb}`;
    throw new ConfigError([fault]);
  }
  return freeWorkBytes(config);
}

/** @throws ConfigError naming the variable and the program, so that the worker ends before it takes a task. */
export async function openWorkerFfmpeg(
  path: string | undefined,
  logger: Pick<Logger, 'info'>,
  { ffmpegRuns: slots } = new WorkSlots(),
): Promise<Ffmpeg> {
  if (path === undefined) throw unusable('is missing');
  const { ffmpeg, detail } = await openFfmpeg(path, { slots }).catch((error: unknown) => {
    throw error instanceof FfmpegError ? unusable(error.message) : error;
  });
  logger.info('process.ffmpeg', { detail });
  return ffmpeg;
}

function unusable(fault: string): ConfigError {
  return new ConfigError([`FFMPEG_PATH ${fault}: ${workerSettings.FFMPEG_PATH.about}`]);
}
