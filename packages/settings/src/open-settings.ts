import { type Catalogue, loadCatalogue } from '@mediagate/catalog';
import { checkChannelOptions, PROTOCOLS } from '@mediagate/upstreams';
import { loadSettings } from './load-settings';
import type { Settings } from './settings';

/** Reviews what callers submit; a channel serves it like any model, but nobody can submit a task to it. */
export const MODERATION_MODEL = 'moderation-latest';

/**
 * The configuration file, checked against the catalogue and the protocols of this build, and the catalogue itself: what
 * every process starts from. Throws SettingsError with every fault found.
 */
export function openSettings(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  { keysOf }: { keysOf?: ReadonlySet<string> } = {},
): { settings: Settings; catalogue: Catalogue } {
  const catalogue = loadCatalogue();
  const settings = loadSettings(path, {
    env,
    protocols: PROTOCOLS,
    models: new Set([...catalogue.modelIds, MODERATION_MODEL]),
    billingKeys: catalogue.billingKeys,
    checkOptions: checkChannelOptions,
    ...(keysOf === undefined ? {} : { keysOf }),
  });
  return { settings, catalogue };
}
