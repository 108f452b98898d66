import type { CallMade } from '@mediagate/billing';
import {
  type CallMetrics,
  type CallVerdict,
  type ChannelChooser,
  endpointOf,
  type Sought,
  verdictOn,
} from '@mediagate/channels';
import { FAULT_TABLE, type Fault, type Owner } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { lackOfImages, type TextAnswer, type TextCall, type TextUpstream } from '@mediagate/upstreams';
import { CallsInFlight } from './calls-in-flight';

export interface TextChannelsDeps {
  channels: ChannelChooser;
  /** One of each protocol. */
  upstreams: readonly TextUpstream[];
  calls: CallMetrics;
  /** Another model answered than the one that the channel asked for. */
  onOtherModel?(report: OtherModel): void;
}

export interface OtherModel {
  channelId: string;
  /** Public id of the model that was asked. */
  model: string;
  /** The vendor's names. */
  asked: string;
  answered: string;
}

export interface TextRequest extends TextCall {
  /** Public id of the model. */
  model: string;
  owner: Owner;
  signal: AbortSignal;
  /** Called before each call, and when its request goes out. */
  onStep(step: 'begins' | 'sent', calls: CallsSoFar): void;
  /** No other channel is asked for one who has left. */
  isAwaited(): boolean;
}

export interface CallsSoFar {
  /** Calls that were refused, in order. */
  refused: readonly CallMade[];
  underWay: CallUnderWay;
}

export type CallUnderWay = Pick<CallMade, 'channelId' | 'protocol' | 'beganAt'>;

/** The result of a request at all the channels it was sent to. */
export type TextReply = {
  /** Calls that were refused, in order. */
  refused: CallMade[];
} & (
  | {
      kind: 'answer';
      answer: TextAnswer;
      channel: Channel;
      underWay: CallUnderWay;
      /** To be called if the answer broke off by the channel's own fault. */
      brokeOff(): void;
      /** Gives back the slot of the channel, to be called once the answer has been read or is given up. */
      leaveSlot(): void;
    }
  /** The request was refused; without a fault no channel that may carry it could be asked. */
  | { kind: 'refused'; fault: Fault | undefined }
);

export interface TextChannels {
  /** Some channel of a text protocol serves the model, in order or not. */
  serves(sought: Sought): boolean;
  /** Types of images that the vendor of one of these channels, at least, reads within a body. */
  imageTypes(sought: Sought): string[];
  /**
   * Sends the request to one channel after the other until one begins to answer, or says what another would say too. A
   * channel with as many calls of this process as its `max_concurrency` is passed over.
   */
  call(request: TextRequest): Promise<TextReply>;
  /** Calls that count against the limit of the channel, if it has one. */
  slotsInUse(channelId: string): number;
  /**
   * The model that an answer is billed as, given the vendor's name of the model that made it: the model that was asked, the one
   * that the channel serves by that name, or one that is not known here.
   */
  billedAs(channel: Channel, model: string, answeredBy: string | undefined): BilledModel;
  /** Reports an answer that another model has made. */
  reportOther(channel: Channel, model: string, billed: BilledModel): void;
}

/** Public id; undefined: none is known by what answered. */
export interface BilledModel {
  id: string | undefined;
  /** The vendor's name of another model than the one asked for. */
  other?: string;
}

export function createTextChannels({ channels, upstreams, calls, onOtherModel }: TextChannelsDeps): TextChannels {
  const byProtocol = new Map(upstreams.map((upstream) => [upstream.protocol, upstream]));
  const inFlight = new CallsInFlight();
  const speaking = (sought: Sought) => speakersOf(channels.serving(sought), byProtocol);

  async function call(request: TextRequest): Promise<TextReply> {
    const { model } = request;
    const refused: CallMade[] = [];
    const faults: Fault[] = [];
    for (const channel of channels.candidates(soughtBy(request), [])) {
      const underWay = { channelId: channel.id, protocol: channel.protocol, beganAt: performance.now() };
      const onStep = (step: 'begins' | 'sent') => request.onStep(step, { refused: [...refused], underWay });
      const { reply, leaveSlot } = await ask(channel, request, { byProtocol, inFlight, channels, calls, onStep });
      if (reply === undefined) continue;
      if (reply.kind === 'answer') {
        const brokeOff = () => {
          channels.breaker(channel.id).recordBreak();
          calls.brokeOff({ channelId: channel.id, model });
        };
        return { kind: 'answer', answer: reply, channel, underWay, refused, brokeOff, leaveSlot };
      }
      faults.push(reply.fault);
      refused.push(toCallMade(reply, underWay));
      if (!FAULT_TABLE[reply.fault.code].nextChannel || !request.isAwaited()) break;
    }
    return { kind: 'refused', refused, fault: faultToTell(faults, { request, refused, speaking }) };
  }

  return {
    serves: (sought) => speaking(sought).length > 0,
    imageTypes: (sought) => [...new Set(speaking(sought).flatMap(({ imageTypes }) => imageTypes))],
    call,
    slotsInUse: (channelId) => inFlight.of(channelId),
    billedAs: billedModel,
    reportOther({ id: channelId, models }, model, { other: answered }) {
      const asked = models.get(model);
      if (asked !== undefined && answered !== undefined) onOtherModel?.({ channelId, model, asked, answered });
    },
  };
}

