import type { JsonObject } from '@mediagate/contracts';
import type { Command } from 'commander';
import { time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand, Taken } from '../routes/routed-command';
import type { Session } from '../session';
import { pageOptions, REASON } from './taken';

const ID: Record<string, Taken> = { '<id>': { about: 'att_…', field: 'attempt_id' } };
const resolved = ({ id, resolution }: JsonObject) =>
  `attempt ${id} is written down as ${String(resolution).replace('_', ' ')}`;

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list those that nobody has resolved, the newest first',
    calls: 'adminListQuarantine',
    takes: {
      '--all': { about: 'also those that were resolved', field: 'resolved' },
      '--test': 'those of test keys, which nobody has to resolve, in place of the others',
      ...pageOptions('20'),
    },
    shows: {
      ATTEMPT: 'id',
      TASK: 'task_id',
      MODEL: 'model',
      CHANNEL: 'channel',
      'UPSTREAM ID': 'external_id',
      ENDED: time('ended_at'),
      REFUNDED: 'refunded',
      RESOLVED: 'resolution',
      DETAIL: 'detail',
    },
  },
  paid: {
    about: 'write down that the vendor charges for it',
    calls: 'adminResolveAttempt',
    says: { resolution: 'paid' },
    takes: { ...ID, '--cost <amount>': 'how much; default: as is known, if it is', ...REASON },
    shows: resolved,
  },
  'not-paid': {
    about: 'write down that the vendor does not charge for it',
    calls: 'adminResolveAttempt',
    says: { resolution: 'not_paid' },
    takes: { ...ID, ...REASON },
    shows: resolved,
  },
};

export function addAttemptCommands(program: Command, session: Session): void {
  addRouted(program.command('attempt').description('attempts whose outcome nobody knows'), session, COMMANDS);
}
