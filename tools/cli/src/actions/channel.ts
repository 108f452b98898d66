import {
  addChannel,
  type Channels,
  changeChannel,
  describeChannel,
  type ListedChannel,
  listChannels,
  removeChannel,
  resetChannel,
  type SettingsOutcome,
} from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import { editorSchema } from '@mediagate/settings';
import { type OpenedChannels, openChannels } from '../open-channels';
import { Refusal } from '../refusal';
import { changeBy } from '../require-changed';
import { requireSet } from '../require-set';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** As it is shipped in `deploy/config`, with the models of this build. */
export function schema(): Answer {
  const json = editorSchema();
  return { json, text: JSON.stringify(json, undefined, 2) };
}

const MINUTE_MS = 60_000;

/** Every channel with what operators have set over the file, and how it did of late. */
export async function list(session: Session, minutes: number): Promise<Answer> {
  const opened = await openChannels(session);
  const described = (await readAll(opened, minutes)).map(describeChannel);
  return { json: { config: opened.path, minutes, channels: described }, text: stateTable(described) };
}

/** One channel with every field as it counts now. */
export async function show(session: Session, id: string): Promise<Answer> {
  const opened = await openChannels(session);
  const [found] = await readAll(opened, DEFAULT_MINUTES, id);
  if (!found) throw new Refusal(unknown(id));
  const described = describeChannel(found);
  const set = Object.keys(found.override?.fields ?? {});
  const rows = Object.entries(described.settings).map(([field, value]) => [
    field,
    JSON.stringify(value),
    set.includes(field) ? `set by ${found.override?.latest.setBy}` : 'the file',
  ]);
  const scheduled = described.scheduled.map(({ field, value, effective_at: at, set_by: by }) => [
    field,
    value === null ? 'as the file says' : JSON.stringify(value),
    `set by ${by} from ${new Date(at * 1000).toISOString()}`,
  ]);
  const faults = described.faults.map(({ field, message }) => `fault: ${field}: ${message}`);
  const text = [textTable(['FIELD', 'VALUE', 'ORIGIN'], [...rows, ...scheduled]), ...faults].join('\n');
  return { json: described, text, faulty: faults.length > 0 };
}

const DEFAULT_MINUTES = 60;

/** @param channelId of this one alone. */
function readAll(
  { channels }: OpenedChannels,
  minutes = DEFAULT_MINUTES,
  channelId?: string,
): Promise<ListedChannel[]> {
  return listChannels(channels, { sinceMs: minutes * MINUTE_MS, channelId });
}

function describeBreaker({ open_in: openIn, models }: ReturnType<typeof describeChannel>['breaker']): string {
  const ofModels = models.map(({ model, open_in: processes }) => `${model} open in ${processes}`);
  return [openIn === 0 ? 'closed' : `open in ${openIn}`, ...ofModels].join(', ');
}

function stateTable(channels: readonly ReturnType<typeof describeChannel>[]): string {
  return textTable(
    [
      'CHANNEL',
      'STATE',
      'WEIGHT',
      'SET BY',
      'BREAKER',
      'OPEN JOBS',
      'ATTEMPTS',
      'SUCCEEDED',
      'P95 MS',
      'CHARGED',
      'SPEND',
      'MARGIN',
      'KEYS',
      'FAULTS',
    ],
    channels.map(({ id, test, state, weight, override, breaker, open_jobs: openJobs, recent }) => [
      id,
      state,
      String(weight ?? ''),
      override?.set_by ?? 'the file',
      describeBreaker(breaker),
      String(openJobs),
      String(recent.attempts),
      String(recent.succeeded),
      String(recent.p95_ms ?? ''),
      String(recent.charged),
      String(recent.spend),
      String(recent.margin ?? `unknown: ${recent.cost_unknown}`),
      test ? 'test' : 'live',
      Object.entries(recent.faults)
        .map(([fault, count]) => `${fault} ${count}`)
        .join(', '),
    ]),
  );
}

export interface SetOptions {
  from?: Date;
  reason?: string;
}

/** Counts in every process within seconds, and after restarts, until it is given back to the file. */
export function set(session: Session, id: string, { fields, from, reason }: SetOptions & { fields: JsonObject }) {
  const wanted = { fields, effectiveAt: from };
  return change(session, id, (channels) => changeChannel(channels, id, { wanted, request: changeBy(session, reason) }));
}

export function add(session: Session, id: string, { fields, from, reason }: SetOptions & { fields: JsonObject }) {
  const wanted = { fields, effectiveAt: from };
  return change(session, id, (channels) => addChannel(channels, id, { wanted, request: changeBy(session, reason) }));
}

export function giveBack(
  session: Session,
  id: string,
  { what, reason }: { what: 'reset' | 'remove'; reason?: string | undefined },
): Promise<Answer> {
  return what === 'reset'
    ? change(session, id, (channels) => resetChannel(channels, id, changeBy(session, reason)))
    : remove(session, id, reason);
}

async function remove(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const opened = await openChannels(session);
  const { channels } = opened;
  await requireSet(await removeChannel(channels, id, changeBy(session, reason)), () => whyNotRemoved(channels, id));
  const shown = (await readAll(opened, DEFAULT_MINUTES, id)).at(0);
  const open = shown?.openJobs ?? 0;
  const ofJobs =
    open === 0
      ? 'it has no job under way'
      : `${open} jobs that it has accepted are asked about to their end: keep its key until then`;
  const json = shown ? describeChannel(shown) : { id, state: 'removed' };
  return { json, text: `channel ${id} takes no tasks any more; ${ofJobs}` };
}

function whyNotRemoved({ inFile }: Channels, id: string): string {
  return inFile().has(id)
    ? `channel ${id} stands in the file: take it out there, or disable it`
    : `no operator has added a channel ${id}`;
}

async function change(
  session: Session,
  id: string,
  make: (channels: Channels) => Promise<SettingsOutcome>,
): Promise<Answer> {
  const opened = await openChannels(session);
  const { after } = await requireSet(await make(opened.channels), () => unknown(id));
  const { effective_at: moment, ...fields } = after;
  const shown = (await readAll(opened)).find((channel) => channel.id === id);
  const words = Object.entries(fields).map(([field, value]) =>
    value === null ? `${field} as the file says` : `${field} ${JSON.stringify(value)}`,
  );
  const text = `channel ${id}: ${words.join(', ') || 'as the file says'}; from ${new Date(String(moment)).toISOString()}`;
  return { json: shown ? describeChannel(shown) : { id, state: 'removed' }, text };
}

function unknown(id: string): string {
  return `neither the file nor an operator knows a channel ${id}`;
}

/** A channel may be taken out with its key once it has none. */
export async function jobs(session: Session): Promise<Answer> {
  const { path, channels } = await openChannels(session);
  const sources = await channels.sources();
  const stateOf = (id: string) => {
    const source = sources.get(id);
    return source === undefined ? 'removed' : String(source['state'] ?? 'enabled');
  };
  const counted = await channels.database.countOpenJobs();
  const listed = counted.map(({ channelId: id, jobs: open }) => ({ id, state: stateOf(id), open_jobs: open }));
  const rows = listed.map(({ id, state, open_jobs: open }) => [id, state, String(open)]);
  const text =
    rows.length === 0 ? 'no channel has a job under way' : textTable(['CHANNEL', 'STATE', 'OPEN JOBS'], rows);
  return { json: { config: path, channels: listed }, text };
}
