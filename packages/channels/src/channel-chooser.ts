import type { FaultCode } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import type { Endpoint } from '@mediagate/upstreams';
import { ChannelBreaker } from './breaker';

/** Work that is to be sent to a channel; a task is one. */
export interface Sought {
  model: string;
  /** The work belongs to a test key: it goes to channels of tests alone, and nothing else goes there. */
  isTest: boolean;
}

/** Knows where a model may be sent, in which order, and which channels are failing now. */
export interface ChannelChooser {
  /**
   * Channels that serve the model now: untried, breaker not open; best first, equals shuffled by weight. `maker` is before
   * all others: the channel that made what a task works on can work on it as no other can.
   */
  candidates(sought: Sought, tried: readonly string[], maker?: string): Channel[];
  /** Channels that serve the model at all; none that is closed. */
  serving(sought: Sought): Channel[];
  /** Channels that would serve the model if operators had not closed them for a while. */
  paused(sought: Sought): Channel[];
  /** Also one that is closed: what it has accepted is still checked. */
  find(id: string): Channel | undefined;
  breaker(channelId: string): ChannelBreaker;
  /** The breakers that are open. */
  openBreakers(): OpenBreaker[];
  /** Takes a newly read configuration; breakers of channels and models that stay what they are keep their state. */
  replace(channels: readonly Channel[], closed?: ClosedChannels): void;
}

export interface OpenBreaker {
  channelId: string;
  /** Absent: the whole channel. */
  model?: string;
  fault: FaultCode;
}

export interface ClosedChannels {
  /** Channels that take no new tasks. */
  closed?: readonly Channel[];
  /** Closed channels, and channels without a key, that operators have closed for a while. */
  paused?: readonly Channel[];
}

export interface ChooserOptions extends ClosedChannels {
  random?: () => number;
}

export function createChannelChooser(
  initial: readonly Channel[],
  { random = Math.random, ...initiallyClosed }: ChooserOptions = {},
): ChannelChooser {
  let channels = initial;
  let { closed = [], paused = [] } = initiallyClosed;
  const breakers = new Map<string, ChannelBreaker>();

  function breaker(id: string): ChannelBreaker {
    const existing = breakers.get(id) ?? new ChannelBreaker({ opens: find(id)?.isTest !== true });
    breakers.set(id, existing);
    return existing;
  }

  const find = (id: string) => [...channels, ...closed].find((channel) => channel.id === id);
  const servingOf = (some: readonly Channel[], { model, isTest }: Sought) =>
    some.filter((channel) => channel.isTest === isTest && channel.models.has(model));
  const serving = (sought: Sought) => servingOf(channels, sought);

  return {
    serving,
    paused: (sought) => servingOf(paused, sought),
    breaker,
    openBreakers: () => [...breakers].flatMap(([id, each]) => openAt(id, each)),
    find,
    candidates(sought, tried, maker) {
      const isOpen = ({ id }: Channel) => !tried.includes(id) && breaker(id).closed(sought.model);
      return makerFirst(serving(sought).filter(isOpen), maker, random);
    },
    replace(next, nextClosed = {}) {
      const before = new Map([...breakers.keys()].map((id) => [id, find(id)]));
      channels = next;
      ({ closed = [], paused = [] } = nextClosed);
      for (const [id, was] of before) if (!isKept(breaker(id), was, find(id))) breakers.delete(id);
    },
  };
}

function openAt(channelId: string, breaker: ChannelBreaker): OpenBreaker[] {
  const whole = { model: undefined, openedBy: breaker.openedBy() };
  return [whole, ...breaker.models()].flatMap(({ model, openedBy: fault }) =>
    fault === undefined ? [] : [{ channelId, ...(model === undefined ? {} : { model }), fault }],
  );
}

/** Whether a channel keeps its breaker; models that it names otherwise now lose theirs. */
function isKept(breaker: ChannelBreaker, was: Channel | undefined, now: Channel | undefined): boolean {
  if (was === undefined || now?.isTest !== was.isTest) return false;
  for (const { model } of breaker.models()) if (was.models.get(model) !== now.models.get(model)) breaker.forget(model);
  return true;
}

function makerFirst(channels: Channel[], maker: string | undefined, random: () => number): Channel[] {
  if (channels.length < 2) return channels;
  const isMaker = ({ id }: Channel) => id === maker;
  const others = channels.filter((channel) => !isMaker(channel));
  return [...channels.filter(isMaker), ...byPriority(others, random)];
}

/**
 * A weighted shuffle inside each priority: every channel draws an exponential time with its weight as rate, and the
 * earliest goes first, so that the share of firsts is the share of weight.
 */
function byPriority(channels: Channel[], random: () => number): Channel[] {
  return channels
    .map((channel) => ({ channel, draw: -Math.log(1 - random()) / Math.max(channel.weight, Number.EPSILON) }))
    .sort((left, right) => left.channel.priority - right.channel.priority || left.draw - right.draw)
    .map(({ channel }) => channel);
}

/** @throws Error when the channel does not serve the model: choosing it was a bug. */
export function endpointOf(channel: Channel, model: string): Endpoint {
  const vendorModel = channel.models.get(model);
  if (vendorModel === undefined) throw new Error(`channel ${channel.id} does not serve ${model}`);
  const { id: channelId, baseUrl, apiKey, options } = channel;
  return { channelId, baseUrl, apiKey, model: vendorModel, options };
}
