import { isJsonObject, type Json } from '@mediagate/contracts';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Session } from '../session';
import { type RoutedCommand, type TakenWord, UNSET } from './routed-command';

/** Loaded by the command that runs: the routes take longer to load than most commands take to run. */
const runner = (): typeof import('./run-routed') => require('./run-routed');

/** Adds commands that ask routes of operators to a group. `readsFile`: they need the configuration file, whose faults they print before all else. */
export function addRouted(
  group: Command,
  session: Session,
  commands: Readonly<Record<string, RoutedCommand>>,
  { readsFile = false } = {},
): void {
  for (const [name, routed] of Object.entries(commands)) addOne(group.command(name), session, { ...routed, readsFile });
}

function addOne(command: Command, session: Session, routed: RoutedCommand): void {
  const taken = Object.entries(routed.takes ?? {}).map(([flags, described]): TakenWord => {
    const about = typeof described === 'string' ? { about: described } : described;
    return { ...about, flags, name: nameOf(flags) };
  });
  command.description(routed.about);
  for (const each of taken) {
    if (isOption(each)) command.addOption(optionOf(each));
    else command.addArgument(argumentOf(each));
  }
  command.action(async () => {
    await runner().runRouted(session, routed, { taken, given: givenTo(command) });
  });
}

/** `--no-manage` is the other value of `--manage`. */
function nameOf(flags: string): string {
  const [, name = ''] = /^(?:--(?:no-)?|[<[])([a-z-]+)/.exec(flags) ?? [];
  return name;
}

const isOption = ({ flags }: TakenWord) => flags.startsWith('--');

function optionOf(taken: TakenWord): Option {
  const { flags, about, choices, required, fallback } = taken;
  const option = new Option(flags, about);
  if (flags.endsWith('>')) option.argParser(readerOf(taken));
  if (choices) option.choices(choices);
  if (fallback !== undefined) option.default(fallback);
  return option.makeOptionMandatory(required ?? false);
}

function argumentOf(taken: TakenWord): Argument {
  const argument = new Argument(taken.flags, taken.about).argParser(readerOf(taken));
  return taken.choices ? argument.choices(taken.choices) : argument;
}

/** The route judges what is given; but it takes a blank text for none at all. */
function readerOf({ isList, unset, read = (text) => text }: TakenWord): (text: string, before?: Json) => Json {
  const one = (text: string): Json => {
    if (text.trim() === '') throw new InvalidArgumentError('It must not be blank.');
    return text === unset ? UNSET : read(text);
  };
  if (!isList) return (text, before) => merged(before, one(text));
  return (text, before) => {
    if (text === unset) return UNSET;
    return [...(Array.isArray(before) ? before : []), ...text.split(',').map((each) => one(each.trim()))];
  };
}

/** The last value counts of an option that is given several times, and all its names where it has any. */
function merged(before: Json | undefined, value: Json): Json {
  if (value === UNSET || before === UNSET) return value;
  return isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
}

function givenTo(command: Command): Readonly<Record<string, Json | undefined>> {
  const given = command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]);
  const options = command.options.map((option) => [
    option.name().replace(/^no-/, ''),
    command.getOptionValue(option.attributeName()),
  ]);
  return Object.fromEntries([...given, ...options]);
}
