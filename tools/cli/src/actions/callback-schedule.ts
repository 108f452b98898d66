import { changeWebhooks, describeSchedule, readSchedule } from '@mediagate/channels';
import type { JsonObject } from '@mediagate/contracts';
import { openChannels } from '../open-channels';
import { changeBy } from '../require-changed';
import { requireSet } from '../require-set';
import type { Answer, Session } from '../session';

interface ScheduleOptions {
  /** Undefined: nothing is to be set. */
  fields: JsonObject | undefined;
  from?: Date;
  reason?: string;
}

/** When callbacks are tried again. */
export async function schedule(session: Session, { fields, from, reason }: ScheduleOptions): Promise<Answer> {
  const { channels } = await openChannels(session);
  if (fields !== undefined) {
    const request = changeBy(session, reason);
    const outcome = await changeWebhooks(channels, { wanted: { fields, effectiveAt: from }, request });
    await requireSet(outcome, () => 'there is nothing to set');
  }
  const described = describeSchedule(await readSchedule(channels));
  const { retry_delays_seconds: delays, timeout_seconds: timeout, override, scheduled } = described;
  const origin = override === null ? 'the file' : `set by ${override.set_by}`;
  const later = scheduled.map(
    ({ field, value, effective_at: at }) =>
      `from ${new Date(at * 1000).toISOString()}: ${field} ${JSON.stringify(value)}`,
  );
  const text = `pauses of ${delays.join(', ')} seconds, ${timeout} seconds an attempt (${origin})`;
  return { json: described, text: [text, ...later].join('\n') };
}
