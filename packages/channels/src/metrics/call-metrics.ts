import type { Fault } from '@mediagate/contracts';
import { inSpan, isTraced } from '@mediagate/host';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { KnownLabels } from './known-labels';

export interface UpstreamCall {
  channelId: string;
  /** Public id of the model. */
  model: string;
  call: 'start' | 'next_stage' | 'check' | 'lookup' | 'cancel' | 'review' | 'translate';
}

/** A fault stands under this name in every kind of reply that has one. */
export interface CallReply {
  kind: string;
  fault?: Fault;
  /** As of `Done`. */
  mistake?: string;
}

/**
 * Measures a call from its beginning to its answer, or to the first bytes of one that is streamed, counts its fault, and makes
 * it a span of the trace under way. Calls of test channels are spans alone.
 *
 * @param isOurs true once the gateway or its caller has ended the call: that says nothing of the vendor, and is not measured.
 */
export type MeasureCall = <Reply extends CallReply>(
  call: UpstreamCall,
  ask: () => Promise<Reply>,
  isOurs?: () => boolean,
) => Promise<Reply>;

export interface CallMetrics {
  measure: MeasureCall;
  /** An answer that had begun to stream broke off by the vendor's fault. */
  brokeOff(call: Omit<UpstreamCall, 'call'>): void;
}

/** Most answers of vendors that work at once take less than a minute; none may take more than ten. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 300, 600];

export function createCallMetrics(register: Registry, labels: KnownLabels): CallMetrics {
  const registers = [register];
  const durations = new Histogram({
    name: 'mediagate_upstream_call_duration_seconds',
    help: 'Time of a call to a vendor, from the request to the answer, or to the first bytes of a streamed answer.',
    labelNames: ['channel', 'model', 'call', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  const faults = new Counter({
    name: 'mediagate_upstream_faults_total',
    help: 'Faults of vendors, by class; an answer that broke off counts as outcome_unknown.',
    labelNames: ['channel', 'model', 'fault'],
    registers,
  });
  const placeOf = ({ channelId, model }: Omit<UpstreamCall, 'call'>) => ({
    channel: labels.channel(channelId),
    model: labels.model(model),
  });

  return {
    async measure(call, ask, isOurs = () => false) {
      const beganAt = performance.now();
      const reply = await (isTraced() ? traceCall(call, ask) : ask());
      if (isOurs() || labels.isTest(call.channelId)) return reply;
      const place = placeOf(call);
      const fault = reply.fault?.code;
      const outcome = fault === undefined ? 'answered' : 'fault';
      durations.observe({ ...place, call: call.call, outcome }, (performance.now() - beganAt) / 1000);
      if (fault !== undefined) faults.inc({ ...place, fault });
      return reply;
    },
    brokeOff(call) {
      if (!labels.isTest(call.channelId)) faults.inc({ ...placeOf(call), fault: 'outcome_unknown' });
    },
  };
}

function traceCall<Reply extends CallReply>(
  { channelId, model, call }: UpstreamCall,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const attributes = () => ({ 'mediagate.channel': channelId, 'mediagate.model': model });
  return inSpan(`vendor.${call}`, { attributes }, async (span) => {
    const reply = await ask();
    span.note({ 'mediagate.reply': reply.kind });
    if (reply.fault !== undefined) span.fail(reply.fault.code);
    return reply;
  });
}
