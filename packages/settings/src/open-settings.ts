import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import { checkChannelOptions, PROTOCOLS } from '@mediagate/upstreams';
import { loadSettings } from './load-settings';
import type { Settings } from './settings';
import { SettingsError } from './settings-error';

/**
 * The configuration file, checked against the catalogue and the protocols of this build, and the catalogue itself: what
 * every process starts from. Throws SettingsError with every fault found.
 */
export function openSettings(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): { settings: Settings; catalogue: Catalogue } {
  const catalogue = loadCatalogue();
  const settings = loadSettings(path, {
    env,
    protocols: PROTOCOLS,
    models: new Set(catalogue.entries.map((entry) => entry.id)),
    billingKeys: catalogue.billingKeys,
  });
  const faults = settings.channels.flatMap(({ id, protocol, options }) => {
    const fault = checkChannelOptions(protocol, options);
    return fault === undefined ? [] : [`${path}: channels.${id}.options: ${fault}`];
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return { settings, catalogue };
}
