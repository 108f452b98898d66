import { listChannelSettings, openerOf, openVendorSealer, readInForce } from '@mediagate/channels';
import { isJsonObject, type Json } from '@mediagate/contracts';
import type { ListedVariable } from '@mediagate/host';
import { type ListedSetting, listSections } from '@mediagate/settings';
import type { Deployment } from '../deployment';
import { openConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

interface Variable extends Omit<ListedVariable, 'origin'> {
  origin: ListedVariable['origin'] | 'npm start';
}
type Shown = Omit<ListedSetting, 'origin'> & { origin: string };

/**
 * Shows what the command line's own process goes by.
 *
 * @param all a channel's defaults, too: JSON has them anyway.
 */
export async function show(session: Session, { all = false }: { all?: boolean }): Promise<Answer> {
  const { path, env } = session.deployment.configuration();
  const { digest, sectionSources, channelSources: inFile } = openConfiguration(session).settings;
  const { overrides, secrets: sealed } = await readInForce(await session.openDatabase(), inFile);
  const secrets = { env, ofDatabase: openerOf(sealed, openVendorSealer(session.deployment.sealing())) };
  const variables = variablesInUse(session);
  const sections = listSections(sectionSources, { set: { webhooks: overrides.webhooks }, secrets });
  const channels = listChannelSettings({ inFile, overrides, secrets });
  const texts = channels.map(({ id, settings }) => {
    const shown = settings.filter(({ origin }) => all || origin !== 'default');
    return `Channel ${id}\n${settingsText(shown)}`;
  });
  return {
    json: { service: 'cli', config: { path, digest }, settings: [...variables, ...sections], channels },
    text: [
      `Variables of this command\n${settingsText(variables)}`,
      `File ${path} (${digest})\n${settingsText(sections)}`,
      ...texts,
      ...(all
        ? []
        : ['Defaults of channels are left out: --all shows them, and --json has them with what each is for.']),
    ].join('\n\n'),
  };
}

/** The variables, and in place of those that are not set what `npm start` has written down for them. */
function variablesInUse({ deployment, ...session }: Session): Variable[] {
  return session.variables().map((variable) => {
    const value = variable.is_set ? undefined : foundIn(deployment, variable.name);
    if (value === undefined) return variable;
    return { ...variable, value: variable.secret ? null : value, is_set: true, origin: 'npm start' };
  });
}

function foundIn(deployment: Deployment, name: string): string | undefined {
  switch (name) {
    case 'DATABASE_URL':
      return deployment.databaseUrl();
    case 'REDIS_URL':
      return deployment.redisUrl();
    case 'CONSOLE_PUBLIC_URL':
      return deployment.consoleUrl() || undefined;
    case 'MEDIAGATE_KEY_PEPPER':
      return pepperOf(deployment);
    case 'MEDIAGATE_SEALING_SECRET':
    case 'MEDIAGATE_PREVIOUS_SEALING_SECRET':
      return deployment.sealing()[name];
    default:
      return undefined;
  }
}

function pepperOf(deployment: Deployment): string | undefined {
  try {
    return deployment.pepper();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function settingsText(settings: readonly Shown[]): string {
  const rows = settings.flatMap(({ name, origin, ...setting }) =>
    valuesIn(name, setting).map(([path, text]) => [path, text, origin]),
  );
  return textTable(['SETTING', 'VALUE', 'FROM'], rows);
}

function valuesIn(name: string, { value, secret, is_set: isSet }: Pick<Shown, 'value' | 'secret' | 'is_set'>): Line[] {
  return secret ? [[name, isSet ? 'set' : 'not set']] : linesOf(name, value);
}

type Line = [name: string, text: string];

/** The most characters of a line's value. */
const MAX_CHARACTERS = 100;

/** A value on one line, or where it is too long for that, each of its parts on a line of its own. */
function linesOf(name: string, value: Json): Line[] {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_CHARACTERS) return [[name, text]];
  if (Array.isArray(value)) return value.flatMap((part, index) => linesOf(`${name}[${index}]`, part));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, part]) => linesOf(`${name}.${key}`, part));
  return [[name, `${text.slice(0, MAX_CHARACTERS - 1)}…`]];
}
