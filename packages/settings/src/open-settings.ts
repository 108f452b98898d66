import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import { checkChannelOptions, PROTOCOLS } from '@mediagate/upstreams';
import { loadSettings } from './load-settings';
import type { Settings } from './settings';

/**
 * The configuration file, checked against the catalogue and the protocols of this build, and the catalogue itself: what
 * every process starts from. Throws SettingsError with every fault found.
 */
export function openSettings(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  { channelKeys = true }: { channelKeys?: boolean } = {},
): { settings: Settings; catalogue: Catalogue } {
  const catalogue = loadCatalogue();
  const settings = loadSettings(path, {
    env,
    protocols: PROTOCOLS,
    models: new Set(catalogue.entries.map((entry) => entry.id)),
    billingKeys: catalogue.billingKeys,
    checkOptions: checkChannelOptions,
    channelKeys,
  });
  return { settings, catalogue };
}
