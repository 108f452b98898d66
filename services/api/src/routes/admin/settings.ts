import type { ChannelSettings } from '@mediagate/channels';
import type { ListedVariable } from '@mediagate/host';
import type { ListedSetting } from '@mediagate/settings';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';

export interface SettingsInForce {
  config: { path: string; digest: string };
  settings: (ListedVariable | ListedSetting)[];
  channels: ChannelSettings[];
}

export interface SettingDeps {
  listSettings(): SettingsInForce;
}

/** GET /admin/v1/settings */
export function createListSettings({ listSettings }: SettingDeps): OperatorHandler {
  return ({ request, response }) => {
    new Query(request).end();
    sendJson(response, 200, { code: 200, data: { service: 'api', ...listSettings() } });
  };
}
