import { listPricesInForce } from '@mediagate/billing';
import { readInForce } from '@mediagate/channels';
import { nanoToDecimal } from '@mediagate/contracts';
import { writeSettings } from '@mediagate/settings';
import { openConfiguration } from '../open-configuration';
import type { Answer, Session } from '../session';

/** Exports the file with the channels, the schedule and the prices of operators laid over it. */
export async function exportConfig(session: Session): Promise<Answer> {
  const { path } = session.deployment.configuration();
  const { digest, channelSources, prices: inFile } = openConfiguration(session).settings;
  const database = await session.openDatabase();
  const { version, scheduled, channels, overrides } = await readInForce(database, channelSources);
  const priced = await listPricesInForce(database, inFile);
  for (const { name, field, effectiveAt } of [...scheduled, ...priced.scheduled])
    session.warn(`not in the file, because it counts later: ${field} of ${name} from ${effectiveAt}`);
  const prices = new Map([...priced.prices].map(([key, price]) => [key, decimalsOf(price)]));
  const heading = `${path} (${digest}) with what operators have set over it: version ${version}`;
  const text = writeSettings(path, { channels, webhooks: overrides.webhooks, prices }, heading);
  return { json: { config: path, digest, version: String(version), file: text }, text: text.trimEnd() };
}

type Price =
  Awaited<ReturnType<typeof listPricesInForce>>['prices'] extends ReadonlyMap<string, infer Value> ? Value : never;

function decimalsOf(price: Price): string | Record<string, string> {
  if ('perTask' in price) return nanoToDecimal(price.perTask);
  return Object.fromEntries([...price.units].map(([unit, nano]) => [unit, nanoToDecimal(nano)]));
}