function speakersOf(serving: readonly Channel[], byProtocol: ReadonlyMap<string, TextUpstream>): TextUpstream[] {
  return serving.flatMap(({ protocol }) => byProtocol.get(protocol) ?? []);
}

interface Refusals {
  request: TextRequest;
  refused: readonly CallMade[];
  speaking(sought: Sought): TextUpstream[];
}

/** The last fault that may pass, or else what no channel can do; undefined: one that was passed over may do it. */
function faultToTell(faults: readonly Fault[], refusals: Refusals): Fault | undefined {
  const passing = faults.findLast(({ code }) => !FAULT_TABLE[code].everyTime);
  return passing ?? (othersMayCarry(refusals) ? undefined : faults.at(-1));
}

/** Whether a protocol whose channels were all passed over, full or out of order, could do what those that were asked cannot. */
function othersMayCarry({ request, refused, speaking }: Refusals): boolean {
  const asked = new Set(refused.map(({ protocol }) => protocol));
  const speakers = speaking(soughtBy(request));
  return speakers.some(({ protocol, imageTypes }) => !asked.has(protocol) && !lackOfImages(request.json, imageTypes));
}

function soughtBy({ model, owner }: TextRequest): Sought {
  return { model, isTest: owner.isTest === true };
}

interface AskDeps extends Pick<TextChannelsDeps, 'channels' | 'calls'> {
  byProtocol: ReadonlyMap<string, TextUpstream>;
  inFlight: CallsInFlight;
  onStep(step: 'begins' | 'sent'): void;
}

/** Asks one channel; without a reply: it serves no text, has no slot, or is out of order. */
async function ask(
  channel: Channel,
  request: TextRequest,
  { byProtocol, inFlight, channels, calls, onStep }: AskDeps,
): Promise<{ reply: Reply | undefined; leaveSlot(): void }> {
  const { id: channelId, protocol } = channel;
  const upstream = byProtocol.get(protocol);
  const leaveSlot = upstream && inFlight.begin(channel);
  if (!upstream || !leaveSlot) return { reply: undefined, leaveSlot: () => undefined };
  const { model, owner, signal } = request;
  onStep('begins');
  const onSent = () => onStep('sent');
  const send = () => upstream.call(request, { endpoint: endpointOf(channel, model), owner, signal, onSent });
  const measured = () => calls.measure({ channelId, model, call: 'start' }, send, () => signal.aborted);
  let isAnswered = false;
  try {
    const reply = await channels.breaker(channelId).run(model, measured, (reply) => judge(reply, signal));
    isAnswered = reply?.kind === 'answer';
    return { reply, leaveSlot };
  } finally {
    if (!isAnswered) leaveSlot();
  }
}

function billedModel({ models }: Channel, model: string, answered: string | undefined): BilledModel {
  const asked = models.get(model);
  if (asked === undefined || answered === undefined || isSameModel(asked, answered)) return { id: model };
  const [id] = [...models].find(([, name]) => isSameModel(name, answered)) ?? [];
  return { id, other: answered };
}

/** A name stands for its newest version, which is named by a number or a date behind it. */
function isSameModel(asked: string, answered: string): boolean {
  return answered.startsWith(asked) && /^(-\d[\d-]*)?$/.test(answered.slice(asked.length));
}

type Reply = Awaited<ReturnType<TextUpstream['call']>>;

/** A call that its caller ended before it was answered does not count for or against the channel. */
function judge(reply: Reply, { aborted }: AbortSignal): CallVerdict {
  if (reply.kind === 'answer') return 'success';
  if (aborted) return 'uncounted';
  return verdictOn(reply.fault);
}

function toCallMade({ fault, requestIds }: Extract<Reply, { kind: 'refused' }>, made: CallUnderWay): CallMade {
  return {
    ...made,
    state: FAULT_TABLE[fault.code].quarantine ? 'unknown' : 'refused',
    fault: fault.code,
    detail: fault.detail,
    endedAt: performance.now(),
    ...(requestIds === undefined ? {} : { requestIds }),
  };
}
