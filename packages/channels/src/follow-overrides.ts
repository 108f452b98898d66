import { isDeepStrictEqual } from 'node:util';
import { timeOrderedId } from '@mediagate/contracts';
import type { Database, SettingStep, StoredSettings } from '@mediagate/database';
import { DatedSteps, keepLooking, type Logger, type Scope } from '@mediagate/host';
import type { Sealer } from '@mediagate/identity';
import { secretFileOf } from '@mediagate/settings';
import type { ChannelPaces } from './channel-paces';
import type { ChannelSlots } from './channel-slots';
import type { FollowedSettings } from './follow-settings';
import { SecretFiles } from './secret-files';
import { fingerprintOf, foldSteps, type Overrides } from './setting-schedule';
import { openerOf } from './vendor-secrets';

/** The time between two looks of a process: new settings count everywhere within two seconds. */
const FOLLOW_MS = 1_000;
/** A setting of models or costs is set at least so long before it takes effect. */
export const SETTINGS_LEAD_MS = 10_000;
/** No model or cost that is set after a look has begun takes effect sooner: `refuse_late_setting` of the database sees to it. */
export const SETTINGS_KNOWN_MS = 7_000;

type FollowLogger = Pick<Logger, 'info' | 'warn'>;

export interface FollowOverridesOptions {
  database: Pick<Database, 'followChannels' | 'readSettings'>;
  followed: Pick<FollowedSettings<never>, 'channels' | 'override' | 'inForce'>;
  paces?: Pick<ChannelPaces, 'learn'>;
  channelSlots?: Pick<ChannelSlots, 'learn'>;
  /** Opens the secrets of vendors that the database keeps; undefined: this process has no key for them. */
  sealer?: Sealer | undefined;
  everyMs?: number | undefined;
  /** In milliseconds, never set back. */
  now?: (() => number) | undefined;
}

export interface FollowedOverrides {
  /** Lets all settings count that have taken effect by now. False: others may be in effect, because the last look is too long ago. */
  areKnown(): boolean;
  /** The version of the settings that count: it grows with each change. */
  version(): bigint;
  /** Looks now where they are not known. @throws DatabaseUnavailableError */
  ensureKnown(): Promise<void>;
}

/**
 * Keeps a process to what operators have set, and reports which breakers it has open. While the database is away the settings last
 * known stay. Resolves after the first look, so that nothing is chosen before it where the database answers.
 */
export async function followOverrides(
  scope: { logger: FollowLogger } & Pick<Scope, 'defer'>,
  { everyMs = FOLLOW_MS, ...options }: FollowOverridesOptions,
): Promise<FollowedOverrides> {
  const follower = new OverrideFollower(scope, options);
  const look = await keepLooking(scope, {
    name: 'settings of operators',
    everyMs,
    look: () => follower.look(),
    onAway: (error) => scope.logger.warn('settings.not_followed', { error }),
  });
  return {
    areKnown: () => follower.areKnown(),
    version: () => follower.version,
    async ensureKnown() {
      if (!follower.areKnown()) await look();
    },
  };
}

/** The overrides that are applied, and what they were made from. */
interface Applied {
  overrides: Overrides;
  secrets: StoredSettings['secrets'];
  files: string;
}

class OverrideFollower {
  readonly #logger: FollowLogger;
  readonly #options: Omit<FollowOverridesOptions, 'everyMs'>;
  readonly #now: () => number;
  readonly #processId = timeOrderedId();
  readonly #steps = new DatedSteps<SettingStep, Overrides>(foldSteps, fingerprintOf);
  readonly #secretFiles = new SecretFiles();
  #version: bigint | undefined;
  #secrets: StoredSettings['secrets'] = [];
  #files = '';
  #applied: Applied | undefined;
  #knownUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ logger }: { logger: FollowLogger }, options: Omit<FollowOverridesOptions, 'everyMs'>) {
    this.#logger = logger;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get version(): bigint {
    return this.#version ?? 0n;
  }

  areKnown(): boolean {
    this.#apply();
    return this.#now() < this.#knownUntilMs;
  }

  async look(): Promise<void> {
    const { database, followed, paces, channelSlots } = this.#options;
    const beganAt = this.#now();
    const [row] = await database.followChannels(this.#processId, followed.channels.openBreakers());
    if (row && row.version !== this.#version) await this.#read();
    paces?.learn(row?.pacedChannels ?? []);
    channelSlots?.learn(row?.isSlotAwaited ?? false);
    const sources = [...followed.inForce().channelSources.values()];
    this.#files = await this.#secretFiles.read(sources.flatMap(({ api_key: key }) => secretFileOf(key) ?? []));
    this.#knownUntilMs = beganAt + SETTINGS_KNOWN_MS;
    this.#apply();
  }

  async #read(): Promise<void> {
    const askedAt = this.#now();
    const [stored] = await this.#options.database.readSettings();
    if (stored === undefined || stored.version < this.version) return;
    // The database read its clock in between.
    this.#version = stored.version;
    this.#steps.replace(stored.steps, (askedAt + this.#now()) / 2);
    // The same object until they change.
    if (!isDeepStrictEqual(this.#secrets, stored.secrets)) this.#secrets = stored.secrets;
    this.#logger.info('settings.overridden', { version: String(stored.version) });
  }

  #apply(): void {
    const next = { overrides: this.#steps.at(this.#now()), secrets: this.#secrets, files: this.#files };
    const { overrides, secrets, files } = this.#applied ?? {};
    if (overrides === next.overrides && secrets === next.secrets && files === next.files) return;
    this.#applied = next;
    this.#options.followed.override(next.overrides, openerOf(next.secrets, this.#options.sealer));
  }
}
