import type { Command } from 'commander';
import { or, time } from '../routes/answer-text';
import { addRouted } from '../routes/route-command';
import type { RoutedCommand } from '../routes/routed-command';
import type { Session } from '../session';

const COMMANDS: Record<string, RoutedCommand> = {
  list: {
    about: 'list what needs attention, the worst first, with its likely cause and the one action',
    calls: 'adminListTroubles',
    shows: {
      URGENCY: 'urgency',
      TROUBLE: 'kind',
      OF: or('subject', ''),
      SINCE: time('since'),
      TOUCHED: ({ touched, of }) => (of === null ? touched : `${touched} of ${of}`),
      ACCOUNTS: 'accounts',
      COST: 'cost',
      CAUSE: 'cause',
      ACTION: 'action',
      RUNBOOK: 'runbook',
    },
  },
};

export function addTroubleCommands(program: Command, session: Session): void {
  addRouted(program.command('trouble').description('what needs attention'), session, COMMANDS);
}
