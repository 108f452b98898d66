import type { Month } from '@mediagate/billing';
import type { MarginGroup } from '@mediagate/database';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  parseEndTimeInZone,
  parseId,
  parseMonth,
  parseTimeInZone,
  parseTimezone,
  type TimeInZone,
} from '../option-values';
import { database } from '../packages';
import type { Session } from '../session';
import { addConfigOption } from './config-option';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/report') => require('../actions/report');

const invoices = (): typeof import('../actions/invoice') => require('../actions/invoice');

interface Options {
  from?: TimeInZone;
  to?: TimeInZone;
  month?: Month;
  timezone?: string;
  groupBy?: readonly MarginGroup[];
  units?: boolean;
  csv?: true;
}

interface InvoiceOptions {
  account: string;
  month: Month;
  timezone?: string;
  csv?: true;
}

export function addReportCommands(program: Command, session: Session): void {
  const report = program.command('report').description('what was used, and what it earned');
  addConfigOption(report, session);
  const add = (name: 'usage' | 'margin', description: string) =>
    report
      .command(name)
      .description(description)
      .option('--from <time>', 'tasks submitted from then on; default: 30 days before --to', parseTimeInZone)
      .option('--to <time>', 'tasks submitted before then, or by the end of that day; default: now', parseEndTimeInZone)
      .addOption(monthOption('the tasks submitted in it').conflicts(['from', 'to']))
      .addOption(timezoneOption())
      .option(
        '--group-by <names>',
        'of day, vendor, channel, model, account, family, key, with commas; default: day',
        parseGroups,
      )
      .option('--units', 'with what was charged for: images, seconds, characters, tokens')
      .option('--csv', 'as a table for a spreadsheet')
      .action(async (options: Options) => {
        const answer = await actions().report(session, name, options);
        session.print(answer);
      });
  add('usage', 'sum up tasks and charges, but of test keys');
  add('margin', 'the same, with what vendors charge and what is left');
  report
    .command('invoice')
    .description('what was booked on an account in a month')
    .requiredOption('--account <id>', 'the account', parseId)
    .addOption(monthOption('the month').makeOptionMandatory())
    .addOption(timezoneOption())
    .option('--csv', 'as a table for a spreadsheet')
    .action(async (options: InvoiceOptions) => {
      session.print(await invoices().invoice(session, options));
    });
}

function monthOption(description: string): Option {
  return new Option('--month <YYYY-MM>', description).argParser(parseMonth);
}

function timezoneOption(): Option {
  return new Option('--timezone <name>', 'the zone of days and months, as Asia/Shanghai; default: UTC').argParser(
    parseTimezone,
  );
}

function parseGroups(text: string): readonly MarginGroup[] {
  const { MARGIN_GROUPS } = database();
  const names = text.split(',').map((name) => name.trim());
  const groups = MARGIN_GROUPS.filter((group) => names.includes(group));
  if (groups.length === names.length) return names as MarginGroup[];
  throw new InvalidArgumentError(`Groups are different ones of ${MARGIN_GROUPS.join(', ')}, with commas between.`);
}
