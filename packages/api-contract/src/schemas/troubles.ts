import { TROUBLE_CAUSES, TROUBLE_KINDS } from '@mediagate/contracts';
import type { JsonSchema } from '../operation';
import { anyWord, integer, object, string } from './build';
import { amount, orNull, timeOrNull } from './operator-parts';

/** The shape of what needs attention. */
export const TROUBLE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Trouble: object({
    kind: anyWord(TROUBLE_KINDS),
    urgency: anyWord(['critical', 'warning', 'info'], 'As the alerts have it.'),
    subject: orNull(string('The queue, channel, account, place or month; null: it is of the whole deployment.')),
    since: timeOrNull('When it began; null: not known.'),
    cause: anyWord(TROUBLE_CAUSES, 'The likely cause, by what was found.'),
    detail: orNull(
      string('What was found: the sentence of a notice, the reason of an operator, or faults with their counts.'),
    ),
    touched: integer('Tasks, attempts, callbacks, notices or violations; of unknown attempts and notices at most 100.'),
    of: orNull(integer('Out of so many.')),
    accounts: orNull(integer('Accounts that it touches; null: not counted.')),
    cost: orNull(amount('What it has cost in the last hour, or since it began; null: not counted')),
    action: string('The one action that ends the loss, in English.'),
    runbook: string('The file in the repository.'),
  }),
};
