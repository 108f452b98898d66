import type { Json } from '@mediagate/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';
import { timeText } from '../time-text';
import { addConfigOption } from './config-option';
import { EFFECTIVE, pageOptions, REASON } from './taken';

const KEY = { '--key <key>': 'of this billing key alone' };
const AS_FILE = 'file';

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'show the prices of now, and where each comes from',
    calls: 'adminListPrices',
    takes: { '--model <id>': 'of this model alone', ...KEY },
    shows: { KEY: 'key', UNIT: 'unit', PRICE: 'price', ORIGIN: 'origin', CHANGES: time('changes_at') },
  },
  set: {
    about: 'set a price over the file from a moment on; what is booked keeps its price',
    calls: 'adminSetPrice',
    takes: {
      '<key>': 'a billing key, as in `prices` of the file',
      '<price>': {
        about: 'as in the file: a number, or {"per_image": 0.03}; or `file`: what the file says',
        read: readPrice,
      },
      ...EFFECTIVE,
      ...REASON,
    },
    shows: ({ key, price, effective_at }) =>
      `${key} has ${price === null ? 'the price of the file' : 'that price'} from ${timeText(Number(effective_at))}`,
  },
};

const HISTORY: Record<string, RoutedCommand> = {
  history: {
    about: 'show what operators have set, the newest first',
    calls: 'adminListPriceOverrides',
    takes: { ...KEY, ...pageOptions('20') },
    shows: {
      KEY: 'key',
      PRICE: ({ price }) => (price === null ? 'as the file says' : JSON.stringify(price)),
      FROM: time('effective_at'),
      'SET BY': 'set_by',
      REASON: 'reason',
    },
  },
};

export function addPriceCommands(program: Command, session: Session): void {
  const price = program.command('price').description('what models cost');
  addConfigOption(price, session);
  addRouted(price, session, COMMANDS, { readsFile: true });
  addRouted(price, session, HISTORY);
}

function readPrice(text: string): Json {
  if (text === AS_FILE) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new InvalidArgumentError('A price is a number, a map of units in JSON, or `file`.');
  }
}
