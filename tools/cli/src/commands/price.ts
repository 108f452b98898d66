import type { Json } from '@mediagate/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { parseCount, parseEntryId, parseId, parseTime } from '../option-values';
import type { Session } from '../session';
import { addConfigOption } from './config-option';
import { reasonOption } from './reason-option';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/price') => require('../actions/price');

export function addPriceCommands(program: Command, session: Session): void {
  const price = program.command('price').description('what models cost');
  addConfigOption(price, session);
  price
    .command('list')
    .description('show the prices of now, and where each comes from')
    .option('--model <id>', 'of this model alone', parseId)
    .option('--key <key>', 'of this billing key alone', parseId)
    .action(async (options: { model?: string; key?: string }) => session.print(await actions().list(session, options)));
  price
    .command('history')
    .description('show what operators have set, the newest first')
    .option('--key <key>', 'of this billing key alone', parseId)
    .option('--before <id>', 'go on behind this entry', parseEntryId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async (options: { key?: string; before?: bigint; limit: number }) =>
      session.print(await actions().history(session, options)),
    );
  price
    .command('set')
    .description('set a price over the file from a moment on; what is booked keeps its price')
    .argument('<key>', 'a billing key, as in `prices` of the file', parseId)
    .argument('<price>', 'as in the file: a number, or {"per_image": 0.03}; or `file`: what the file says', parsePrice)
    .option('--from <time>', 'at least 10 seconds ahead; default: as soon as every process knows it', parseTime)
    .addOption(reasonOption())
    .action(async (key: string, value: Json, options: { from?: Date; reason?: string }) =>
      session.print(await actions().set(session, key, { value, ...options })),
    );
}

function parsePrice(text: string): Json {
  if (text === 'file') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new InvalidArgumentError('A price is a number, a map of units in JSON, or `file`.');
  }
}
