import { isDeepStrictEqual } from 'node:util';
import { lookupPublic } from '@mediagate/egress';
import type { Logger, Scope } from '@mediagate/host';
import type { PartReader, Settings, StoredSecrets } from '@mediagate/settings';
import type { LookupFor } from '@mediagate/upstreams';
import { applyOverrides, lookupsOf, type SettingsInForce } from './apply-overrides';
import { type ChannelChooser, type ClosedChannels, createChannelChooser } from './channel-chooser';
import { NO_OVERRIDES, type Overrides } from './setting-schedule';

export interface FollowedSettings<Read> {
  /** Chooses among the channels that count now. */
  channels: ChannelChooser;
  /** The last result of `read`: the file alone. */
  current(): Read;
  /** The file with what operators have set over it: the same object until either changes. */
  inForce(): SettingsInForce;
  /** The overrides of operators, as they were taken last. */
  overrides(): Overrides;
  /** A secret of the database, as it was known last. */
  ofDatabase: StoredSecrets;
  /** For connections to vendors: an origin that operators alone have set, now or before, leads to public addresses alone. */
  lookupFor: LookupFor;
  /** An origin that operators had set, and that jobs are still asked about at, stays one of theirs. */
  rememberOrigin(origin: string): void;
  /** Takes all overrides there are now, and the secrets of the database. */
  override(overrides: Overrides, ofDatabase?: StoredSecrets): void;
}

/**
 * Reads the configuration file, and again on SIGHUP. Whatever is made from the file must be made in `read`: where that throws, the
 * process continues with everything as it was. Overrides stay over whatever is read.
 */
export function followSettings<Read extends { settings: Settings }>(
  scope: { logger: Pick<Logger, 'info' | 'error'> } & Pick<Scope, 'onReload'>,
  { read, reader }: { read: () => Read; reader: PartReader },
): FollowedSettings<Read> {
  let current = read();
  let overrides = NO_OVERRIDES;
  let ofDatabase: StoredSecrets | undefined;
  scope.logger.info('settings.read', { digest: current.settings.digest });
  let inForce = applyOverrides(current.settings, overrides, { reader, ofDatabase });
  reportFaulty(scope, inForce);
  const chooser = createChannelChooser(inForce.channels, closedOf(inForce));

  /** All of it, or nothing where it throws. */
  function apply(next: { read: Read; overrides: Overrides; ofDatabase: StoredSecrets | undefined }): void {
    const nextInForce = keepSame(applyOverrides(next.read.settings, next.overrides, { ...next, reader }), inForce);
    reportFaulty(scope, nextInForce);
    chooser.replace(nextInForce.channels, closedOf(nextInForce));
    [current, overrides, ofDatabase, inForce] = [next.read, next.overrides, next.ofDatabase, nextInForce];
  }

  scope.onReload('configuration file', () => {
    apply({ read: read(), overrides, ofDatabase });
    return { digest: current.settings.digest };
  });
  return {
    channels: chooser,
    current: () => current,
    inForce: () => inForce,
    overrides: () => overrides,
    ofDatabase: (name) => ofDatabase?.(name),
    ...lookupsWithFormer(() => inForce),
    override(next, secrets) {
      apply({ read: current, overrides: next, ofDatabase: secrets });
    },
  };
}

function closedOf({ closedChannels: closed, pausedChannels: paused }: SettingsInForce): ClosedChannels {
  return { closed, paused };
}

function reportFaulty({ logger }: { logger: Pick<Logger, 'error'> }, { faulty }: SettingsInForce): void {
  for (const { name, faults } of faulty) {
    const detail = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
    logger.error('settings.override_refused', { reason: name, detail });
  }
}

/** Keeps the object of the section `webhooks` while its content is the same. */
function keepSame(next: SettingsInForce, before: SettingsInForce): SettingsInForce {
  return isDeepStrictEqual(next.webhooks, before.webhooks) ? { ...next, webhooks: before.webhooks } : next;
}

/** Look-ups by origin, also of those that channels led to before. */
function lookupsWithFormer(inForce: () => SettingsInForce) {
  const formerOrigins = new Set<string>();
  return {
    lookupFor(origin: string): ReturnType<LookupFor> {
      const isFormer = formerOrigins.has(origin) && !inForce().isNamed(origin);
      return isFormer ? lookupPublic : lookupsOf(inForce())(origin);
    },
    rememberOrigin: (origin: string) => void formerOrigins.add(origin),
  };
}
