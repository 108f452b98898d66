import { type ChannelSettings, type FollowedConfiguration, listChannelSettings } from '@mediagate/channels';
import { hostSettings, type ListedVariable, listVariables, loadConfig } from '@mediagate/host';
import { type ListedSetting, listSections, type Settings } from '@mediagate/settings';
import { type ApiConfig, apiSettings } from './config';

export interface ListedSettings {
  config: { path: string; digest: string };
  settings: (ListedVariable | ListedSetting)[];
  channels: ChannelSettings[];
}

/** The settings that this process uses now. */
export function listSettings(
  config: ApiConfig,
  {
    current,
    overrides,
    ofDatabase,
  }: Pick<FollowedConfiguration<{ settings: Settings }>, 'current' | 'overrides' | 'ofDatabase'>,
): ListedSettings {
  const { env } = process;
  const secrets = { env, ofDatabase };
  const { digest, sectionSources, channelSources: inFile } = current().settings;
  return {
    config: { path: config.MEDIAGATE_CONFIG, digest },
    settings: [
      ...listVariables(apiSettings, config, env),
      ...listVariables(hostSettings, loadConfig(hostSettings, env), env),
      ...listSections(sectionSources, { set: { webhooks: overrides().webhooks }, secrets }),
    ],
    channels: listChannelSettings({ inFile, overrides: overrides(), secrets }),
  };
}
