import type { describeChannel, describeHistory, SeenChannel } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import type { Sighting } from '@mediagate/upstreams';
import type { Columns, Given } from './routes/routed-command';
import { isFaulty, sightingText } from './sighting-text';
import { textTable } from './text-table';
import { timeText } from './time-text';

type Channel = ReturnType<typeof describeChannel>;
const channelIn = (answer: JsonObject) => answer as unknown as Channel;

/** The state of channels, and their attempts of late. */
export const STATES: Columns = {
  CHANNEL: 'id',
  STATE: 'state',
  WEIGHT: 'weight',
  'SET BY': (row) => channelIn(row).override?.set_by ?? 'the file',
  BREAKER: (row) => breakerText(channelIn(row).breaker),
  'OPEN JOBS': 'open_jobs',
  ATTEMPTS: (row) => channelIn(row).recent.attempts,
  SUCCEEDED: (row) => channelIn(row).recent.succeeded,
  'P95 MS': (row) => channelIn(row).recent.p95_ms,
  CHARGED: (row) => channelIn(row).recent.charged,
  SPEND: (row) => channelIn(row).recent.spend,
  MARGIN: (row) => channelIn(row).recent.margin ?? `unknown: ${channelIn(row).recent.cost_unknown}`,
  KEYS: ({ test }) => (test === true ? 'test' : 'live'),
  FAULTS: (row) => countsText(channelIn(row).recent.faults),
};

function breakerText({ models, ...whole }: Channel['breaker']): string {
  const ofModels = models.map(({ model, ...each }) => `${model} ${openText(each)}`);
  return [whole.open_in === 0 ? 'closed' : openText(whole), ...ofModels].join(', ');
}

function openText({ open_in: processes, fault }: Pick<Channel['breaker'], 'open_in' | 'fault'>): string {
  return fault === null ? `open in ${processes}` : `open in ${processes} (${fault})`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** Each field as it counts now, with where it comes from. */
export function channelText(answer: JsonObject): string {
  const { settings, override, scheduled, faults, breaker, unlisted } = channelIn(answer);
  const set = Object.keys(override?.fields ?? {});
  const rows = Object.entries(settings).map(([field, value]) => [
    field,
    JSON.stringify(value),
    set.includes(field) ? `set by ${override?.set_by}` : 'the file',
  ]);
  const later = scheduled.map(({ field, value, effective_at: at, set_by: by }) => [
    field,
    wantedText(value),
    `set by ${by} from ${timeText(at)}`,
  ]);
  const problems = faults.map(({ field, message }) => `fault: ${field}: ${message}`);
  const isOpen = breaker.open_in > 0 || breaker.models.length > 0;
  const failing = isOpen ? [`breaker: ${breakerText(breaker)}`] : [];
  const missing = unlisted.length > 0 ? [`not on the vendor's list: ${unlisted.join(', ')}`] : [];
  return [textTable(['FIELD', 'VALUE', 'ORIGIN'], [...rows, ...later]), ...problems, ...failing, ...missing].join('\n');
}

function wantedText(value: unknown): string {
  return value === null ? 'as the file says' : JSON.stringify(value);
}

/** Names the values that are to count, and from when. */
export function changeText(answer: JsonObject): string {
  const { id, state, scheduled } = channelIn(answer);
  const changes = scheduled.map(
    ({ field, value, effective_at: at }) => `${field} ${wantedText(value)} from ${timeText(at)}`,
  );
  return `channel ${id}: ${changes.join(', ') || state}`;
}

export function removedText(answer: JsonObject): string {
  const { id, open_jobs: open } = channelIn(answer);
  const ofJobs =
    open === 0
      ? 'it has no job under way'
      : `${open} jobs that it has accepted are asked about to their end: keep its key until then`;
  return `channel ${id} takes no tasks any more; ${ofJobs}`;
}

type History = ReturnType<typeof describeHistory>;
type Figures = Omit<History['models'][number], 'model'>;

export function historyText(answer: JsonObject): string {
  const { parts, models } = answer as unknown as History;
  const heads = ['ATTEMPTS', 'SUCCEEDED', 'MEDIAN MS', 'P95 MS', 'FAULTS'];
  const ofParts = parts.map(({ from, ...figures }) => [timeText(from), ...figuresText(figures)]);
  const ofModels = models.map(({ model: name, ...figures }) => [name, ...figuresText(figures)]);
  return [textTable(['FROM', ...heads], ofParts), textTable(['MODEL', ...heads], ofModels)].join('\n\n');
}

function figuresText({ attempts, succeeded, median_ms: median, p95_ms: p95, faults, sampled }: Figures): string[] {
  const counted = sampled ? `${attempts} newest` : String(attempts);
  return [counted, String(succeeded), String(median ?? ''), String(p95 ?? ''), countsText(faults)];
}

export function probeText(answer: JsonObject, { id }: Given): string {
  const sighting = sightingIn(answer);
  if (sighting === undefined) return `${id}: its key is not here, nobody was asked`;
  return `${id}: ${sightingText(sighting)}; ${answer['took_ms']} ms`;
}

export function isFaultyProbe(answer: JsonObject): boolean {
  const sighting = sightingIn(answer);
  return sighting === undefined || isFaulty(sighting);
}

/** Undefined: the key is not here. */
function sightingIn(answer: JsonObject): Sighting | undefined {
  const seen = answer as unknown as SeenChannel;
  if (seen.key === 'absent') return undefined;
  const { reachable, key, detail, upstream_models: models, balance } = seen;
  const shown = models?.map(({ name, known, served_until: until }) => ({
    name,
    known,
    ...(until === null ? {} : { servedUntil: until }),
  }));
  return { reachable, key, detail, ...(shown && { models: shown }), ...(balance === null ? {} : { balance }) };
}
