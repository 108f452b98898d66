import { NOTICE_KINDS, NOTICE_MEDIA, type NoticeKind, type NoticeMedium } from '@mediagate/contracts';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { ListOptions, SetTo, SettingOptions, TargetChanges } from '../actions/notice';
import { parseAmount, parseCount, parseEntryId, parseId, parseLine } from '../option-values';
import type { Session } from '../session';
import { reasonOption } from './reason-option';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_ADDRESS_CHARACTERS = 2048;
const YEAR_MINUTES = 525_600;
const MAX_FAILED = 10_000;
/** In place of a value: what counts where nothing is set. */
const DEFAULT = 'default';

/** Loaded by the command that runs, so that none waits for what another needs. */
const actions = (): typeof import('../actions/notice') => require('../actions/notice');

export function addNoticeCommands(program: Command, session: Session): void {
  const notice = program.command('notice').description('what operators are told, where, and when');
  notice
    .command('list')
    .description('list what is told to operators, the newest first')
    .addOption(new Option('--state <state>', 'what stands alone, or what is over').choices(['standing', 'resolved']))
    .addOption(new Option('--kind <kind>', 'of this kind alone').choices(NOTICE_KINDS))
    .option('--account <id>', 'about this account alone', parseId)
    .option('--before <id>', 'go on behind this notice', parseNoticeId)
    .option('--limit <count>', 'how many at most', parseCount(MAX_LIMIT), DEFAULT_LIMIT)
    .action(async (options: ListOptions) => session.print(await actions().list(session, options)));
  addTargets(notice, session);
  addTargetChanges(notice, session);
  addSettings(notice, session);
}

function addTargets(notice: Command, session: Session): void {
  notice
    .command('targets')
    .description('list where operators are told, and what became of the last message')
    .action(async () => session.print(await actions().targets(session)));
  notice
    .command('add')
    .description('have operators told somewhere')
    .addArgument(new Argument('<medium>', 'how').choices(NOTICE_MEDIA))
    .argument('<address>', 'a URL, or the address of a mailbox', parseLine(MAX_ADDRESS_CHARACTERS))
    .option('--kinds <kinds>', 'those alone, separated by commas; default: all', parseKinds)
    .option('--language <code>', 'of the texts, as `de`', parseId, 'en')
    .addOption(reasonOption())
    .action(
      async (
        medium: NoticeMedium,
        address: string,
        options: { kinds?: readonly NoticeKind[]; language: string; reason?: string },
      ) => session.print(await actions().add(session, { medium, address, ...options })),
    );
}

function addTargetChanges(notice: Command, session: Session): void {
  notice
    .command('change')
    .description('change what a target is told of, or in which language')
    .argument('<id>', 'the target', parseId)
    .option('--kinds <kinds>', 'those alone, separated by commas; `all`: all', parseKindsOrAll)
    .option('--language <code>', 'of the texts, as `de`', parseId)
    .addOption(reasonOption())
    .action(async (id: string, options: TargetChanges) => session.print(await actions().change(session, id, options)));
  notice
    .command('remove')
    .description('have nothing more sent to a target')
    .argument('<id>', 'the target', parseId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await actions().remove(session, id, options.reason)),
    );
  notice
    .command('test')
    .description('send a test to a target; `notice targets` shows what comes of it')
    .argument('<id>', 'the target', parseId)
    .addOption(reasonOption())
    .action(async (id: string, options: { reason?: string }) =>
      session.print(await actions().test(session, id, options.reason)),
    );
}

function addSettings(notice: Command, session: Session): void {
  const count = (max: number, min: number) => orDefault(parseCount(max, min));
  notice
    .command('settings')
    .description('show when operators are told, and accounts that have set nothing themselves')
    .action(async () => session.print(await actions().settings(session)));
  notice
    .command('set')
    .description('set when operators are told; `default` takes a value back')
    .option('--low-balance <amount>', 'less than so many currency units is low; 0: never', orDefault(parseAmount))
    .option('--key-quota-percents <list>', 'told at each of them, as 80,95', orDefault(parsePercents))
    .option('--callbacks-failed <count>', 'that were not delivered within an hour', count(MAX_FAILED, 1))
    .option('--channel-minutes <count>', 'for which a channel has kept failing', count(YEAR_MINUTES, 0))
    .option('--repeat-minutes <count>', 'after which it is told again; 0: never', count(YEAR_MINUTES, 0))
    .option('--quiet-minutes <count>', 'within which it is not told anew', count(YEAR_MINUTES, 1))
    .addOption(reasonOption())
    .action(async (options: SettingOptions) => session.print(await actions().set(session, options)));
}

/** With `notice_`, as it is shown, or without. */
function parseNoticeId(text: string): bigint {
  return parseEntryId(text.replace(/^notice_/, ''));
}

function parseKinds(text: string): readonly NoticeKind[] {
  return text.split(',').map((name) => {
    const kind = NOTICE_KINDS.find((each) => each === name.trim());
    if (kind === undefined) throw new InvalidArgumentError(`The kinds are ${NOTICE_KINDS.join(', ')}.`);
    return kind;
  });
}

function parseKindsOrAll(text: string): readonly NoticeKind[] {
  return text === 'all' ? [] : parseKinds(text);
}

const MAX_PERCENTS = 5;

function parsePercents(text: string): readonly number[] {
  const percents = text.split(',').map((part) => parseCount(100)(part.trim()));
  if (percents.length > MAX_PERCENTS) throw new InvalidArgumentError(`There may be ${MAX_PERCENTS} at most.`);
  return [...new Set(percents)].sort((left, right) => left - right);
}

/** In an object, because an option that is null reads as the empty text. */
function orDefault<Value>(parse: (text: string) => Value): (text: string) => SetTo<Value> {
  return (text) => ({ value: text === DEFAULT ? null : parse(text) });
}
