import { listSecrets } from '@mediagate/channels';
import { withFormer } from '@mediagate/contracts';
import { refuseProxies } from '@mediagate/host/outgoing';
import { SettingsError } from '@mediagate/settings';
import { lookInForce } from '../actions/channel-check';
import { openChannels } from '../open-channels';
import { isFaulty, sightingText } from '../sighting-text';
import { type Check, type Finding, NotLookedAt } from './check';
import { type Examined, listed } from './examined';

const FORMER = {
  MEDIAGATE_LINK_SECRET: 'MEDIAGATE_PREVIOUS_LINK_SECRET',
  MEDIAGATE_KEY_PEPPER: 'MEDIAGATE_PREVIOUS_KEY_PEPPER',
  CONSOLE_SECRET: 'CONSOLE_PREVIOUS_SECRET',
} as const;

/** The file, the variables, the keys that the database keeps, and the channels. */
export function configurationChecks(examined: Examined, withProbe: boolean): Check[] {
  return [
    { name: 'configuration file', look: async () => fileFindings(examined) },
    { name: 'variables', look: async () => variableFindings(examined) },
    { name: 'stored keys', look: () => secretFindings(examined) },
    { name: 'channels', look: () => channelFindings(examined, withProbe) },
  ];
}

function fileFindings({ tried }: Examined): Finding[] {
  if (!(tried instanceof SettingsError)) return [{ state: 'ok', found: `${tried.settings.digest}, no fault` }];
  const action = 'Correct the file: a service does not start with it, and a running one keeps the file it had.';
  return tried.faults.map((found) => ({ state: 'fault', found, action }));
}

/** Finds, before a service is restarted, why it would not start. */
function variableFindings({ session, config }: Examined): Finding[] {
  const isMeant = ['1', 'true'].includes(session.env['CONNECT_DIRECTLY'] ?? '');
  const judged = [
    ...(isMeant ? [] : [() => refuseProxies(session.env)]),
    ...Object.entries(FORMER).map(([name, former]) => () => {
      const present = config[name as keyof typeof FORMER];
      if (present !== undefined) withFormer(name, present, config[former]);
    }),
  ];
  const found = judged.flatMap((judge): Finding[] => {
    try {
      judge();
      return [];
    } catch (error) {
      return [{ state: 'fault', found: (error as Error).message, action: 'A service with these does not start.' }];
    }
  });
  return found.length > 0 ? found : [{ state: 'ok', found: 'none contradicts another' }];
}

async function secretFindings(examined: Examined): Promise<Finding[]> {
  const { session } = examined;
  const database = await examined.database();
  const secrets = await listSecrets(openChannels(session, database, examined.tried));
  const closed = secrets.filter(({ canBeOpened }) => !canBeOpened).map(({ name }) => name);
  if (closed.length === 0) return [{ state: 'ok', found: `${secrets.length} in the database` }];
  if (session.deployment.sealing().MEDIAGATE_SEALING_SECRET === undefined) {
    throw new NotLookedAt('MEDIAGATE_SEALING_SECRET is not set here');
  }
  const action = 'Give MEDIAGATE_SEALING_SECRET as it was, or store these keys again.';
  return [
    { state: 'fault', found: `sealed under another secret: ${listed(closed)}`, action, runbook: 'rotate-secrets.md' },
  ];
}

/** Retirements, breakers and settings that do not fit are among the troubles. */
async function channelFindings({ session, opened, database }: Examined, withProbe: boolean): Promise<Finding[]> {
  const configuration = opened();
  await database();
  const { channels, uncovered } = await lookInForce(session, configuration, withProbe);
  const seen = channels.flatMap(({ channel, sighting }): Finding[] => {
    if (sighting === undefined) return [];
    const found = `${channel.id}: ${sightingText(sighting)}`;
    if (!isFaulty(sighting)) return [{ state: 'ok', found }];
    const action = 'Correct its key, its address or its names of models, and probe it again.';
    return [{ state: 'fault', found, action, runbook: 'upstream-down.md' }];
  });
  const unserved: Finding[] =
    uncovered.length === 0
      ? []
      : [
          {
            state: 'warning',
            found: `served by none: ${listed(uncovered)}`,
            action: 'Add them to a channel; until then they are refused.',
          },
        ];
  const asked = withProbe ? '' : '; --probe asks their vendors';
  return [{ state: 'ok', found: `${channels.length} with their keys${asked}` }, ...unserved, ...seen];
}
