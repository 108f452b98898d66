import { describeHistory, probeChannel, readChannelHistory, type SeenChannel } from '@mediagate/channels';
import type { Sighting } from '@mediagate/upstreams';
import { openChannels } from '../open-channels';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { isFaulty, sightingText } from '../sighting-text';
import { textTable } from '../text-table';
import { timeText } from '../time-text';
import { warnOfProxy } from '../warn-of-proxy';

export interface HistoryOptions {
  minutes: number;
  model?: string;
}

/** Shows how a channel's attempts ended and how long they took, over the time and by model. */
export async function history(session: Session, id: string, { minutes, model }: HistoryOptions): Promise<Answer> {
  const { channels } = await openChannels(session);
  const found = await readChannelHistory(channels, { channelId: id, minutes, model });
  if (found === undefined) throw new Refusal(`neither the file nor an operator knows a channel ${id}`);
  const read = describeHistory(found);
  const parts = read.parts.map(({ from, ...figures }) => [timeText(from), ...figuresText(figures)]);
  const models = read.models.map(({ model: name, ...figures }) => [name, ...figuresText(figures)]);
  const heads = ['ATTEMPTS', 'SUCCEEDED', 'MEDIAN MS', 'P95 MS', 'FAULTS'];
  const text = [textTable(['FROM', ...heads], parts), textTable(['MODEL', ...heads], models)].join('\n\n');
  return { json: { channel: id, ...read }, text };
}

type Figures = Omit<ReturnType<typeof describeHistory>['models'][number], 'model'>;

function figuresText({ attempts, succeeded, median_ms: median, p95_ms: p95, faults, sampled }: Figures): string[] {
  const ended = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`);
  const counted = sampled ? `${attempts} newest` : String(attempts);
  return [counted, String(succeeded), String(median ?? ''), String(p95 ?? ''), ended.join(', ')];
}

/** Asks its vendor with the key that is here what costs nothing, and notes who did. */
export async function probe(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const { channels } = await openChannels(session);
  warnOfProxy(session);
  const outcome = await probeChannel(channels, id, changeBy(session, reason));
  const { after } = await requireChanged(outcome, () => `neither the file nor an operator knows a channel ${id}`);
  const seen = after as unknown as SeenChannel;
  if (seen.key === 'absent') return { json: seen, text: `${id}: its key is not here, nobody was asked`, faulty: true };
  const sighting = sightingOf(seen);
  return { json: seen, text: `${id}: ${sightingText(sighting)}; ${seen.took_ms} ms`, faulty: isFaulty(sighting) };
}

function sightingOf(seen: Exclude<SeenChannel, { key: 'absent' }>): Sighting {
  const { reachable, key, detail, upstream_models: models, balance } = seen;
  const shown = models?.map(({ name, known, served_until: until }) => ({
    name,
    known,
    ...(until === null ? {} : { servedUntil: until }),
  }));
  return { reachable, key, detail, ...(shown && { models: shown }), ...(balance === null ? {} : { balance }) };
}
