import { listChannelSettings, openerOf, openVendorSealer, readInForce } from '@mediagate/channels';
import { type ListedSetting, listSections } from '@mediagate/settings';
import { openConfiguration } from '../open-configuration';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** As the API answers it, of the command line's own process. */
export async function show(session: Session): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const { digest, sectionSources, channelSources: inFile } = openConfiguration(session).settings;
  const { overrides, secrets: sealed } = await readInForce(await session.openDatabase(), inFile);
  const secrets = { env, ofDatabase: openerOf(sealed, openVendorSealer(session.deployment.sealing())) };
  const settings = [
    ...session.variables(),
    ...listSections(sectionSources, { set: { webhooks: overrides.webhooks }, secrets }),
  ];
  const channels = listChannelSettings({ inFile, overrides, secrets });
  const rows = [
    ...settings.map((setting) => ['', setting] as const),
    ...channels.flatMap(({ id, settings: own }) => own.map((setting) => [id, setting] as const)),
  ];
  return {
    json: { service: 'cli', config: { path, digest }, settings, channels },
    text: textTable(
      ['CHANNEL', 'SETTING', 'VALUE', 'FROM'],
      rows.map(([channel, setting]) => [channel, setting.name, valueText(setting), setting.origin]),
    ),
  };
}

function valueText({ value, secret, is_set: isSet }: Pick<ListedSetting, 'value' | 'secret' | 'is_set'>): string {
  if (secret) return isSet ? 'set' : 'not set';
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
