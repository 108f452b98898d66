import type { Catalogue } from '@mediagate/catalog';
import type { Translator } from '@mediagate/languages';
import type { PartReader, Settings } from '@mediagate/settings';
import type { ApiConfig } from './config';
import type { Shutdown } from './http/caller-watch';
import type { SpeechLimits, WaitLimits } from './request-limits';

export interface ApiOptions {
  config: ApiConfig;
  /** Reads the operator's file, at the start and at each reload; default: the file that `config` names. */
  read?: ReadSettings;
  /** Reads what operators have set over the file; default: by the checks of the file. */
  reader?: PartReader;
  /** The same without any keys, for what operators set. */
  judge?: PartReader;
  /** Translates texts that are not the platform's own; default: by the text models. */
  translator?: Translator;
  times?: ApiTimes;
  /** Limits of callers who wait for a task; default `TASK_WAITS`. */
  waits?: WaitLimits;
}

export interface AppOptions extends ApiOptions {
  times: ApiTimes;
  shutdown: Shutdown;
}

/** @param protocols those whose channels' keys are wanted. */
type ReadSettings = (protocols: ReadonlySet<string>) => { settings: Settings; catalogue: Catalogue };

/** Time limits. Each is described where it applies, and has its default there. */
export interface ApiTimes {
  speech?: Partial<SpeechLimits>;
  /** How long a connection to the database may take. */
  databaseConnectMs?: number;
  /** How long the start waits for Redis. */
  redisStartMs?: number;
  /** How long a request waits for its count in Redis, before its process counts alone. */
  rateLimitMs?: number;
  slotWaitMs?: number;
  lingerMs?: number;
  silenceMs?: number;
  /** Interval at which the leases of texts are renewed, and cancelled texts are stopped. */
  leaseRenewalMs?: number;
  cancelWaitMs?: number;
  storagePatienceMs?: number;
  lookMs?: number;
  keyUsesMs?: number;
  /** Interval of looks at what operators have set. */
  followMs?: number;
  /** The clock by which prices take effect, in milliseconds; default: the process's own. */
  priceClock?: () => number;
  idleTimeoutMs?: number;
  drainTimeoutMs?: number;
}
