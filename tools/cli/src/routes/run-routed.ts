import type { Json, JsonObject } from '@mediagate/contracts';
import { openConfiguration } from '../open-configuration';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { UsageError } from '../usage-error';
import { answerText } from './answer-text';
import { type OperatorsApi, openOperatorsApi } from './operators-api';
import { askPages } from './pages';
import { RouteRefusal } from './route-refusal';
import { type GivenWords, type RoutedCommand, type TakenWord, UNSET } from './routed-command';

/** Asks the route of a command, and prints what it answers. */
export async function runRouted(session: Session, command: RoutedCommand, { taken, given }: GivenWords): Promise<void> {
  if (command.readsFile) openConfiguration(session);
  const api = await openOperatorsApi(session);
  try {
    session.print(await answerOf(session, command, { api, taken, given }));
  } catch (error) {
    throw error instanceof RouteRefusal ? worded(error, { taken, given }) : error;
  }
}

async function answerOf(
  session: Session,
  command: RoutedCommand,
  { api, taken, given }: GivenWords & { api: OperatorsApi },
): Promise<Answer> {
  const { calls, says = {}, completes = (answer) => answer } = command;
  const operation = api.operation(typeof calls === 'string' ? calls : calls(given));
  const fields = {
    ...(typeof says === 'function' ? await says(given, session) : says),
    ...(await fieldsOf(session, api, { taken, given })),
  };
  const asked = await askPages(api, operation, fields);
  const { data, ...others } = asked;
  // One record is printed as it is, a page with what tells whether there are more.
  const answer = Array.isArray(data) || Object.keys(others).length > 0 ? asked : (data as JsonObject);
  const json = await completes(answer, { session, given, ask: api.ask });
  const { next_cursor: next } = answer;
  if (typeof next === 'string') session.warn(`there are more: --before ${next} goes on`);
  return { json, text: answerText(json, command.shows, given), faulty: command.isFaulty?.(json) ?? false };
}

/** Fields of the route by their names, of what was given. */
async function fieldsOf(
  session: Session,
  api: OperatorsApi,
  { taken, given }: GivenWords,
): Promise<Record<string, Json>> {
  const fields: Record<string, Json> = {};
  for (const each of taken) {
    const { name, find, means } = each;
    const [field, value] = [fieldOf(each), given[name]];
    if (value === undefined || field === null) continue;
    if (find) fields[field] = await find(String(value), { session, ask: api.ask });
    else if (value === UNSET) fields[field] = null;
    else fields[field] = value === true && means !== undefined ? means : value;
  }
  return fields;
}

/** A refusal in the words of the command line: a fault of a field names its argument or option, any other what was named. */
function worded({ status, message, faults }: RouteRefusal, { taken, given }: GivenWords): Error {
  const named = faults.map(({ field, message: fault }) => ({ fault, field, flags: flagsOf(field, taken) }));
  const text = named
    .map(({ fault, field, flags }) => (flags === undefined ? fault : inTermsOf(fault, field ?? '', flags)))
    .join('\n');
  const isUsage = status === 400 && named.length > 0 && named.every(({ flags }) => flags !== undefined);
  if (isUsage) return new UsageError(text);
  const subjects = taken.flatMap(({ flags, name }) => (/^[<[](?:id|user|name)/.test(flags) ? [given[name]] : []));
  return new Refusal([...subjects.filter((subject) => subject !== undefined), text || message].join(': '));
}

function flagsOf(field: string | undefined, taken: readonly TakenWord[]): string | undefined {
  const name = field?.replace(/[.[].*$/, '');
  const found = taken.find((each) => fieldOf(each) === name);
  if (found === undefined) return undefined;
  return found.flags.startsWith('--') ? found.flags : found.name;
}

/** Null: no field of the route has it. */
function fieldOf({ name, field = name.replaceAll('-', '_') }: TakenWord): string | null {
  return field;
}

/** A fault within what was given names the place itself. */
function inTermsOf(fault: string, field: string, flags: string): string {
  const isWhole = /^\w+$/.test(field) && fault.startsWith(field);
  return isWhole ? `'${flags}'${fault.slice(field.length)}` : `'${flags}': ${fault}`;
}
